// The lanes of every instruction set, each compiled with flags of its own.
#pragma once

#include "cpu/lane_program.hpp"

namespace chainshot::cpu {
namespace portable {
void run(const LaneProgram& program, LaneSource& source);
}
namespace avx2 {
void run(const LaneProgram& program, LaneSource& source);
}
namespace avx512 {
void run(const LaneProgram& program, LaneSource& source);
}
}  // namespace chainshot::cpu
