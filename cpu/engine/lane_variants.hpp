// The lanes of every instruction set, each compiled with flags of its own. kLanes is how many games a thread plays at
// once on small boards.
#pragma once

#include "game/lanes/lane_program.hpp"

namespace chainshot::cpu {
namespace portable {
void run(const lanes::LaneProgram& program, lanes::LaneSource& source);
extern const int kLanes;
}  // namespace portable
namespace avx2 {
void run(const lanes::LaneProgram& program, lanes::LaneSource& source);
extern const int kLanes;
}  // namespace avx2
namespace avx512ymm {
void run(const lanes::LaneProgram& program, lanes::LaneSource& source);
extern const int kLanes;
}  // namespace avx512ymm
namespace avx512zmm {
void run(const lanes::LaneProgram& program, lanes::LaneSource& source);
extern const int kLanes;
}  // namespace avx512zmm
}  // namespace chainshot::cpu
