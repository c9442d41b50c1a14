#define CHAINSHOT_AVX512
#include "cpu/engine/lane_variants.hpp"
#include "cpu/engine/lanes.hpp"
#include "cpu/engine/word_ymm.hpp"

namespace chainshot::cpu::avx512ymm {

// Two words side by side: the second fills the waiting times of the first. On wide boards, which wait more, a third one
// pays; a fourth would not fit the first-level cache.
constexpr int kBundle = 2, kWideBundle = 3;

const int kLanes = kBundle * Word16::kLanes;

void run(const lanes::LaneProgram& program, lanes::LaneSource& source) {
  run_lanes<Word16, Word32, kBundle, kWideBundle>(program, source);
}

}  // namespace chainshot::cpu::avx512ymm
