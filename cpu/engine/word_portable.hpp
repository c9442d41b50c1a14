// Words of 128 bits for any processor, through the vector types of g++ and clang++: SSE2 on x86-64, NEON on arm64.
#pragma once

#include "game/word.hpp"

namespace chainshot::cpu::portable {

template <class LaneType>
struct Word {
  using Lane = LaneType;
  using Signed = std::make_signed_t<Lane>;
  static constexpr int kLanes = 16 / sizeof(Lane);
  static constexpr int kRegisters = 16;
  typedef Lane Vector __attribute__((vector_size(16), may_alias));
  typedef Signed SignedVector __attribute__((vector_size(16), may_alias));
  Vector v;

  static CHAINSHOT_HD Word fill(Lane x) { return {Vector{} + x}; }
};
using Word16 = Word<std::uint16_t>;
using Word32 = Word<std::uint32_t>;

template <class L>
CHAINSHOT_HD Word<L> operator&(Word<L> a, Word<L> b) {
  return {a.v & b.v};
}
template <class L>
CHAINSHOT_HD Word<L> operator|(Word<L> a, Word<L> b) {
  return {a.v | b.v};
}
template <class L>
CHAINSHOT_HD Word<L> operator^(Word<L> a, Word<L> b) {
  return {a.v ^ b.v};
}
template <class L>
CHAINSHOT_HD Word<L> operator~(Word<L> a) {
  return {~a.v};
}
template <class L>
CHAINSHOT_HD Word<L> operator+(Word<L> a, Word<L> b) {
  return {a.v + b.v};
}
template <class L>
CHAINSHOT_HD Word<L> operator-(Word<L> a, Word<L> b) {
  return {a.v - b.v};
}
template <int N, class L>
CHAINSHOT_HD Word<L> shl(Word<L> a) {
  return {a.v << N};
}
template <int N, class L>
CHAINSHOT_HD Word<L> shr(Word<L> a) {
  return {a.v >> N};
}
template <class L>
CHAINSHOT_HD Word<L> sign(Word<L> a) {
  using Signed = typename Word<L>::SignedVector;
  return {reinterpret_cast<typename Word<L>::Vector>(reinterpret_cast<Signed>(a.v) >>
                                                     (8 * static_cast<int>(sizeof(L)) - 1))};
}
template <class L>
CHAINSHOT_HD Word<L> unsigned_min(Word<L> a, Word<L> b) {
  return {a.v < b.v ? a.v : b.v};
}
template <class L>
CHAINSHOT_HD Word<L> zero_mask(Word<L> a) {
  return {reinterpret_cast<typename Word<L>::Vector>(a.v == 0)};
}
template <class L>
CHAINSHOT_HD Word<L> multiply_low(Word<L> a, Word<L> b) {
  return {a.v * b.v};
}
CHAINSHOT_HD Word16 multiply_high(Word16 a, Word16 b) {
  Word16 out;
  for (int i = 0; i < Word16::kLanes; ++i)
    out.v[i] = static_cast<std::uint16_t>(std::uint32_t{a.v[i]} * b.v[i] >> 16);
  return out;
}
CHAINSHOT_HD Word32 multiply_high(Word32 a, Word32 b) {
  Word32 out;
  for (int i = 0; i < Word32::kLanes; ++i)
    out.v[i] = static_cast<std::uint32_t>(std::uint64_t{a.v[i]} * b.v[i] >> 32);
  return out;
}
template <class L>
CHAINSHOT_HD Word<L> popcount(Word<L> a) {
  constexpr L kOnes = static_cast<L>(~L{0});
  auto x = a.v - ((a.v >> 1) & static_cast<L>(kOnes / 3));
  x = (x & static_cast<L>(kOnes / 5)) + ((x >> 2) & static_cast<L>(kOnes / 5));
  x = (x + (x >> 4)) & static_cast<L>(kOnes / 17);
  x = x + (x >> 8);
  if constexpr (sizeof(L) == 4) x = x + (x >> 16);
  return {x & static_cast<L>(63)};
}
template <class L>
CHAINSHOT_HD std::uint32_t sign_bits(Word<L> a) {
  std::uint32_t bits = 0;
  for (int i = 0; i < Word<L>::kLanes; ++i)
    bits |= static_cast<std::uint32_t>(a.v[i] >> (8 * sizeof(L) - 1)) << i;
  return bits;
}

// Both halves of a 64-bit product.
struct WideProduct {
  Word32 high, low;
};
CHAINSHOT_HD WideProduct multiply_wide(Word32 a, Word32 b) {
  return {multiply_high(a, b), multiply_low(a, b)};
}
CHAINSHOT_HD Word32 gather(const std::uint32_t* table, Word32 index) {
  Word32 out;
  for (int i = 0; i < Word32::kLanes; ++i)
    out.v[i] = table[index.v[i]];
  return out;
}
CHAINSHOT_HD Word32 as_pairs(Word16 a) {
  return {reinterpret_cast<Word32::Vector>(a.v)};
}
CHAINSHOT_HD Word16 as_halves(Word32 a) {
  return {reinterpret_cast<Word16::Vector>(a.v)};
}

}  // namespace chainshot::cpu::portable
