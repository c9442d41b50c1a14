#include "cpu/lane_isas.hpp"
#include "cpu/lanes.hpp"
#include "cpu/word_avx2.hpp"

namespace chainshot::cpu::avx2 {

const int kLanes = Word16::kLanes;

// With 16 registers a second word side by side spills and costs 8 %; on wide boards, whose loops are not unrolled, it
// gains 12 %.
void run(const LaneProgram& program, LaneSource& source) {
  run_lanes<Word16, Word32, 1, 2>(program, source);
}

}  // namespace chainshot::cpu::avx2
