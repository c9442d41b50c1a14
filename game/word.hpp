// A Word is the type the rules are written over: it holds one row of one plane for each of its lanes, and a lane plays
// a game. Words offer
//   a & b, a | b, a ^ b, ~a, a + b, a - b     lane by lane, modulo the lane's width
//   shl<n>(a), shr<n>(a)                      logical shifts by a constant
//   popcount(a), unsigned_min(a, b)
//   sign(a)                                   all ones in lanes whose highest bit is set, else zero
// and, where the processor has an instruction for it (vpternlog, lop3), any three-input logic as
//   Word::ternary<Table>(a, b, c)             bit 4 a + 2 b + c of the table is the result for these bits of the inputs
// A mask is a Word whose lanes are all ones or zero. ScalarWord has one lane, which a debugger can follow.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "game/geometry.hpp"

namespace chainshot::game {

template <class Row>
struct ScalarWord {
  using Lane = Row;
  static constexpr int kLanes = 1;
  Row bits;

  static CHAINSHOT_HD ScalarWord fill(Row value) { return {value}; }
};

using Scalar16 = ScalarWord<std::uint16_t>;
using Scalar32 = ScalarWord<std::uint32_t>;

template <class R>
CHAINSHOT_HD ScalarWord<R> operator&(ScalarWord<R> a, ScalarWord<R> b) {
  return {static_cast<R>(a.bits & b.bits)};
}
template <class R>
CHAINSHOT_HD ScalarWord<R> operator|(ScalarWord<R> a, ScalarWord<R> b) {
  return {static_cast<R>(a.bits | b.bits)};
}
template <class R>
CHAINSHOT_HD ScalarWord<R> operator^(ScalarWord<R> a, ScalarWord<R> b) {
  return {static_cast<R>(a.bits ^ b.bits)};
}
template <class R>
CHAINSHOT_HD ScalarWord<R> operator~(ScalarWord<R> a) {
  return {static_cast<R>(~a.bits)};
}
template <class R>
CHAINSHOT_HD ScalarWord<R> operator+(ScalarWord<R> a, ScalarWord<R> b) {
  return {static_cast<R>(a.bits + b.bits)};
}
template <class R>
CHAINSHOT_HD ScalarWord<R> operator-(ScalarWord<R> a, ScalarWord<R> b) {
  return {static_cast<R>(a.bits - b.bits)};
}
template <int N, class R>
CHAINSHOT_HD ScalarWord<R> shl(ScalarWord<R> a) {
  return {static_cast<R>(a.bits << N)};
}
template <int N, class R>
CHAINSHOT_HD ScalarWord<R> shr(ScalarWord<R> a) {
  return {static_cast<R>(a.bits >> N)};
}
template <class R>
CHAINSHOT_HD ScalarWord<R> popcount(ScalarWord<R> a) {
  return {static_cast<R>(std::popcount(a.bits))};
}
template <class R>
CHAINSHOT_HD ScalarWord<R> unsigned_min(ScalarWord<R> a, ScalarWord<R> b) {
  return a.bits < b.bits ? a : b;
}
template <class R>
CHAINSHOT_HD ScalarWord<R> sign(ScalarWord<R> a) {
  using Signed = std::make_signed_t<R>;
  return {static_cast<R>(static_cast<Signed>(a.bits) >> (8 * sizeof(R) - 1))};
}

// Counts bits in two steps, for words that count parts of lanes faster than lanes. Results of popcount_parts may be
// added up while no byte of a lane exceeds 255, that is over 31 rows of any bits; sum_parts turns them into a number
// per lane.
template <class W>
CHAINSHOT_HD W popcount_parts(W a) {
  return popcount(a);
}
template <class W>
CHAINSHOT_HD W sum_parts(W parts) {
  return parts;
}

template <class W>
concept HasTernary = requires(W w) {
  W::template ternary<0>(w, w, w);
};
// The inputs of ternary, to write a table with: (kA & kB) | kC.
inline constexpr int kA = 0xF0, kB = 0xCC, kC = 0xAA;

// Three-input logic, in the order of its arguments.
template <class W>
CHAINSHOT_HD W select(W mask, W when_set, W when_clear) {
  if constexpr (HasTernary<W>) {
    return W::template ternary<(kA & kB) | (~kA & kC)>(mask, when_set, when_clear);
  } else {
    return (mask & when_set) | (~mask & when_clear);
  }
}
// The same for masks; some processors are faster with them.
template <class W>
CHAINSHOT_HD W choose(W mask, W when_set, W when_clear) {
  return select(mask, when_set, when_clear);
}
template <class W>
CHAINSHOT_HD W select_not(W mask, W not_when_set, W when_clear) {
  if constexpr (HasTernary<W>) {
    return W::template ternary<(kA & ~kB) | (~kA & kC)>(mask, not_when_set, when_clear);
  } else {
    return select(mask, ~not_when_set, when_clear);
  }
}
template <class W>
CHAINSHOT_HD W or3(W a, W b, W c) {
  if constexpr (HasTernary<W>) {
    return W::template ternary<kA | kB | kC>(a, b, c);
  } else {
    return a | b | c;
  }
}
template <class W>
CHAINSHOT_HD W or_and(W a, W b, W c) {
  if constexpr (HasTernary<W>) {
    return W::template ternary<kA | (kB & kC)>(a, b, c);
  } else {
    return a | (b & c);
  }
}
template <class W>
CHAINSHOT_HD W or_xor(W a, W b, W c) {
  if constexpr (HasTernary<W>) {
    return W::template ternary<kA | (kB ^ kC)>(a, b, c);
  } else {
    return a | (b ^ c);
  }
}
template <class W>
CHAINSHOT_HD W or_and_not(W a, W b, W c) {
  if constexpr (HasTernary<W>) {
    return W::template ternary<kA | (kB & ~kC)>(a, b, c);
  } else {
    return a | (b & ~c);
  }
}
template <class W>
CHAINSHOT_HD W and_or(W a, W b, W c) {
  if constexpr (HasTernary<W>) {
    return W::template ternary<kA&(kB | kC)>(a, b, c);
  } else {
    return a & (b | c);
  }
}
template <class W>
CHAINSHOT_HD W and3(W a, W b, W c) {
  if constexpr (HasTernary<W>) {
    return W::template ternary<kA & kB & kC>(a, b, c);
  } else {
    return a & b & c;
  }
}
template <class W>
CHAINSHOT_HD W and_not(W a, W b) {
  return a & ~b;
}
// Keeps the bits of `low` and moves those above down by one; the lowest of these is clear.
template <class W>
CHAINSHOT_HD W shift_above(W a, W low) {
  if constexpr (HasTernary<W>) {
    return select(low, a, shr<1>(a));
  } else {
    return a - shr<1>(and_not(a, low));
  }
}

}  // namespace chainshot::game
