// Words of 512 bits, for AVX-512 (F, BW, VL, DQ, BITALG, VPOPCNTDQ): 32 lanes of 16 bits or 16 lanes of 32 bits.
#pragma once

#include <immintrin.h>

#include "game/word.hpp"

namespace chainshot::cpu::avx512zmm {

template <class LaneType>
struct Word {
  using Lane = LaneType;
  static constexpr int kLanes = 64 / sizeof(Lane);
  static constexpr int kRegisters = 32;
  __m512i v;

  static CHAINSHOT_HD Word fill(Lane x) {
    if constexpr (sizeof(Lane) == 2) {
      return {_mm512_set1_epi16(static_cast<short>(x))};
    } else {
      return {_mm512_set1_epi32(static_cast<int>(x))};
    }
  }
  template <int Table>
  static CHAINSHOT_HD Word ternary(Word a, Word b, Word c) {
    return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, Table & 0xFF)};
  }
};
using Word16 = Word<std::uint16_t>;
using Word32 = Word<std::uint32_t>;

template <class L>
CHAINSHOT_HD Word<L> operator&(Word<L> a, Word<L> b) {
  return {_mm512_and_si512(a.v, b.v)};
}
template <class L>
CHAINSHOT_HD Word<L> operator|(Word<L> a, Word<L> b) {
  return {_mm512_or_si512(a.v, b.v)};
}
template <class L>
CHAINSHOT_HD Word<L> operator^(Word<L> a, Word<L> b) {
  return {_mm512_xor_si512(a.v, b.v)};
}

CHAINSHOT_HD Word16 operator+(Word16 a, Word16 b) {
  return {_mm512_add_epi16(a.v, b.v)};
}
CHAINSHOT_HD Word32 operator+(Word32 a, Word32 b) {
  return {_mm512_add_epi32(a.v, b.v)};
}
CHAINSHOT_HD Word16 operator-(Word16 a, Word16 b) {
  return {_mm512_sub_epi16(a.v, b.v)};
}
CHAINSHOT_HD Word32 operator-(Word32 a, Word32 b) {
  return {_mm512_sub_epi32(a.v, b.v)};
}
// More ports can double than can shift.
template <int N>
CHAINSHOT_HD Word16 shl(Word16 a) {
  if constexpr (N == 1) return a + a;
  return {_mm512_slli_epi16(a.v, N)};
}
template <int N>
CHAINSHOT_HD Word32 shl(Word32 a) {
  if constexpr (N == 1) return a + a;
  return {_mm512_slli_epi32(a.v, N)};
}
template <int N>
CHAINSHOT_HD Word16 shr(Word16 a) {
  return {_mm512_srli_epi16(a.v, N)};
}
template <int N>
CHAINSHOT_HD Word32 shr(Word32 a) {
  return {_mm512_srli_epi32(a.v, N)};
}
CHAINSHOT_HD Word16 popcount(Word16 a) {
  return {_mm512_popcnt_epi16(a.v)};
}
CHAINSHOT_HD Word32 popcount(Word32 a) {
  return {_mm512_popcnt_epi32(a.v)};
}
CHAINSHOT_HD Word16 unsigned_min(Word16 a, Word16 b) {
  return {_mm512_min_epu16(a.v, b.v)};
}
CHAINSHOT_HD Word32 unsigned_min(Word32 a, Word32 b) {
  return {_mm512_min_epu32(a.v, b.v)};
}
CHAINSHOT_HD Word16 sign(Word16 a) {
  return {_mm512_srai_epi16(a.v, 15)};
}
CHAINSHOT_HD Word32 sign(Word32 a) {
  return {_mm512_srai_epi32(a.v, 31)};
}
CHAINSHOT_HD Word16 multiply_low(Word16 a, Word16 b) {
  return {_mm512_mullo_epi16(a.v, b.v)};
}
CHAINSHOT_HD Word32 multiply_low(Word32 a, Word32 b) {
  return {_mm512_mullo_epi32(a.v, b.v)};
}
CHAINSHOT_HD Word16 multiply_high(Word16 a, Word16 b) {
  return {_mm512_mulhi_epu16(a.v, b.v)};
}
CHAINSHOT_HD Word16 zero_mask(Word16 a) {
  return {_mm512_movm_epi16(_mm512_testn_epi16_mask(a.v, a.v))};
}
CHAINSHOT_HD Word32 zero_mask(Word32 a) {
  return {_mm512_movm_epi32(_mm512_testn_epi32_mask(a.v, a.v))};
}
// A bit per lane: its highest bit.
CHAINSHOT_HD std::uint32_t sign_bits(Word16 a) {
  return _mm512_movepi16_mask(a.v);
}
CHAINSHOT_HD std::uint32_t sign_bits(Word32 a) {
  return _mm512_movepi32_mask(a.v);
}

template <class L>
CHAINSHOT_HD Word<L> operator~(Word<L> a) {
  return Word<L>::template ternary<~game::kA>(a, a, a);
}
template <class L>
CHAINSHOT_HD Word<L> and_not(Word<L> a, Word<L> b) {
  return {_mm512_andnot_si512(b.v, a.v)};
}

// Both halves of a 64-bit product.
struct WideProduct {
  Word32 high, low;
};
CHAINSHOT_HD WideProduct multiply_wide(Word32 a, Word32 b) {
  const __m512i even = _mm512_mul_epu32(a.v, b.v);
  // Shuffles, because shifts would all queue at one port.
  const __m512i odd =
      _mm512_mul_epu32(_mm512_shuffle_epi32(a.v, _MM_PERM_DDBB), _mm512_shuffle_epi32(b.v, _MM_PERM_DDBB));
  return {{_mm512_mask_shuffle_epi32(odd, 0x5555, even, _MM_PERM_DDBB)},
          {_mm512_mask_shuffle_epi32(even, 0xAAAA, odd, _MM_PERM_CCAA)}};
}
CHAINSHOT_HD Word32 multiply_high(Word32 a, Word32 b) {
  return multiply_wide(a, b).high;
}
CHAINSHOT_HD Word32 gather(const std::uint32_t* table, Word32 index) {
  return {_mm512_i32gather_epi32(index.v, table, 4)};
}
CHAINSHOT_HD Word32 as_pairs(Word16 a) {
  return {a.v};
}
CHAINSHOT_HD Word16 as_halves(Word32 a) {
  return {a.v};
}

}  // namespace chainshot::cpu::avx512zmm
