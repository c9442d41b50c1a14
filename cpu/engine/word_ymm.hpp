// Words of 256 bits: 16 lanes of 16 bits or 8 lanes of 32 bits. For AVX2; and where CHAINSHOT_AVX512 is defined for
// AVX-512 (F, BW, VL, DQ, BITALG, VPOPCNTDQ), which has more registers, three-input logic and a count of bits for words
// of this size too.
#pragma once

#include <immintrin.h>

#include "game/word.hpp"

#if defined(CHAINSHOT_AVX512)
#define CHAINSHOT_YMM avx512ymm
#else
#define CHAINSHOT_YMM avx2
#endif

namespace chainshot::cpu::CHAINSHOT_YMM {

template <class LaneType>
struct Word {
  using Lane = LaneType;
  static constexpr int kLanes = 32 / sizeof(Lane);
#if defined(CHAINSHOT_AVX512)
  static constexpr int kRegisters = 32;
  template <int Table>
  static CHAINSHOT_HD Word ternary(Word a, Word b, Word c) {
    return {_mm256_ternarylogic_epi64(a.v, b.v, c.v, Table & 0xFF)};
  }
#else
  static constexpr int kRegisters = 16;
#endif
  __m256i v;

  static CHAINSHOT_HD Word fill(Lane x) {
    if constexpr (sizeof(Lane) == 2) {
      return {_mm256_set1_epi16(static_cast<short>(x))};
    } else {
      return {_mm256_set1_epi32(static_cast<int>(x))};
    }
  }
};
using Word16 = Word<std::uint16_t>;
using Word32 = Word<std::uint32_t>;

template <class L>
CHAINSHOT_HD Word<L> operator&(Word<L> a, Word<L> b) {
  return {_mm256_and_si256(a.v, b.v)};
}
template <class L>
CHAINSHOT_HD Word<L> operator|(Word<L> a, Word<L> b) {
  return {_mm256_or_si256(a.v, b.v)};
}
template <class L>
CHAINSHOT_HD Word<L> operator^(Word<L> a, Word<L> b) {
  return {_mm256_xor_si256(a.v, b.v)};
}
template <class L>
CHAINSHOT_HD Word<L> operator~(Word<L> a) {
  return {_mm256_xor_si256(a.v, _mm256_set1_epi32(-1))};
}
template <class L>
CHAINSHOT_HD Word<L> and_not(Word<L> a, Word<L> b) {
  return {_mm256_andnot_si256(b.v, a.v)};
}

CHAINSHOT_HD Word16 operator+(Word16 a, Word16 b) {
  return {_mm256_add_epi16(a.v, b.v)};
}
CHAINSHOT_HD Word32 operator+(Word32 a, Word32 b) {
  return {_mm256_add_epi32(a.v, b.v)};
}
CHAINSHOT_HD Word16 operator-(Word16 a, Word16 b) {
  return {_mm256_sub_epi16(a.v, b.v)};
}
CHAINSHOT_HD Word32 operator-(Word32 a, Word32 b) {
  return {_mm256_sub_epi32(a.v, b.v)};
}
// More ports can double than can shift.
template <int N>
CHAINSHOT_HD Word16 shl(Word16 a) {
  if constexpr (N == 1) return a + a;
  return {_mm256_slli_epi16(a.v, N)};
}
template <int N>
CHAINSHOT_HD Word32 shl(Word32 a) {
  if constexpr (N == 1) return a + a;
  return {_mm256_slli_epi32(a.v, N)};
}
template <int N>
CHAINSHOT_HD Word16 shr(Word16 a) {
  return {_mm256_srli_epi16(a.v, N)};
}
template <int N>
CHAINSHOT_HD Word32 shr(Word32 a) {
  return {_mm256_srli_epi32(a.v, N)};
}
CHAINSHOT_HD Word16 unsigned_min(Word16 a, Word16 b) {
  return {_mm256_min_epu16(a.v, b.v)};
}
CHAINSHOT_HD Word32 unsigned_min(Word32 a, Word32 b) {
  return {_mm256_min_epu32(a.v, b.v)};
}
CHAINSHOT_HD Word16 sign(Word16 a) {
  return {_mm256_srai_epi16(a.v, 15)};
}
CHAINSHOT_HD Word32 sign(Word32 a) {
  return {_mm256_srai_epi32(a.v, 31)};
}
CHAINSHOT_HD Word16 multiply_low(Word16 a, Word16 b) {
  return {_mm256_mullo_epi16(a.v, b.v)};
}
CHAINSHOT_HD Word32 multiply_low(Word32 a, Word32 b) {
  return {_mm256_mullo_epi32(a.v, b.v)};
}
CHAINSHOT_HD Word16 multiply_high(Word16 a, Word16 b) {
  return {_mm256_mulhi_epu16(a.v, b.v)};
}
CHAINSHOT_HD Word16 zero_mask(Word16 a) {
  return {_mm256_cmpeq_epi16(a.v, _mm256_setzero_si256())};
}
CHAINSHOT_HD Word32 zero_mask(Word32 a) {
  return {_mm256_cmpeq_epi32(a.v, _mm256_setzero_si256())};
}

#if defined(CHAINSHOT_AVX512)
CHAINSHOT_HD Word16 popcount(Word16 a) {
  return {_mm256_popcnt_epi16(a.v)};
}
CHAINSHOT_HD Word32 popcount(Word32 a) {
  return {_mm256_popcnt_epi32(a.v)};
}
// A bit per lane: its highest bit.
CHAINSHOT_HD std::uint32_t sign_bits(Word16 a) {
  return _mm256_movepi16_mask(a.v);
}
CHAINSHOT_HD std::uint32_t sign_bits(Word32 a) {
  return _mm256_movepi32_mask(a.v);
}
#else
// Lanes of `a` where the mask is set, those of `b` elsewhere.
template <class L>
CHAINSHOT_HD Word<L> choose(Word<L> mask, Word<L> a, Word<L> b) {
  return {_mm256_blendv_epi8(b.v, a.v, mask.v)};
}
// The mean of `a` and its low bits: the low bits stay, and the rest is halved. The mean rounds up, but the sum is even,
// because the lowest of the bits that move is clear. It does not overflow, because bit 15 is the pad column.
CHAINSHOT_HD Word16 shift_above(Word16 a, Word16 low) {
  return {_mm256_avg_epu16(a.v, _mm256_and_si256(a.v, low.v))};
}

// Bits of every byte, by a table of nibbles.
CHAINSHOT_HD __m256i popcount_bytes(__m256i a) {
  const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(a, nibble));
  const __m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(a, 4), nibble));
  return _mm256_add_epi8(low, high);
}
template <class L>
CHAINSHOT_HD Word<L> popcount_parts(Word<L> a) {
  return {popcount_bytes(a.v)};
}
CHAINSHOT_HD Word16 sum_parts(Word16 bytes) {
  return {_mm256_maddubs_epi16(bytes.v, _mm256_set1_epi8(1))};
}
CHAINSHOT_HD Word32 sum_parts(Word32 bytes) {
  return {_mm256_madd_epi16(_mm256_maddubs_epi16(bytes.v, _mm256_set1_epi8(1)), _mm256_set1_epi16(1))};
}
template <class L>
CHAINSHOT_HD Word<L> popcount(Word<L> a) {
  return sum_parts(popcount_parts(a));
}

// A bit per lane: its highest bit.
CHAINSHOT_HD std::uint32_t sign_bits(Word16 a) {
  const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(a.v), _mm256_extracti128_si256(a.v, 1));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
}
CHAINSHOT_HD std::uint32_t sign_bits(Word32 a) {
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(a.v)));
}
#endif

// Both halves of a 64-bit product.
struct WideProduct {
  Word32 high, low;
};
CHAINSHOT_HD WideProduct multiply_wide(Word32 a, Word32 b) {
  const __m256i even = _mm256_mul_epu32(a.v, b.v);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a.v, 32), _mm256_srli_epi64(b.v, 32));
  return {{_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA)},
          {_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA)}};
}
CHAINSHOT_HD Word32 multiply_high(Word32 a, Word32 b) {
  return multiply_wide(a, b).high;
}
CHAINSHOT_HD Word32 gather(const std::uint32_t* table, Word32 index) {
  return {_mm256_i32gather_epi32(reinterpret_cast<const int*>(table), index.v, 4)};
}
CHAINSHOT_HD Word32 as_pairs(Word16 a) {
  return {a.v};
}
CHAINSHOT_HD Word16 as_halves(Word32 a) {
  return {a.v};
}

}  // namespace chainshot::cpu::CHAINSHOT_YMM
