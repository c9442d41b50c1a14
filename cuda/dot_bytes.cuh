// The dot product of four bytes with four, as __dp4a, which devices have from compute capability 6.1.
#pragma once

#include <cstdint>

#include "game/geometry.hpp"

namespace chainshot::cuda {

constexpr std::uint32_t dot_bytes_one_by_one(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  for (int shift = 0; shift < 32; shift += 8)
    sum += (a >> shift & 0xFF) * (b >> shift & 0xFF);
  return sum;
}
static_assert(dot_bytes_one_by_one(0x01020304u, 0x05060708u, 9) == 1 * 5 + 2 * 6 + 3 * 7 + 4 * 8 + 9);
static_assert(dot_bytes_one_by_one(0xFF0000FFu, 0xFF0000FFu, 0) == 2 * 255 * 255);

CHAINSHOT_HD std::uint32_t dot_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
  return __dp4a(a, b, sum);
#else
  return dot_bytes_one_by_one(a, b, sum);
#endif
}

}  // namespace chainshot::cuda
