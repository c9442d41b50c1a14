#include "host/tree/core/top_move.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Both forms find the highest score first and then the move that has it: carrying the indices along would take more
// instructions. Both multiply, round and add, so that they agree to the bit.
namespace chainshot::host {
namespace {

constexpr std::size_t kMostLines = (game::kMaxCells / 2 + 1 + 7) / 8;  // VS-pruning adds an entry

// Four floats of one register on every processor; comparisons give masks.
using Floats = float __attribute__((vector_size(16)));
using Masks = std::int32_t __attribute__((vector_size(16)));
using Words = std::int64_t __attribute__((vector_size(16)));

inline __attribute__((always_inline)) Floats scores_of(const SelectionTerms& terms, std::size_t half,
                                                       float exploration) {
  Floats value, width;
  std::memcpy(&value, &terms.value[4 * half], sizeof value);
  std::memcpy(&width, &terms.width[4 * half], sizeof width);
  return value + exploration * width;
}

#if defined(__x86_64__)
// The highest of all lanes, in every lane: compares the two halves, then neighbouring lanes, then neighbouring pairs.
__attribute__((target("avx2"))) inline __m256 highest_lane(__m256 lanes) {
  lanes = _mm256_max_ps(lanes, _mm256_permute2f128_ps(lanes, lanes, 1));
  lanes = _mm256_max_ps(lanes, _mm256_permute_ps(lanes, 0b10'11'00'01));
  return _mm256_max_ps(lanes, _mm256_permute_ps(lanes, 0b01'00'11'10));
}

__attribute__((target("avx2"))) TopMove top_move_avx2(const SelectionTerms* lines, int count, float exploration) {
  alignas(32) float scores[8 * kMostLines];
  const __m256 factor = _mm256_set1_ps(exploration);
  __m256 highest = _mm256_set1_ps(kNever), second = highest;  // of each lane
  for (int o = 0; o < count; ++o) {
    const __m256 width = _mm256_load_ps(lines[o].width.data()), value = _mm256_load_ps(lines[o].value.data());
    const __m256 score = _mm256_add_ps(value, _mm256_mul_ps(factor, width));
    _mm256_store_ps(scores + 8 * o, score);
    second = _mm256_max_ps(second, _mm256_min_ps(highest, score));
    highest = _mm256_max_ps(highest, score);
  }
  const __m256 top = highest_lane(highest);
  if (_mm256_cvtss_f32(top) == kNever) return {-1, kNever};
  for (int o = 0;; ++o) {
    const __m256 is_top = _mm256_cmp_ps(_mm256_load_ps(scores + 8 * o), top, _CMP_EQ_OQ);
    const int mask = _mm256_movemask_ps(is_top);
    if (mask == 0) continue;
    const int lane = std::countr_zero(static_cast<unsigned>(mask));
    const __m256i is_lane = _mm256_cmpeq_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(lane));
    const __m256 others = _mm256_blendv_ps(highest, second, _mm256_castsi256_ps(is_lane));
    return {8 * o + lane, _mm256_cvtss_f32(highest_lane(others))};
  }
}

const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif

}  // namespace

TopMove top_move_anywhere(const SelectionTerms* lines, int count, float exploration) {
  Floats low = {kNever, kNever, kNever, kNever}, high = low, low_second = low, high_second = low;
  const auto take = [](Floats score, Floats& highest, Floats& second) {
    const Floats lower = score > highest ? highest : score;
    second = lower > second ? lower : second;
    highest = score > highest ? score : highest;
  };
  for (int o = 0; o < count; ++o) {
    take(scores_of(lines[o], 0, exploration), low, low_second);
    take(scores_of(lines[o], 1, exploration), high, high_second);
  }
  const auto highest_of = [](Floats a, Floats b) {
    const Floats both = a > b ? a : b;
    return std::max(std::max(both[0], both[1]), std::max(both[2], both[3]));
  };
  const float top = highest_of(low, high);
  if (top == kNever) return {-1, kNever};
  for (int o = 0;; ++o) {
    const Masks first = scores_of(lines[o], 0, exploration) == top, second = scores_of(lines[o], 1, exploration) == top;
    const Words any = reinterpret_cast<Words>(first | second);
    if ((any[0] | any[1]) == 0) continue;
    int lane = 0;
    while ((lane < 4 ? first[lane] : second[lane - 4]) == 0)
      ++lane;
    if (lane < 4)
      low[lane] = low_second[lane];
    else
      high[lane - 4] = high_second[lane - 4];
    return {8 * o + lane, highest_of(low, high)};
  }
}

TopMove top_move(const SelectionTerms* lines, int count, float exploration) {
#if defined(__x86_64__)
  if (kHasAvx2) return top_move_avx2(lines, count, exploration);
#endif
  return top_move_anywhere(lines, count, exploration);
}

}  // namespace chainshot::host
