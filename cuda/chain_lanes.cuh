// The four lanes that play a chain. Each holds two words of the board, so eight chains share a warp, and a lane can
// speak to the other three alone, or at the same time as all chains of the warp do.
#pragma once

#include "cuda/chain_arguments.hpp"
#include "cuda/chain_tuning.cuh"
#include "cuda/device_word.cuh"

namespace chainshot::cuda {

inline constexpr int kLaneWords = kChainWords / kChainLanes;
inline constexpr std::uint32_t kWholeWarp = ~0u;

// A lane's words of the board.
struct LaneWords {
  std::uint32_t word[kLaneWords];
};

struct ChainLanes {
  std::uint32_t lane;   // 0 to 3
  std::uint32_t first;  // lane of the warp
  std::uint32_t mask;   // the chain's lanes of the warp
  std::uint32_t word;   // the lane's first one

  __device__ __forceinline__ ChainLanes()
      : lane(threadIdx.x % kChainLanes),
        first(threadIdx.x % 32 / kChainLanes * kChainLanes),
        mask(((1u << kChainLanes) - 1) << first),
        word(lane * kLaneWords) {
    // These are kept, not made anew every turn.
    asm volatile("" : "+r"(lane), "+r"(word));
  }

  __device__ __forceinline__ bool is_first() const { return lane == 0; }
  // Lanes for which it is true. `of_warp` is for code that all chains of the warp run together.
  __device__ __forceinline__ std::uint32_t ballot(bool is_true) const {
    return __ballot_sync(mask, is_true) >> first & ((1u << kChainLanes) - 1);
  }
  __device__ __forceinline__ std::uint32_t ballot_of_warp(bool is_true) const {
    return __ballot_sync(kWholeWarp, is_true) >> first & ((1u << kChainLanes) - 1);
  }
  __device__ __forceinline__ bool any_of_warp(bool is_true) const {
    return (__ballot_sync(kWholeWarp, is_true) & mask) != 0;
  }
  __device__ __forceinline__ std::uint32_t from(std::uint32_t value, int of_lane) const {
    return __shfl_sync(mask, value, of_lane, kChainLanes);
  }
  __device__ __forceinline__ void sync() const { __syncwarp(mask); }

  __device__ __forceinline__ LaneWords load(const ChainPosition& position) const {
    const uint2 pair = position.of_lane[lane];
    return {pair.x, pair.y};
  }
  __device__ __forceinline__ void store(ChainPosition& position, const LaneWords& words) const {
    position.of_lane[lane] = make_uint2(words.word[0], words.word[1]);
  }

  // The lane's columns that hold a bit, as a set. The highest row is empty, so a sum tells whether a column is.
  __device__ __forceinline__ std::uint32_t own_columns_of(const LaneWords& bits) const {
    std::uint32_t columns = 0;
#pragma unroll
    for (int i = 0; i < kLaneWords; ++i)
      columns = logic<kA | (kB & kC)>(columns, (bits.word[i] + 0x7FFF7FFFu) >> (15 - i), 0x10001u << i);
    return columns << word;
  }
  __device__ __forceinline__ std::uint32_t sum(std::uint32_t value, std::uint32_t of_lanes) const {
#pragma unroll
    for (int d = 1; d < kChainLanes; d *= 2)
      value += __shfl_xor_sync(of_lanes, value, d);
    return value;
  }
  __device__ __forceinline__ std::uint32_t columns_of(const LaneWords& bits, std::uint32_t of_lanes) const {
    return sum(own_columns_of(bits), of_lanes);
  }
};

// Sets of columns and their packed form.
__device__ __forceinline__ std::uint32_t packed(std::uint32_t columns) {
  return __byte_perm(columns, 0, 0x4420);
}
__device__ __forceinline__ std::uint32_t unpacked_low(std::uint32_t record) {
  return __byte_perm(record, 0, 0x4140);
}
__device__ __forceinline__ std::uint32_t unpacked_high(std::uint32_t record) {
  return __byte_perm(record, 0, 0x4342);
}
// All cells of the columns of a set that stand in word j: the highest bits of two bytes are spread over two bytes each.
__device__ __forceinline__ std::uint32_t cells_of_columns(std::uint32_t columns, std::uint32_t j) {
  std::uint32_t cells;
  asm("prmt.b32 %0, %1, 0, 0xAA88;" : "=r"(cells) : "r"(columns << (7 - j)));
  return cells;
}
__device__ __forceinline__ std::uint32_t highest_bit(std::uint32_t x) {
  return 31 - __clz(static_cast<int>(x));
}

// The other lanes' neighbouring columns. The sixteenth column is empty, so what comes round from it does nothing.
__device__ __forceinline__ LaneWords columns_from_right(const LaneWords& x, const ChainLanes& lanes) {
  const std::uint32_t far = __shfl_sync(kWholeWarp, x.word[0], static_cast<int>(lanes.lane) + 1, kChainLanes);
  return {__funnelshift_r(x.word[0], x.word[1], 16), __funnelshift_r(x.word[1], far, 16)};
}
__device__ __forceinline__ LaneWords columns_from_left(const LaneWords& x, const ChainLanes& lanes) {
  const std::uint32_t far = __shfl_sync(kWholeWarp, x.word[1], static_cast<int>(lanes.lane) - 1, kChainLanes);
  return {__funnelshift_l(far, x.word[0], 16), __funnelshift_l(x.word[0], x.word[1], 16)};
}

}  // namespace chainshot::cuda
