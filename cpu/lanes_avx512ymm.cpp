#define CHAINSHOT_AVX512
#include "cpu/lane_isas.hpp"
#include "cpu/lanes.hpp"
#include "cpu/word_ymm.hpp"

namespace chainshot::cpu::avx512ymm {

// Two words side by side: the second fills the waiting times of the first.
constexpr int kBundle = 2;

const int kLanes = kBundle * Word16::kLanes;

void run(const LaneProgram& program, LaneSource& source) {
  run_lanes<Word16, Word32, kBundle, kBundle>(program, source);
}

}  // namespace chainshot::cpu::avx512ymm
