// Loops unrolled by compile-time indices: g++ keeps the rows of a board in registers and memory operands only if every
// index is a constant.
#pragma once

#include <utility>

#include "game/geometry.hpp"

#define CHAINSHOT_INLINE_LAMBDA __attribute__((always_inline))

namespace chainshot::cpu {

template <int N, class F>
CHAINSHOT_HD void unroll(F&& body) {
  [&]<int... I>(std::integer_sequence<int, I...>) CHAINSHOT_INLINE_LAMBDA {
    (body(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, N>{});
}

}  // namespace chainshot::cpu
