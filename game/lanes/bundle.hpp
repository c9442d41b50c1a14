// A Word made of N others; every operation works on all of them. In long chains of dependent operations (the flood, the
// pick) each part fills the waiting times of the others, which keeps the processor's ports busy.
#pragma once

#include "game/word.hpp"

namespace chainshot::lanes {

// Operations that a Word need not define itself.
using game::and_not;
using game::and_or;
using game::choose;
using game::or3;
using game::or_and;
using game::or_and_not;
using game::or_xor;
using game::popcount_parts;
using game::select;
using game::shift_above;
using game::sum_parts;

template <class W, int N>
struct Bundle {
  using Part = W;
  using Lane = typename W::Lane;
  static constexpr int kParts = N;
  static constexpr int kLanes = N * W::kLanes;
  W part[N];

  static CHAINSHOT_HD Bundle fill(Lane x) {
    Bundle out;
    for (int i = 0; i < N; ++i)
      out.part[i] = W::fill(x);
    return out;
  }
};

#define CHAINSHOT_BUNDLE(name, expression, ...) \
  template <class W, int N>                     \
  CHAINSHOT_HD Bundle<W, N> name(__VA_ARGS__) { \
    Bundle<W, N> out;                           \
    for (int i = 0; i < N; ++i)                 \
      out.part[i] = expression;                 \
    return out;                                 \
  }
#define CHAINSHOT_BUNDLE_UNARY(name) CHAINSHOT_BUNDLE(name, name(a.part[i]), Bundle<W, N> a)
#define CHAINSHOT_BUNDLE_BINARY(name) CHAINSHOT_BUNDLE(name, name(a.part[i], b.part[i]), Bundle<W, N> a, Bundle<W, N> b)
#define CHAINSHOT_BUNDLE_TERNARY(name) \
  CHAINSHOT_BUNDLE(name, name(a.part[i], b.part[i], c.part[i]), Bundle<W, N> a, Bundle<W, N> b, Bundle<W, N> c)

CHAINSHOT_BUNDLE(operator&, a.part[i] & b.part[i], Bundle<W, N> a, Bundle<W, N> b)
CHAINSHOT_BUNDLE(operator|, a.part[i] | b.part[i], Bundle<W, N> a, Bundle<W, N> b)
CHAINSHOT_BUNDLE(operator^, a.part[i] ^ b.part[i], Bundle<W, N> a, Bundle<W, N> b)
CHAINSHOT_BUNDLE(operator+, a.part[i] + b.part[i], Bundle<W, N> a, Bundle<W, N> b)
CHAINSHOT_BUNDLE(operator-, a.part[i] - b.part[i], Bundle<W, N> a, Bundle<W, N> b)
CHAINSHOT_BUNDLE(operator~, ~a.part[i], Bundle<W, N> a)
CHAINSHOT_BUNDLE_UNARY(popcount)
CHAINSHOT_BUNDLE_UNARY(popcount_parts)
CHAINSHOT_BUNDLE_UNARY(sum_parts)
CHAINSHOT_BUNDLE_UNARY(sign)
CHAINSHOT_BUNDLE_UNARY(zero_mask)
CHAINSHOT_BUNDLE_BINARY(unsigned_min)
CHAINSHOT_BUNDLE_BINARY(and_not)
CHAINSHOT_BUNDLE_BINARY(multiply_low)
CHAINSHOT_BUNDLE_BINARY(multiply_high)
CHAINSHOT_BUNDLE_TERNARY(select)
CHAINSHOT_BUNDLE_TERNARY(choose)
CHAINSHOT_BUNDLE_TERNARY(or3)
CHAINSHOT_BUNDLE_TERNARY(or_and)
CHAINSHOT_BUNDLE_TERNARY(or_xor)
CHAINSHOT_BUNDLE_TERNARY(or_and_not)

#undef CHAINSHOT_BUNDLE_TERNARY
#undef CHAINSHOT_BUNDLE_BINARY
#undef CHAINSHOT_BUNDLE_UNARY
#undef CHAINSHOT_BUNDLE

template <int Bits, class W, int N>
CHAINSHOT_HD Bundle<W, N> shl(Bundle<W, N> a) {
  Bundle<W, N> out;
  for (int i = 0; i < N; ++i)
    out.part[i] = shl<Bits>(a.part[i]);
  return out;
}
template <int Bits, class W, int N>
CHAINSHOT_HD Bundle<W, N> shr(Bundle<W, N> a) {
  Bundle<W, N> out;
  for (int i = 0; i < N; ++i)
    out.part[i] = shr<Bits>(a.part[i]);
  return out;
}
template <class W, int N>
CHAINSHOT_HD std::uint64_t sign_bits(Bundle<W, N> a) {
  std::uint64_t bits = 0;
  for (int i = 0; i < N; ++i)
    bits |= std::uint64_t{sign_bits(a.part[i])} << (i * W::kLanes);
  return bits;
}

}  // namespace chainshot::lanes
