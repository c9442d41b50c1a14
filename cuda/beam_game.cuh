// A board of a beam in the registers of one thread: up to 15 columns, 16 rows and 7 colours. A word holds two columns,
// the even one in its lower half, with row 0 in the lowest bit. So a cell's number, 16 * column + row, is its place in
// the eight words, as in cpu/beam/column_board.hpp, and hashes agree.
#pragma once

#include "cuda/beam_arguments.hpp"
#include "cuda/device_word.cuh"
#include "game/random.hpp"

namespace chainshot::cuda {

inline constexpr std::uint32_t kBottomRow = 0x00010001, kTopRow = 0x80008000;

struct Columns {
  std::uint32_t word[kBeamColumnWords];

  // These return the word that the column to the right, or to the left, has in the place of word j.
  __device__ __forceinline__ std::uint32_t right(int j) const {
    return __funnelshift_r(word[j], j + 1 < kBeamColumnWords ? word[j + 1] : 0, 16);
  }
  __device__ __forceinline__ std::uint32_t left(int j) const {
    return __funnelshift_l(j > 0 ? word[j - 1] : 0, word[j], 16);
  }
};

__device__ __forceinline__ int count(const Columns& cells) {
  int total = 0;
#pragma unroll
  for (int j = 0; j < kBeamColumnWords; ++j)
    total += __popc(cells.word[j]);
  return total;
}

// Equal neighbours: cells that equal the one above, and the one to the right.
struct BeamPairs {
  Columns above, right;

  __device__ __forceinline__ bool any() const {
    std::uint32_t all = 0;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j)
      all |= above.word[j] | right.word[j];
    return all != 0;
  }
};

// Cells of one colour: all planes agree with its code.
struct ColorCode {
  std::uint32_t inverted[kBeamPlanes];

  __device__ __forceinline__ explicit ColorCode(int color) {
#pragma unroll
    for (int p = 0; p < kBeamPlanes; ++p)
      inverted[p] = (color + 1) >> p & 1 ? 0 : ~0u;
  }
};

struct BeamBoard {
  Columns plane[kBeamPlanes];

  __device__ __forceinline__ void load(const std::uint32_t* board) {
    const uint4* quads = reinterpret_cast<const uint4*>(board);
#pragma unroll
    for (int i = 0; i < kBeamBoardWords / 4; ++i) {
      const uint4 quad = quads[i];
      Columns& columns = plane[i / 2];
      columns.word[i % 2 * 4] = quad.x;
      columns.word[i % 2 * 4 + 1] = quad.y;
      columns.word[i % 2 * 4 + 2] = quad.z;
      columns.word[i % 2 * 4 + 3] = quad.w;
    }
  }

  __device__ __forceinline__ void store(std::uint32_t* board) const {
    uint4* quads = reinterpret_cast<uint4*>(board);
#pragma unroll
    for (int i = 0; i < kBeamBoardWords / 4; ++i) {
      const Columns& columns = plane[i / 2];
      const int j = i % 2 * 4;
      quads[i] = make_uint4(columns.word[j], columns.word[j + 1], columns.word[j + 2], columns.word[j + 3]);
    }
  }

  __device__ __forceinline__ std::uint32_t occupied(int j) const {
    return logic<kA | kB | kC>(plane[0].word[j], plane[1].word[j], plane[2].word[j]);
  }
  template <int kColor>
  __device__ __forceinline__ std::uint32_t of_color(int j) const {
    constexpr int kCode = kColor + 1;
    constexpr int kMatch = (kCode & 1 ? kA : ~kA) & (kCode & 2 ? kB : ~kB) & (kCode & 4 ? kC : ~kC);
    return logic<kMatch>(plane[0].word[j], plane[1].word[j], plane[2].word[j]);
  }
  __device__ __forceinline__ std::uint32_t of_color(int j, const ColorCode& code) const {
    return (plane[0].word[j] ^ code.inverted[0]) & (plane[1].word[j] ^ code.inverted[1]) &
           (plane[2].word[j] ^ code.inverted[2]);
  }

  // Bits that carry into the other column by a shift, at the highest or lowest row, are masked away.
  __device__ __forceinline__ BeamPairs pairs() const {
    BeamPairs pairs;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j) {
      std::uint32_t above = 0, right = 0;
#pragma unroll
      for (int p = 0; p < kBeamPlanes; ++p) {
        above = logic<kA | (kB ^ kC)>(above, plane[p].word[j], plane[p].word[j] >> 1);
        right = logic<kA | (kB ^ kC)>(right, plane[p].word[j], plane[p].right(j));
      }
      pairs.above.word[j] = logic<kA & ~kB & ~kC>(occupied(j), above, kTopRow);
      pairs.right.word[j] = occupied(j) & ~right;
    }
    return pairs;
  }

  // Cells that equal the one above (or below) and to the right.
  __device__ __forceinline__ std::uint32_t equal_right_above(int j) const {
    std::uint32_t differ = 0;
#pragma unroll
    for (int p = 0; p < kBeamPlanes; ++p)
      differ = logic<kA | (kB ^ kC)>(differ, plane[p].word[j], plane[p].right(j) >> 1);
    return logic<kA & ~kB & ~kC>(occupied(j), differ, kTopRow);
  }
  __device__ __forceinline__ std::uint32_t equal_right_below(int j) const {
    std::uint32_t differ = 0;
#pragma unroll
    for (int p = 0; p < kBeamPlanes; ++p)
      differ = logic<kA | (kB ^ kC)>(differ, plane[p].word[j], plane[p].right(j) << 1);
    return logic<kA & ~kB & ~kC>(occupied(j), differ, kBottomRow);
  }

  // Removes cells; blocks above them fall. The lowest cell of each column goes first.
  __device__ __forceinline__ void drop(const Columns& group) {
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j) {
      std::uint32_t cells = group.word[j];
      while (cells != 0) {
        // Each half less one; the highest bit keeps a borrow from the other half, and is inverted again.
        const std::uint32_t less_one = (cells | kTopRow) - kBottomRow;
        const std::uint32_t below = logic<(kA ^ kC) & ~kB>(less_one, cells, kTopRow), above = ~(below | kTopRow);
#pragma unroll
        for (int p = 0; p < kBeamPlanes; ++p)
          plane[p].word[j] = logic<kA | (kB & kC)>(plane[p].word[j] & below, plane[p].word[j] >> 1, above);
        cells = (cells & less_one) >> 1 & ~kTopRow;
      }
    }
  }

  // The columns that hold blocks: bit j for column 2 * j, and bit 16 + j for the one to its right. The board must have
  // no holes.
  __device__ __forceinline__ std::uint32_t columns() const {
    std::uint32_t filled = 0;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j)
      filled |= (occupied(j) & kBottomRow) << j;
    return filled;
  }

  // Moves columns to the left over empty ones.
  __device__ __forceinline__ void close() {
    std::uint32_t filled = columns();
    const auto first_columns = [](int n) { return ((1u << (n + 1) / 2) - 1) | (((1u << n / 2) - 1) << 16); };
    const std::uint32_t wanted = first_columns(__popc(filled));
    while (filled != wanted) {
      const std::uint32_t gaps = ~filled & wanted, even = __ffs(gaps & 0xFFFF), odd = __ffs(gaps >> 16);
      const bool is_even = even != 0 && (odd == 0 || even <= odd);
      const int first = static_cast<int>(is_even ? even : odd) - 1;
#pragma unroll
      for (int j = 0; j < kBeamColumnWords; ++j) {
        const std::uint32_t kept = j < first ? ~0u : j == first && !is_even ? 0xFFFFu : 0u;
#pragma unroll
        for (int p = 0; p < kBeamPlanes; ++p)
          plane[p].word[j] = logic<(kA & kC) | (kB & ~kC)>(plane[p].word[j], plane[p].right(j), kept);
      }
      filled = columns();
    }
  }

  __device__ __forceinline__ std::uint64_t hash() const {
    std::uint64_t total = 0;
#pragma unroll
    for (int p = 0; p < kBeamPlanes; ++p) {
#pragma unroll
      for (int i = 0; i < kBeamColumnWords / 2; ++i) {
        const std::uint64_t word = std::uint64_t{plane[p].word[2 * i + 1]} << 32 | plane[p].word[2 * i];
        total += game::mix64(word + game::kBeamHashStep * (p * kBeamColumnWords / 2 + i + 1));
      }
    }
    return game::mix64(total);
  }
};

// The group around a cell.
__device__ __forceinline__ Columns flood(int cell, const BeamPairs& pairs) {
  Columns group;
#pragma unroll
  for (int j = 0; j < kBeamColumnWords; ++j)
    group.word[j] = j == cell / 32 ? 1u << cell % 32 : 0;
  std::uint32_t changed;
  do {
    changed = 0;
    Columns grown, to_right;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j) {
      // An addition carries up through a run of equal cells; one step down is enough for most groups.
      const std::uint32_t cells = group.word[j], above = pairs.above.word[j];
      const std::uint32_t risen = logic<kA | (kB ^ kC)>(cells, (cells & above) + above, above);
      grown.word[j] = logic<kA | (kB & kC)>(risen, risen >> 1, above);
      to_right.word[j] = grown.word[j] & pairs.right.word[j];
    }
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j) {
      const std::uint32_t from_right = logic<kA | (kB & kC)>(grown.word[j], grown.right(j), pairs.right.word[j]);
      const std::uint32_t cells = from_right | to_right.left(j);
      changed = logic<kA | (kB ^ kC)>(changed, cells, group.word[j]);
      group.word[j] = cells;
    }
  } while (changed != 0);
  return group;
}

}  // namespace chainshot::cuda
