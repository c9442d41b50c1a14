// The board of a chain in the registers of its four lanes. A position only says which blocks are alive; the board is
// made from it and the colours at the start of the game: blocks fall, then empty columns close. Cells of the fallen,
// closed board stand in other places than the blocks that lie there, and `blocks_at` leads back.
#pragma once

#include "cuda/chain_lanes.cuh"

namespace chainshot::cuda {

// Of each chain in a block: where columns move when empty ones close.
struct ChainScratch {
  struct OfChain {
    // Columns 0 to 15, a word for two planes and one for the third, and what lies beyond the last full column.
    alignas(16) uint2 closed[18];
    uint2 cells[kChainLanes];
  };
  OfChain chain[kChainsPerBlock];
  uint2 start[kChainPlanes][kChainLanes];
};

class ChainBoard {
 public:
  __device__ __forceinline__ ChainBoard(const ChainLanes& lanes, ChainScratch& scratch)
      : lanes_(lanes), start_(scratch.start), scratch_(scratch.chain[threadIdx.x / kChainLanes]) {
    left_[0] = (1u << lanes.word) - 1;
    left_[1] = (256u << lanes.word) - 1;
    asm volatile("" : "+r"(left_[0]), "+r"(left_[1]));
    if (lanes.is_first()) scratch_.closed[15] = make_uint2(0, 0);
  }

  // All of these are run by all chains of the warp together.
  __device__ __forceinline__ void settle(const LaneWords& alive) {
    fall(alive);
    close(alive);
  }

  // Columns that hold blocks, packed.
  __device__ __forceinline__ std::uint32_t columns() const { return columns_; }

  // Finds the cells that equal a neighbour. Of them, corners equal the one above or to the right, but not that below or
  // to the left.
  __device__ __forceinline__ void neighbours(LaneWords& found, bool only_corners) const;

  // Turns cells into the blocks that lie there.
  __device__ __forceinline__ void blocks_at(LaneWords& cells) const {
    scratch_.cells[lanes_.lane] = make_uint2(cells.word[0], cells.word[1]);
    __syncwarp();
    const auto* const columns = reinterpret_cast<const std::uint16_t*>(scratch_.cells);
#pragma unroll
    for (int i = 0; i < kLaneWords; ++i)
      cells.word[i] = raised(__byte_perm(columns[rank_[2 * i]], columns[rank_[2 * i + 1]], 0x5410), i);
    __syncwarp();
  }

  // Grows a set of cells of a colour over its groups.
  __device__ __forceinline__ void flood(LaneWords& group, std::uint32_t code) const;

 private:
  static constexpr std::uint32_t kNowhere = 16;  // a column of the scratch memory
  static constexpr int kSteps = 4;               // a block falls 1, 2, 4 or 8 rows at a time

  __device__ __forceinline__ void fall(const LaneWords& alive);
  __device__ __forceinline__ void close(const LaneWords& alive);

  // Undoes the fall.
  __device__ __forceinline__ std::uint32_t raised(std::uint32_t cells, int i) const {
#pragma unroll
    for (int s = kSteps - 1; s >= 0; --s)
      cells = logic<(kA & ~kC) | (kB & kC)>(cells, cells << (1 << s), fallen_[s].word[i]);
    return cells & alive_.word[i];
  }

  const ChainLanes lanes_;
  const uint2 (&start_)[kChainPlanes][kChainLanes];
  ChainScratch::OfChain& scratch_;
  std::uint32_t left_[2];  // columns to the left of the lane's first, and of the one eight further

  LaneWords alive_;
  LaneWords fallen_[kSteps];
  LaneWords plane_[kChainPlanes];
  std::uint32_t columns_;
  std::uint32_t rank_[2 * kLaneWords];  // of the lane's columns among those that hold blocks
};

// Compress of Hacker's Delight (Warren, section 7-4) in both halves of each word; the last step moves what is left of
// one bit at most, so it needs no parity. Cells that blocks have left keep their colours until the end.
__device__ __forceinline__ void ChainBoard::fall(const LaneWords& alive) {
  alive_ = alive;
#pragma unroll
  for (int p = 0; p < kChainPlanes; ++p)
    plane_[p] = {start_[p][lanes_.lane].x, start_[p][lanes_.lane].y};
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i) {
    std::uint32_t blocks = alive.word[i], holes = ~blocks << 1 & 0xFFFEFFFEu;
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      std::uint32_t odd;
      if (s + 1 < kSteps) {
        odd = logic<kA ^ (kB & kC)>(holes, holes << 1, 0xFFFEFFFEu);
        odd = logic<kA ^ (kB & kC)>(odd, odd << 2, 0xFFFCFFFCu);
        odd = logic<kA ^ (kB & kC)>(odd, odd << 4, 0xFFF0FFF0u);
        odd = logic<kA ^ (kB & kC)>(odd, odd << 8, 0xFF00FF00u);
        holes &= ~odd;
      } else {
        odd = ~((holes | 0x80008000u) - 0x00010001u);
      }
      const std::uint32_t falling = odd & blocks, fallen = falling >> (1 << s);
      fallen_[s].word[i] = falling;
#pragma unroll
      for (int p = 0; p < kChainPlanes; ++p) {
        std::uint32_t& x = plane_[p].word[i];
        x = logic<(kA & kC) | (kB & ~kC)>(x >> (1 << s), x, fallen);
      }
      blocks = logic<(kA ^ kB) | kC>(blocks, falling, fallen);
    }
#pragma unroll
    for (int p = 0; p < kChainPlanes; ++p)
      plane_[p].word[i] &= blocks;
  }
}

// Afterwards word j holds columns 2 j and 2 j + 1 of the closed board.
__device__ __forceinline__ void ChainBoard::close(const LaneWords& alive) {
  columns_ = packed(lanes_.columns_of(alive, kWholeWarp));
  const std::uint32_t here = columns_ >> lanes_.word;
  rank_[0] = __popc(columns_ & left_[0]);
  rank_[1] = __popc(columns_ & left_[1]);
  rank_[2] = rank_[0] + (here & 1);
  rank_[3] = rank_[1] + (here >> 8 & 1);
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i) {
    // Columns without blocks go where nobody looks.
    const std::uint32_t low = here >> i & 1 ? rank_[2 * i] : kNowhere;
    const std::uint32_t high = here >> i & 0x100 ? rank_[2 * i + 1] : kNowhere;
    scratch_.closed[low] = make_uint2(__byte_perm(plane_[0].word[i], plane_[1].word[i], 0x5410), plane_[2].word[i]);
    scratch_.closed[high] =
        make_uint2(__byte_perm(plane_[0].word[i], plane_[1].word[i], 0x7632), plane_[2].word[i] >> 16);
  }
  // Behind the first empty column old ones may stand: no group reaches them, and no column leads to them.
  if (lanes_.is_first()) scratch_.closed[__popc(columns_)] = make_uint2(0, 0);
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i) {
    const uint4 two = *reinterpret_cast<const uint4*>(&scratch_.closed[2 * (lanes_.word + i)]);
    plane_[0].word[i] = __byte_perm(two.x, two.z, 0x5410);
    plane_[1].word[i] = __byte_perm(two.x, two.z, 0x7632);
    plane_[2].word[i] = __byte_perm(two.y, two.w, 0x5410);
  }
}

__device__ __forceinline__ void ChainBoard::neighbours(LaneWords& found, bool only_corners) const {
  LaneWords other[kChainPlanes], above, right;
#pragma unroll
  for (int p = 0; p < kChainPlanes; ++p)
    other[p] = columns_from_right(plane_[p], lanes_);
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i) {
    const std::uint32_t x0 = plane_[0].word[i], x1 = plane_[1].word[i], x2 = plane_[2].word[i];
    const std::uint32_t occupied = logic<kA | kB | kC>(x0, x1, x2);
    std::uint32_t differ = logic<kC | (kA ^ kB)>(x1, other[1].word[i], x0 ^ other[0].word[i]);
    differ = logic<kC | (kA ^ kB)>(x2, other[2].word[i], differ);
    right.word[i] = occupied & ~differ;
    differ = logic<kC | (kA ^ kB)>(x1, x1 >> 1, x0 ^ x0 >> 1);
    differ = logic<kC | (kA ^ kB)>(x2, x2 >> 1, differ);
    above.word[i] = logic<kA & ~kB & kC>(occupied, differ, 0x7FFF7FFFu);
  }
  const LaneWords left = columns_from_left(right, lanes_);
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i) {
    const std::uint32_t below = above.word[i] << 1;
    const std::uint32_t corners = logic<(kA | kB) & ~kC>(above.word[i], right.word[i], below | left.word[i]);
    found.word[i] = only_corners ? corners : logic<kA | kB | kC>(above.word[i] | below, right.word[i], left.word[i]);
  }
}

// Every pass fills the columns upwards and downwards, by the carry of a sum, and then steps to both sides.
__device__ __forceinline__ void ChainBoard::flood(LaneWords& group, std::uint32_t code) const {
  LaneWords cells, mirrored;
  const std::uint32_t a = code & 1 ? 0 : ~0u, b = code & 2 ? 0 : ~0u, c = code & 4 ? 0 : ~0u;
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i) {
    const std::uint32_t of_two = logic<kA&(kB ^ kC)>(plane_[0].word[i] ^ a, plane_[1].word[i], b);
    cells.word[i] = logic<kA&(kB ^ kC)>(of_two, plane_[2].word[i], c);
    mirrored.word[i] = __brev(cells.word[i]);
  }
  while (true) {
#pragma unroll
    for (int i = 0; i < kLaneWords; ++i) {
      std::uint32_t x = group.word[i];
      x = logic<kA | (kB & ~kC)>(x, cells.word[i], cells.word[i] + x);
      x = __brev(x);
      x = logic<kA | (kB & ~kC)>(x, mirrored.word[i], mirrored.word[i] + x);
      group.word[i] = __brev(x);
    }
    LaneWords beside = columns_from_left(group, lanes_);
    const LaneWords right = columns_from_right(group, lanes_);
    std::uint32_t grown = 0;
#pragma unroll
    for (int i = 0; i < kLaneWords; ++i) {
      beside.word[i] = logic<(kA | kB) & kC>(beside.word[i], right.word[i], cells.word[i]);
      grown = logic<kA | (kB & ~kC)>(grown, beside.word[i], group.word[i]);
    }
    if (!__any_sync(kWholeWarp, grown != 0)) return;
#pragma unroll
    for (int i = 0; i < kLaneWords; ++i)
      group.word[i] |= beside.word[i];
  }
}

}  // namespace chainshot::cuda
