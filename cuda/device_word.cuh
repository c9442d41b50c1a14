// The Word of a CUDA thread: a lane of 32 bits. On the host the same Word works without the device's instructions.
#pragma once

#include <bit>
#include <cstdint>

#include "game/word.hpp"

namespace chainshot::cuda {

struct Word {
  using Lane = std::uint32_t;
  static constexpr int kLanes = 1;
  static constexpr int kRegisters = 255;
  std::uint32_t bits;

  static CHAINSHOT_HD Word fill(std::uint32_t x) { return {x}; }

  template <int Table>
  static CHAINSHOT_HD Word ternary(Word a, Word b, Word c) {
    std::uint32_t out = 0;
#if defined(__CUDA_ARCH__)
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(out) : "r"(a.bits), "r"(b.bits), "r"(c.bits), "n"(Table & 0xFF));
#else
    for (int inputs = 0; inputs < 8; ++inputs) {
      if ((Table >> inputs & 1) == 0) continue;
      out |= (inputs & 4 ? a.bits : ~a.bits) & (inputs & 2 ? b.bits : ~b.bits) & (inputs & 1 ? c.bits : ~c.bits);
    }
#endif
    return {out};
  }
};

using game::and3;
using game::and_or;
using game::kA;
using game::kB;
using game::kC;
using game::or3;
using game::or_and;
using game::or_and_not;
using game::or_xor;
using game::select;
using game::shift_above;

// Three-input logic by its table, of kA, kB and kC.
template <int Table>
CHAINSHOT_HD std::uint32_t logic(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return Word::ternary<Table>({a}, {b}, {c}).bits;
}

// Three-input logic whose third input is a constant in the instruction.
template <int Table, std::uint32_t C>
CHAINSHOT_HD Word logic_with(Word a, Word b) {
#if defined(__CUDA_ARCH__)
  std::uint32_t out;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(out) : "r"(a.bits), "r"(b.bits), "n"(C), "n"(Table & 0xFF));
  return {out};
#else
  return Word::ternary<Table>(a, b, {C});
#endif
}

CHAINSHOT_HD Word operator&(Word a, Word b) {
  return {a.bits & b.bits};
}
CHAINSHOT_HD Word operator|(Word a, Word b) {
  return {a.bits | b.bits};
}
CHAINSHOT_HD Word operator^(Word a, Word b) {
  return {a.bits ^ b.bits};
}
CHAINSHOT_HD Word operator~(Word a) {
  return {~a.bits};
}
CHAINSHOT_HD Word operator+(Word a, Word b) {
  return {a.bits + b.bits};
}
CHAINSHOT_HD Word operator-(Word a, Word b) {
  return {a.bits - b.bits};
}
template <int N>
CHAINSHOT_HD Word shl(Word a) {
  return {a.bits << N};
}
template <int N>
CHAINSHOT_HD Word shr(Word a) {
  return {a.bits >> N};
}
CHAINSHOT_HD Word popcount(Word a) {
  return {static_cast<std::uint32_t>(std::popcount(a.bits))};
}
CHAINSHOT_HD Word popcount_parts(Word a) {
  return popcount(a);
}
CHAINSHOT_HD Word sum_parts(Word a) {
  return a;
}
CHAINSHOT_HD Word unsigned_min(Word a, Word b) {
  return {a.bits < b.bits ? a.bits : b.bits};
}
CHAINSHOT_HD Word multiply_high(Word a, Word b) {
  return {static_cast<std::uint32_t>(std::uint64_t{a.bits} * b.bits >> 32)};
}
CHAINSHOT_HD Word sign(Word a) {
  return {static_cast<std::uint32_t>(static_cast<std::int32_t>(a.bits) >> 31)};
}
CHAINSHOT_HD Word zero_mask(Word a) {
  return {a.bits == 0 ? ~0u : 0u};
}

CHAINSHOT_HD Word xor3(Word a, Word b, Word c) {
  return Word::ternary<kA ^ kB ^ kC>(a, b, c);
}
CHAINSHOT_HD Word and_not(Word a, Word b) {
  return Word::ternary<kA & ~kB>(a, b, b);
}

}  // namespace chainshot::cuda
