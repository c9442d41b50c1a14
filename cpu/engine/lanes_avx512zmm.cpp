#include "cpu/engine/lane_variants.hpp"
#include "cpu/engine/lanes.hpp"
#include "cpu/engine/word_zmm.hpp"

namespace chainshot::cpu::avx512zmm {

// One word at a time. A second word side by side is as fast on an idle core, but slower on a shared core, with small
// requests and with roulette, perhaps because both together fill the first-level cache. On wide boards it pays where
// the compiler keeps both in the 32 registers; g++ 12 spills.
constexpr int kBundle = 1;
#if defined(__clang__)
constexpr int kWideBundle = 2;
#else
constexpr int kWideBundle = 1;
#endif

const int kLanes = kBundle * Word16::kLanes;

void run(const lanes::LaneProgram& program, lanes::LaneSource& source) {
  run_lanes<Word16, Word32, kBundle, kWideBundle>(program, source);
}

}  // namespace chainshot::cpu::avx512zmm
