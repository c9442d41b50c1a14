// A game of the wide geometry: up to 31 columns, 32 rows and 15 colours, a row a word, four planes. Too large for
// registers, so it lives in the thread's local memory, and loops end at the highest row in use.
#pragma once

#include "cuda/device_word.cuh"
#include "cuda/playout_arguments.hpp"
#include "game/geometry.hpp"
#include "game/rules.hpp"

namespace chainshot::cuda {

class WideGame {
 public:
  static constexpr int kPlanes = 4;
  static constexpr int kBoardWords = kWideBoardWords;
  static constexpr int kBoardCells = 128;
  static constexpr int kCountBits = 16;

  // An empty board, on which nothing can be played.
  __device__ WideGame() : top_(0) {}

  __device__ void start(const std::uint32_t* board) {
    top_ = 0;
    for (int r = 0; r < kRows; ++r) {
      const uint4 row = __ldg(reinterpret_cast<const uint4*>(board) + r);
      rows_[r].cells = {{{row.x}, {row.y}, {row.z}, {row.w}}};
      rows_[r].flood = {0};
      if (game::occupied(rows_[r].cells).bits != 0) top_ = r + 1;
    }
    for (int r = kRows; r < kRows + 3; ++r) {
      rows_[r].cells = {};
      rows_[r].flood = {0};
    }
  }

  __device__ void store(std::uint32_t* board) const {
    for (int r = 0; r < kRows; ++r) {
      const auto& plane = rows_[r].cells.plane;
      reinterpret_cast<uint4*>(board)[r] = make_uint4(plane[0].bits, plane[1].bits, plane[2].bits, plane[3].bits);
    }
  }

  __device__ bool link() {
    Word below{~0u}, any_open{0};
    for (int r = 0; r < top_; ++r) {
      Row& row = rows_[r];
      const Word left = game::walls_on_left(row.cells);
      row.wall_above = game::walls(row.cells, rows_[r + 1].cells);
      row.wall_right = shr<1>(left);
      const Word found = game::candidates(left, row.wall_right, below, row.wall_above);
      row.open = found & or3(row.cells.plane[0], row.cells.plane[1], row.cells.plane[2]);
      row.reserved = found & row.cells.plane[3];
      any_open = any_open | row.open;
      below = row.wall_above;
    }
    return any_open.bits != 0;
  }

  __device__ void lift_taboo() {
    for (int r = 0; r < top_; ++r)
      rows_[r].open = rows_[r].open | rows_[r].reserved;
  }

  __device__ std::uint32_t codes_with_candidate(std::uint32_t) const {
    std::uint32_t codes = 0;
    for (int r = 0; r < top_; ++r) {
      const Row& row = rows_[r];
      for (std::uint32_t rest = (row.open | row.reserved).bits; rest != 0; rest &= rest - 1) {
        const int column = __ffs(static_cast<int>(rest)) - 1;
        std::uint32_t code = 0;
        for (int p = 0; p < kPlanes; ++p)
          code |= (row.cells.plane[p].bits >> column & 1u) << p;
        codes |= 1u << (code - 1);
      }
    }
    return codes;
  }

  __device__ void keep_code(std::uint32_t code) {
    Cells wanted;
    for (int p = 0; p < kPlanes; ++p)
      wanted.plane[p] = sign({code << (31 - p)});
    for (int r = 0; r < top_; ++r)
      rows_[r].open = and_not(rows_[r].open | rows_[r].reserved, game::walls(rows_[r].cells, wanted));
  }

  __device__ bool pick(std::uint32_t random, std::uint32_t floods) {
    if (floods == 0)
      for (int r = 0; r < top_; ++r)
        rows_[r].flood = {0};
    std::uint32_t total = 0;
    for (int r = 0; r < top_; ++r)
      total += popcount(rows_[r].open).bits;
    std::uint32_t k = __umulhi(random, total);
    for (picked_ = 0; picked_ < kRows; ++picked_) {
      const int r = game::row_in_draw_order(picked_);
      if (r >= top_) continue;
      const std::uint32_t here = popcount(rows_[r].open).bits;
      if (k < here) break;
      k -= here;
    }
    if (total == 0) return false;
    Row& row = rows_[game::row_in_draw_order(picked_)];
    std::uint32_t bits = row.open.bits;
    for (; k > 0; --k)
      bits &= bits - 1;
    cell_ = {bits & (0u - bits)};
    row.flood = row.flood | cell_;
    return true;
  }

  __device__ bool flood() {
    Word cells{0}, grown{0};
    for (int r = 0; r < top_; ++r) {
      Row& row = rows_[r];
      cells = r == 0 ? row.flood : or_and_not(row.flood, cells, rows_[r - 1].wall_above);
      cells = game::step_left(game::fill_right(cells, row.wall_right), row.wall_right);
      row.flood = cells;
    }
    cells = {0};
    for (int r = top_ - 1; r >= 0; --r) {
      Row& row = rows_[r];
      cells = game::step_left(or_and_not(row.flood, cells, row.wall_above), row.wall_right);
      grown = or_xor(grown, cells, row.flood);
      row.flood = cells;
    }
    return grown.bits == 0;
  }

  __device__ bool is_accepted() const {
    const int at = game::row_in_draw_order(picked_);
    std::uint32_t later = (rows_[at].flood & rows_[at].open).bits & (0u - (cell_.bits << 1));
    for (int i = picked_ + 1; i < kRows; ++i) {
      const int r = game::row_in_draw_order(i);
      if (r < top_) later |= (rows_[r].flood & rows_[r].open).bits;
    }
    return later == 0;
  }

  __device__ std::uint32_t group_size() const {
    std::uint32_t size = 0;
    for (int r = 0; r < top_; ++r)
      size += popcount(rows_[r].flood).bits;
    return size;
  }

  __device__ std::uint32_t settle() {
    fall<2>();
    fall<1>();
    Word holes{0};
    for (int r = 0; r < top_; ++r)
      holes = holes | rows_[r].flood;
    if (holes.bits != 0) return holes.bits;
    while (top_ > 0 && game::occupied(rows_[top_ - 1].cells).bits == 0)
      --top_;
    if (game::gaps(game::occupied(rows_[0].cells)).bits == 0) return 0;
    const Word before = game::columns_before_gap(game::occupied(rows_[0].cells));
    for (int r = 0; r < top_; ++r)
      for (int p = 0; p < kPlanes; ++p)
        rows_[r].cells.plane[p] = shift_above(rows_[r].cells.plane[p], before);
    return game::gaps(game::occupied(rows_[0].cells)).bits;
  }

 private:
  static constexpr int kRows = game::kMaxRows;
  using Cells = game::Cells<Word, kPlanes>;
  struct Row {
    Cells cells;
    Word flood;  // the group being found; in a game that settles, the holes
    Word wall_above, wall_right, open, reserved;
  };

  template <int N>
  __device__ void fall() {
    Word falls{0};
    for (int r = 0; r < top_; ++r) {
      Row& row = rows_[r];
      falls = N == 2 ? or_and(falls, row.flood, rows_[r + 1].flood) : falls | row.flood;
      row.cells = game::select(falls, rows_[r + N].cells, row.cells);
      row.flood = select(falls, rows_[r + N].flood, row.flood);
    }
  }

  Row rows_[kRows + 3];  // three empty rows on top, to fall from
  int top_;              // rows from here on are empty
  int picked_;           // the picked row, as the draw counts them
  Word cell_;
};

}  // namespace chainshot::cuda
