// What the end of a game earns on the device, from the blocks left of each colour code: four bytes in each of two
// words.
#pragma once

#include "cuda/chain_arguments.hpp"
#include "cuda/device_word.cuh"
#include "cuda/dot_bytes.cuh"

namespace chainshot::cuda {

struct LeftBlocks {
  int blocks;
  int squares;  // of the counts, added up
  int colors;   // of which some are left
  int singles;  // colours of which one is left
  uint2 counts;

  __device__ __forceinline__ explicit LeftBlocks(uint2 of_colors) : counts(of_colors) {
    constexpr std::uint32_t kOnes = 0x01010101u;
    blocks = static_cast<int>(dot_bytes(counts.x, kOnes, dot_bytes(counts.y, kOnes, 0u)));
    squares = static_cast<int>(dot_bytes(counts.x, counts.x, dot_bytes(counts.y, counts.y, 0u)));
    colors = nonzero_bytes(counts.x) + nonzero_bytes(counts.y);
    singles = 2 * static_cast<int>(sizeof counts.x) - nonzero_bytes(counts.x ^ kOnes) - nonzero_bytes(counts.y ^ kOnes);
  }

  // What a game that ends here adds to its points to make its fitness.
  __device__ __forceinline__ int end(const ChainPoints& points, const ChainTable& table) const {
    const int of_colors =
        points.by_table ? sum_of(table.left_of_color) : points.per_color * (squares - 4 * blocks + 4 * colors);
    return table.end[blocks] - of_colors;
  }
  // The most that groups can still earn. By the formula every colour goes in one, but for single blocks.
  __device__ __forceinline__ int most(const ChainPoints& points, const ChainTable& table) const {
    if (points.by_table) return sum_of(table.most_of_color);
    return points.square * (squares - singles) + points.linear * (blocks - singles) +
           points.constant * (colors - singles);
  }

 private:
  // Over the colours.
  __device__ __forceinline__ int sum_of(const std::int32_t (&by_blocks)[kChainLeft]) const {
    int sum = 0;
#pragma unroll 1
    for (int shift = 0; shift < 32; shift += 8)
      sum += by_blocks[counts.x >> shift & 255] + by_blocks[counts.y >> shift & 255];
    return sum;
  }
  static __device__ __forceinline__ int nonzero_bytes(std::uint32_t x) {
    return __popc(logic<(kA | kB) & kC>((x & 0x7F7F7F7Fu) + 0x7F7F7F7Fu, x, 0x80808080u));
  }
};

}  // namespace chainshot::cuda
