// A board as bits of a few 64-bit words, for searches that visit millions of positions: planes of colour codes (0 is
// empty), and in each plane the columns one after the other, each with a pad bit on top that stays 0. No column crosses
// a word, so a step up or down never leaves its column. Boards are always settled, as game::Position is.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "game/position.hpp"

namespace chainshot::host {

template <int Words>
using PackedCells = std::array<std::uint64_t, Words>;

template <int Words>
bool has_any(const PackedCells<Words>& cells) {
  std::uint64_t any = 0;
  for (const std::uint64_t word : cells)
    any |= word;
  return any != 0;
}

template <int Words, int Planes>
struct PackedBoard {
  std::array<PackedCells<Words>, Planes> plane{};

  bool operator==(const PackedBoard&) const = default;
  bool is_empty() const { return bottom_left() == 0; }  // a settled board without that block has none

 private:
  std::uint64_t bottom_left() const {
    std::uint64_t any = 0;
    for (const auto& words : plane)
      any |= words[0] & 1u;
    return any;
  }
};

// Where cells lie in the words of boards of one size.
struct PackedLayout {
  int columns;
  int stride;    // bits of a column
  int per_word;  // columns of a word

  PackedLayout(int columns_of_board, int rows)
      : columns(columns_of_board), stride(rows + 1), per_word(64 / (rows + 1)) {}
  int words() const { return (columns + per_word - 1) / per_word; }
  int word_of(int column) const { return column / per_word; }
  int bit_of(int column) const { return column % per_word * stride; }
  game::Cell cell_of(int word, int bit) const {
    return {static_cast<std::uint8_t>(word * per_word + bit / stride), static_cast<std::uint8_t>(bit % stride)};
  }
};

// The rules of the game on packed boards of one size.
template <int Words, int Planes>
class PackedRules {
 public:
  using Board = PackedBoard<Words, Planes>;
  using CellBits = PackedCells<Words>;

  PackedRules(int columns, int rows)
      : layout_(columns, rows),
        column_((std::uint64_t{1} << layout_.stride) - 1),
        last_column_(layout_.stride * (layout_.per_word - 1)),
        used_(column_ << last_column_ | ((std::uint64_t{1} << last_column_) - 1)) {}

  const PackedLayout& layout() const { return layout_; }

  Board pack(const game::Position& position) const {
    Board board;
    for (int c = 0; c < position.columns(); ++c) {
      for (int r = 0; r < position.rows(); ++r) {
        const int code = position.color_at(c, r) + 1;
        for (int p = 0; p < Planes; ++p)
          board.plane[p][layout_.word_of(c)] |= static_cast<std::uint64_t>(code >> p & 1) << (layout_.bit_of(c) + r);
      }
    }
    return board;
  }

  static CellBits cells_of_color(const Board& board, int color) {
    CellBits cells;
    for (int w = 0; w < Words; ++w) {
      cells[w] = ~std::uint64_t{0};
      for (int p = 0; p < Planes; ++p)
        cells[w] &= (color + 1) >> p & 1 ? board.plane[p][w] : ~board.plane[p][w];
    }
    return cells;
  }

  // The cells of a set that have a neighbour in it.
  CellBits with_neighbor(const CellBits& cells) const {
    const CellBits left = from_left(cells), right = from_right(cells);
    CellBits out;
    for (int w = 0; w < Words; ++w)
      out[w] = cells[w] & (cells[w] << 1 | cells[w] >> 1 | left[w] | right[w]);
    return out;
  }

  // The connected part of `color` that holds the cells of `seed`.
  CellBits flood(CellBits seed, const CellBits& color) const {
    for (bool grew = true; grew;) {
      const CellBits left = from_left(seed), right = from_right(seed);
      grew = false;
      for (int w = 0; w < Words; ++w) {
        const std::uint64_t next = (seed[w] | seed[w] << 1 | seed[w] >> 1 | left[w] | right[w]) & color[w];
        grew |= next != seed[w];
        seed[w] = next;
      }
    }
    return seed;
  }

  // Removes a set of blocks, and settles.
  void remove(Board& board, const CellBits& cells) const {
    bool emptied = false;
    for (int w = 0; w < Words; ++w) {
      for (std::uint64_t rest = cells[w]; rest != 0;) {
        const int first = std::countr_zero(rest) / layout_.stride * layout_.stride;
        emptied |= drop(board, w, first, rest & column_ << first);
        rest &= ~(column_ << first);
      }
    }
    if (emptied) close(board);
  }

 private:
  // Cells whose left (right) neighbour is in the set.
  CellBits from_left(const CellBits& cells) const {
    CellBits out;
    out[0] = (cells[0] << layout_.stride) & used_;
    for (int w = 1; w < Words; ++w)
      out[w] = ((cells[w] << layout_.stride) & used_) | cells[w - 1] >> last_column_;
    return out;
  }
  CellBits from_right(const CellBits& cells) const {
    CellBits out;
    for (int w = 0; w + 1 < Words; ++w)
      out[w] = cells[w] >> layout_.stride | (cells[w + 1] & column_) << last_column_;
    out[Words - 1] = cells[Words - 1] >> layout_.stride;
    return out;
  }

  // Takes cells out of the column that starts at bit `first` of word w, run by run from the top, so that a run is still
  // where it was. Returns true if the column is empty then.
  bool drop(Board& board, int w, int first, std::uint64_t holes) const {
    while (holes != 0) {
      const int top = 63 - std::countl_zero(holes);
      const std::uint64_t up_to_top = ~std::uint64_t{0} >> (63 - top);
      const std::uint64_t kept_below = ~holes & up_to_top & (column_ << first);
      const int low = kept_below == 0 ? first : 64 - std::countl_zero(kept_below);
      const std::uint64_t moved = (column_ << first) & (~std::uint64_t{0} << low);
      for (auto& words : board.plane)
        words[w] = (words[w] & ~moved) | ((words[w] & moved) >> (top - low + 1) & moved);
      holes &= ~moved;
    }
    std::uint64_t bottom = 0;
    for (const auto& words : board.plane)
      bottom |= words[w] >> first & 1u;
    return bottom == 0;
  }

  void close(Board& board) const {
    Board closed;
    int next = 0;
    for (int c = 0; c < layout_.columns; ++c) {
      const int w = layout_.word_of(c), bit = layout_.bit_of(c);
      const int to_word = layout_.word_of(next), to_bit = layout_.bit_of(next);
      std::uint64_t bottom = 0;
      for (int p = 0; p < Planes; ++p) {
        const std::uint64_t column = board.plane[p][w] >> bit & column_;
        closed.plane[p][to_word] |= column << to_bit;
        bottom |= column & 1u;
      }
      if (bottom != 0) ++next;
    }
    board = closed;
  }

  PackedLayout layout_;
  std::uint64_t column_;  // the bits of the first column
  int last_column_;       // the first bit of the last column of a word
  std::uint64_t used_;    // the bits of all columns of a word
};

}  // namespace chainshot::host
