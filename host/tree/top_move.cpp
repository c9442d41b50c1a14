#include "host/tree/top_move.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// First the highest score, then who has it: to carry the slots along would take more instructions. Both forms multiply,
// round and add, so that they agree to the bit.
namespace chainshot::host {
namespace {

constexpr std::size_t kMostOctets = (game::kMaxCells / 2 + 1 + 7) / 8;  // a slot more than moves, with VS-pruning

// Four floats of one register on every processor; comparisons give masks.
using Floats = float __attribute__((vector_size(16)));
using Masks = std::int32_t __attribute__((vector_size(16)));
using Words = std::int64_t __attribute__((vector_size(16)));

inline __attribute__((always_inline)) Floats scores_of(const Octet& octet, std::size_t half, float exploration) {
  Floats value, width;
  std::memcpy(&value, &octet.value[4 * half], sizeof value);
  std::memcpy(&width, &octet.width[4 * half], sizeof width);
  return value + exploration * width;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) int top_move_avx2(const Octet* octets, int count, float exploration) {
  alignas(32) float scores[8 * kMostOctets];
  const __m256 factor = _mm256_set1_ps(exploration);
  __m256 highest = _mm256_set1_ps(kNever);
  for (int o = 0; o < count; ++o) {
    const __m256 width = _mm256_load_ps(octets[o].width.data()), value = _mm256_load_ps(octets[o].value.data());
    const __m256 score = _mm256_add_ps(value, _mm256_mul_ps(factor, width));
    _mm256_store_ps(scores + 8 * o, score);
    highest = _mm256_max_ps(highest, score);
  }
  // Of the two halves, then of each other lane, then of each other pair: the highest of all in every lane.
  highest = _mm256_max_ps(highest, _mm256_permute2f128_ps(highest, highest, 1));
  highest = _mm256_max_ps(highest, _mm256_permute_ps(highest, 0b10'11'00'01));
  highest = _mm256_max_ps(highest, _mm256_permute_ps(highest, 0b01'00'11'10));
  if (_mm256_cvtss_f32(highest) == kNever) return -1;
  for (int o = 0;; ++o) {
    const __m256 is_top = _mm256_cmp_ps(_mm256_load_ps(scores + 8 * o), highest, _CMP_EQ_OQ);
    if (const int mask = _mm256_movemask_ps(is_top); mask != 0)
      return 8 * o + std::countr_zero(static_cast<unsigned>(mask));
  }
}

const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif

}  // namespace

int top_move_anywhere(const Octet* octets, int count, float exploration) {
  Floats low = {kNever, kNever, kNever, kNever}, high = low;
  for (int o = 0; o < count; ++o) {
    const Floats first = scores_of(octets[o], 0, exploration), second = scores_of(octets[o], 1, exploration);
    low = first > low ? first : low;
    high = second > high ? second : high;
  }
  high = low > high ? low : high;
  const float top = std::max(std::max(high[0], high[1]), std::max(high[2], high[3]));
  if (top == kNever) return -1;
  for (int o = 0;; ++o) {
    const Masks first = scores_of(octets[o], 0, exploration) == top,
                second = scores_of(octets[o], 1, exploration) == top;
    const Words any = reinterpret_cast<Words>(first | second);
    if ((any[0] | any[1]) == 0) continue;
    for (int i = 0;; ++i)
      if ((i < 4 ? first[i] : second[i - 4]) != 0) return 8 * o + i;
  }
}

int top_move(const Octet* octets, int count, float exploration) {
#if defined(__x86_64__)
  if (kHasAvx2) return top_move_avx2(octets, count, exploration);
#endif
  return top_move_anywhere(octets, count, exploration);
}

}  // namespace chainshot::host
