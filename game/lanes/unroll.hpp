// Loops unrolled by compile-time indices: g++ keeps the rows of a board in registers and memory operands only if every
// index is a constant.
#pragma once

#include <utility>

#include "game/geometry.hpp"

#define CHAINSHOT_INLINE_LAMBDA __attribute__((always_inline))

// Stands before a loop that the compiler must not unroll.
#if defined(__CUDACC__)
#define CHAINSHOT_LOOP _Pragma("unroll 1")
#elif defined(__clang__)
#define CHAINSHOT_LOOP _Pragma("clang loop unroll(disable)")
#else
#define CHAINSHOT_LOOP _Pragma("GCC unroll 1")
#endif

namespace chainshot::lanes {

template <int N, class F>
CHAINSHOT_HD void unroll(F&& body) {
  [&]<int... I>(std::integer_sequence<int, I...>) CHAINSHOT_INLINE_LAMBDA {
    (body(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, N>{});
}

// Calls body(0) to body(count - 1), with Step calls unrolled per round of the loop. With Step == N, the highest count,
// there is no loop: all N calls are unrolled, and their indices are constants.
template <int N, int Step, class F>
CHAINSHOT_HD void for_each(int count, F&& body) {
  if constexpr (Step == N) {
    unroll<N>(body);
  } else {
    int i = 0;
    CHAINSHOT_LOOP
    for (; i + Step <= count; i += Step)
      unroll<Step>([&](auto j) CHAINSHOT_INLINE_LAMBDA { body(i + j); });
    CHAINSHOT_LOOP
    for (; Step > 1 && i < count; ++i)
      body(i);
  }
}

}  // namespace chainshot::lanes
