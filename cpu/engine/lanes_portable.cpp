#include "cpu/engine/lane_variants.hpp"
#include "cpu/engine/lanes.hpp"
#include "cpu/engine/word_portable.hpp"

namespace chainshot::cpu::portable {

const int kLanes = Word16::kLanes;

void run(const lanes::LaneProgram& program, lanes::LaneSource& source) {
  run_lanes<Word16, Word32, 1, 1>(program, source);
}

}  // namespace chainshot::cpu::portable
