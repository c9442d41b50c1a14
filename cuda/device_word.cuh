// The Word of a CUDA thread: a lane of 32 bits. Three-input logic is one instruction (lop3); its table is written with
// kA, kB, kC standing for the three inputs.
#pragma once

#include <cstdint>

#include "game/word.hpp"

namespace chainshot::cuda {

struct Word {
  using Lane = std::uint32_t;
  static constexpr int kLanes = 1;
  std::uint32_t bits;

  static __device__ __forceinline__ Word fill(std::uint32_t x) { return {x}; }
};

inline constexpr int kA = 0xF0, kB = 0xCC, kC = 0xAA;
template <int Table>
__device__ __forceinline__ Word logic(Word a, Word b, Word c) {
  std::uint32_t out;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(out) : "r"(a.bits), "r"(b.bits), "r"(c.bits), "n"(Table & 0xFF));
  return {out};
}

// The third input is a constant of the instruction.
template <int Table, std::uint32_t C>
__device__ __forceinline__ Word logic_with(Word a, Word b) {
  std::uint32_t out;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(out) : "r"(a.bits), "r"(b.bits), "n"(C), "n"(Table & 0xFF));
  return {out};
}

__device__ __forceinline__ Word operator&(Word a, Word b) {
  return {a.bits & b.bits};
}
__device__ __forceinline__ Word operator|(Word a, Word b) {
  return {a.bits | b.bits};
}
__device__ __forceinline__ Word operator^(Word a, Word b) {
  return {a.bits ^ b.bits};
}
__device__ __forceinline__ Word operator~(Word a) {
  return {~a.bits};
}
__device__ __forceinline__ Word operator+(Word a, Word b) {
  return {a.bits + b.bits};
}
__device__ __forceinline__ Word operator-(Word a, Word b) {
  return {a.bits - b.bits};
}
template <int N>
__device__ __forceinline__ Word shl(Word a) {
  return {a.bits << N};
}
template <int N>
__device__ __forceinline__ Word shr(Word a) {
  return {a.bits >> N};
}
__device__ __forceinline__ Word popcount(Word a) {
  return {static_cast<std::uint32_t>(__popc(a.bits))};
}
__device__ __forceinline__ Word popcount_parts(Word a) {
  return popcount(a);
}
__device__ __forceinline__ Word sum_parts(Word a) {
  return a;
}
__device__ __forceinline__ Word unsigned_min(Word a, Word b) {
  return {min(a.bits, b.bits)};
}
__device__ __forceinline__ Word multiply_high(Word a, Word b) {
  return {__umulhi(a.bits, b.bits)};
}
__device__ __forceinline__ Word sign(Word a) {
  return {static_cast<std::uint32_t>(static_cast<std::int32_t>(a.bits) >> 31)};
}
__device__ __forceinline__ Word zero_mask(Word a) {
  return {a.bits == 0 ? ~0u : 0u};
}

__device__ __forceinline__ Word select(Word a, Word b, Word c) {
  return logic<(kA & kB) | (~kA & kC)>(a, b, c);
}
__device__ __forceinline__ Word select_not(Word a, Word b, Word c) {
  return logic<(kA & ~kB) | (~kA & kC)>(a, b, c);
}
__device__ __forceinline__ Word or3(Word a, Word b, Word c) {
  return logic<kA | kB | kC>(a, b, c);
}
__device__ __forceinline__ Word or_and(Word a, Word b, Word c) {
  return logic<kA | (kB & kC)>(a, b, c);
}
__device__ __forceinline__ Word or_and_not(Word a, Word b, Word c) {
  return logic<kA | (kB & ~kC)>(a, b, c);
}
__device__ __forceinline__ Word or_xor(Word a, Word b, Word c) {
  return logic<kA | (kB ^ kC)>(a, b, c);
}
__device__ __forceinline__ Word and_or(Word a, Word b, Word c) {
  return logic<kA&(kB | kC)>(a, b, c);
}
__device__ __forceinline__ Word and3(Word a, Word b, Word c) {
  return logic<kA & kB & kC>(a, b, c);
}
__device__ __forceinline__ Word xor3(Word a, Word b, Word c) {
  return logic<kA ^ kB ^ kC>(a, b, c);
}
__device__ __forceinline__ Word and_not(Word a, Word b) {
  return logic<kA & ~kB>(a, b, b);
}
__device__ __forceinline__ Word shift_above(Word a, Word low) {
  return select(low, a, shr<1>(a));
}

}  // namespace chainshot::cuda
