// A board whose blocks keep their names. A block is named by the column and row where it stood at the start; it never
// leaves that column. A column is a word, bit 0 its lowest cell; `alive` has a bit for every row of the start, and the
// planes hold the settled colours. An emptied column stays as a gap that neighbours look across. So nothing ever moves
// sideways, and columns that a move does not touch keep their words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "game/chain.hpp"
#include "game/geometry.hpp"
#include "game/position.hpp"

// Each instruction set compiles this file into a namespace of its own, so that the linker cannot mix them up.
#if defined(__AVX512VL__)
#define CHAINSHOT_BLOCKS blocks_avx512
#elif defined(__AVX2__)
#define CHAINSHOT_BLOCKS blocks_avx2
#else
#define CHAINSHOT_BLOCKS blocks_portable
#endif

namespace chainshot::cpu {

using game::BlockId;

inline namespace CHAINSHOT_BLOCKS {

template <class Column>
inline Column bits_below(int row) {
  return static_cast<Column>((Column{1} << row) - 1);
}

// Moves the bits of `from` under `mask` together at the low end; scatter_bits is the inverse.
inline std::uint32_t gather_bits(std::uint32_t from, std::uint32_t mask) {
#if defined(__BMI2__)
  return _pext_u32(from, mask);
#else
  std::uint32_t out = 0;
  for (std::uint32_t at = 1; mask != 0; mask &= mask - 1, at <<= 1)
    if ((from & mask & (0u - mask)) != 0) out |= at;
  return out;
#endif
}

inline std::uint32_t scatter_bits(std::uint32_t from, std::uint32_t mask) {
#if defined(__BMI2__)
  return _pdep_u32(from, mask);
#else
  std::uint32_t out = 0;
  for (; mask != 0; mask &= mask - 1, from >>= 1)
    if ((from & 1) != 0) out |= mask & (0u - mask);
  return out;
#endif
}

template <class Geometry>
struct BlockColumns {
  static constexpr bool kSmall = std::is_same_v<Geometry, game::SmallGeometry>;
  static constexpr int kColumns = kSmall ? 16 : 32;
  static constexpr int kPlanes = Geometry::kPlanes;
  using Column = std::conditional_t<kSmall, std::uint16_t, std::uint32_t>;  // a bit per row
  using ColumnSet = std::uint32_t;                                          // a bit per column
  using Cells = std::array<Column, kColumns>;

  // Where cells are searched, the i-th column to look at. A word of a device holds columns j and j + 8 of a small
  // board, and its words are in this order.
  static constexpr int column_in_order(int i) { return kSmall ? i >> 1 | (i & 1) << 3 : i; }
  // The places of a set of columns in that order.
  static std::uint32_t places_in_order(ColumnSet columns) {
    return kSmall ? scatter_bits(columns & 0xFF, 0x5555) | scatter_bits(columns >> 8, 0xAAAA) : columns;
  }
};

template <class Geometry>
struct alignas(32) BlockBoard : BlockColumns<Geometry> {
  using Base = BlockColumns<Geometry>;
  using Base::kColumns;
  using Base::kPlanes;
  using typename Base::Cells;
  using typename Base::Column;
  using typename Base::ColumnSet;

  std::array<Cells, kPlanes> plane{};
  Cells alive{};
  ColumnSet columns = 0;  // that hold a block

  BlockBoard() = default;
  explicit BlockBoard(const game::Position& position) {
    for (int c = 0; c < position.columns(); ++c)
      for (int r = 0; r < position.rows(); ++r) {
        const int code = position.color_at(c, r) + 1;
        if (code == 0) continue;
        for (int p = 0; p < kPlanes; ++p)
          plane[p][c] = static_cast<Column>(plane[p][c] | static_cast<std::uint32_t>(code >> p & 1) << r);
        alive[c] = static_cast<Column>(alive[c] | 1u << r);
        columns |= 1u << c;
      }
  }

  bool holds(BlockId b) const { return (alive[b.column] >> b.row & 1) != 0; }
  int row_of(BlockId b) const {
    return std::popcount(static_cast<Column>(alive[b.column] & bits_below<Column>(b.row)));
  }
  // Where a block is now, as the rules count columns: gaps are closed.
  game::Cell cell_of(BlockId b) const {
    return {static_cast<std::uint8_t>(std::popcount(columns & bits_below<ColumnSet>(b.column))),
            static_cast<std::uint8_t>(row_of(b))};
  }
  // The name of the block at a row of a column, gaps counted.
  BlockId block_at(int column, int row) const {
    const std::uint32_t bit = scatter_bits(1u << row, alive[column]);
    return {static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(std::countr_zero(bit))};
  }
  int code_at(int column, int row) const {
    int code = 0;
    for (int p = 0; p < kPlanes; ++p)
      code |= (plane[p][column] >> row & 1) << p;
    return code;
  }
  // All columns from the nearest non-empty one left of `set` to the nearest non-empty one right of it. A group in `set`
  // and its neighbours depend on these columns alone.
  ColumnSet reach_of(ColumnSet set) const {
    const int low = std::countr_zero(set), high = 31 - std::countl_zero(set);
    const ColumnSet left = columns & bits_below<ColumnSet>(low);
    const ColumnSet right = high == 31 ? 0 : columns & ~bits_below<ColumnSet>(high + 1);
    const int from = left == 0 ? 0 : 31 - std::countl_zero(left);
    const int to = right == 0 ? 31 : std::countr_zero(right);
    return (to == 31 ? ~0u : bits_below<ColumnSet>(to + 1)) & ~bits_below<ColumnSet>(from);
  }

  // The cells of a colour, by its code, in one column.
  Column cells_of_code(int column, int code) const {
    auto cells = static_cast<Column>(~0u);
    for (int p = 0; p < kPlanes; ++p)
      cells &= static_cast<Column>(code >> p & 1 ? plane[p][column] : ~plane[p][column]);
    return cells;
  }

  // The blocks of a column that stay when cells are taken out of it.
  Column rest_of(int column, Column cells) const {
    return static_cast<Column>(alive[column] & ~scatter_bits(cells, alive[column]));
  }
};

// `after` is `before` with other blocks left in some columns; the blocks above the others fall. `rest_of` tells what is
// left of a column, and `start` is the board at the start.
template <class Geometry, class RestOf>
inline void set_columns(BlockBoard<Geometry>& after, const BlockBoard<Geometry>& before, std::uint32_t columns,
                        const BlockBoard<Geometry>& start, const RestOf& rest_of) {
  using Column = typename BlockBoard<Geometry>::Column;
  after = before;
  for (; columns != 0; columns &= columns - 1) {
    const int c = std::countr_zero(columns);
    const Column rest = rest_of(c);
    after.alive[c] = rest;
    for (int p = 0; p < Geometry::kPlanes; ++p)
      after.plane[p][c] = static_cast<Column>(gather_bits(start.plane[p][c], rest));
    if (rest == 0) after.columns &= ~(1u << c);
  }
}

// `after` is `before` without a group that has cells in the columns `touched`.
template <class Geometry>
inline void take_out(BlockBoard<Geometry>& after, const BlockBoard<Geometry>& before,
                     const typename BlockBoard<Geometry>::Cells& group, std::uint32_t touched,
                     const BlockBoard<Geometry>& start) {
  set_columns(after, before, touched, start, [&](int c) { return before.rest_of(c, group[c]); });
}

// `after` is `before` without the blocks of some columns that another line takes between two positions.
template <class Geometry>
inline void take_blocks(BlockBoard<Geometry>& after, const BlockBoard<Geometry>& before, std::uint32_t columns,
                        const BlockBoard<Geometry>& from, const BlockBoard<Geometry>& to,
                        const BlockBoard<Geometry>& start) {
  set_columns(after, before, columns, start, [&](int c) {
    return static_cast<typename BlockBoard<Geometry>::Column>(before.alive[c] & ~(from.alive[c] & ~to.alive[c]));
  });
}

// Empty columns between columns that hold blocks.
template <class Geometry>
inline std::uint32_t inner_gaps(const BlockBoard<Geometry>& board) {
  const std::uint32_t columns = board.columns;
  if (((columns + (columns & (0u - columns))) & columns) == 0) return 0;
  const int high = 31 - std::countl_zero(columns);
  return ~columns & bits_below<std::uint32_t>(high) & ~((columns & (0u - columns)) - 1);
}

// The cells of one colour, by its code.
template <class Geometry>
inline auto cells_of(const BlockBoard<Geometry>& board, int code) {
  using Board = BlockBoard<Geometry>;
  typename Board::Cells cells;
  for (int c = 0; c < Board::kColumns; ++c)
    cells[c] = board.cells_of_code(c, code);
  return cells;
}

// The whole runs of `cells` in a column that `from` touches.
template <class Column>
inline Column fill_column(Column from, Column cells) {
  auto found = static_cast<Column>(from | (cells & ~(cells + from)));
  for (Column before = 0; before != found;) {
    before = found;
    found |= static_cast<Column>(cells & (found >> 1));
  }
  return found;
}

// The group around a cell as cells of each column; returns the columns it has cells in.
template <class Geometry>
inline std::uint32_t flood(const BlockBoard<Geometry>& board, int column, int row, int code,
                           typename BlockBoard<Geometry>::Cells& group) {
  using Board = BlockBoard<Geometry>;
  using Column = typename Board::Column;
  const auto cells = cells_of(board, code);
  group.fill(0);
  group[column] = fill_column<Column>(static_cast<Column>(Column{1} << row), cells[column]);
  std::uint32_t touched = 1u << column;
  // Columns whose cells grew and have not yet been shown to their neighbours.
  for (std::uint32_t open = touched; open != 0;) {
    const int c = std::countr_zero(open);
    open &= open - 1;
    const auto show = [&](std::uint32_t neighbours, int neighbour) {
      if (neighbours == 0) return;
      const auto met = static_cast<Column>(group[c] & cells[neighbour] & ~group[neighbour]);
      if (met == 0) return;
      group[neighbour] |= fill_column<Column>(met, cells[neighbour]);
      touched |= 1u << neighbour;
      open |= 1u << neighbour;
    };
    const std::uint32_t left = board.columns & bits_below<std::uint32_t>(c);
    const std::uint32_t right = board.columns & ~bits_below<std::uint32_t>(c) & ~(1u << c);
    show(left, 31 - std::countl_zero(left | 1));
    show(right, std::countr_zero(right));
  }
  return touched;
}

template <class Geometry>
inline int count(const typename BlockBoard<Geometry>::Cells& cells) {
  int n = 0;
  std::array<std::uint64_t, sizeof(cells) / 8> words;
  std::memcpy(words.data(), cells.data(), sizeof(cells));
  for (const std::uint64_t word : words)
    n += std::popcount(word);
  return n;
}

struct ColumnRow {
  int column, row;
};

// The n-th cell of a set, by columns in their order and from the bottom.
template <class Geometry>
inline ColumnRow nth_cell(const BlockBoard<Geometry>&, const typename BlockBoard<Geometry>::Cells& cells, int n) {
  for (int i = 0;; ++i) {
    const int column = BlockColumns<Geometry>::column_in_order(i);
    const int here = std::popcount(cells[column]);
    if (n < here) return {column, std::countr_zero(scatter_bits(1u << n, cells[column]))};
    n -= here;
  }
}

// Cells that are equal to a neighbour.
template <class Cells>
struct EqualCells {
  Cells above, right, left;  // to the one above it, on its right, on its left
};

template <class Geometry>
inline auto equal_cells(const BlockBoard<Geometry>& board) {
  using Board = BlockBoard<Geometry>;
  using Column = typename Board::Column;
  EqualCells<typename Board::Cells> equal{};
  Column from_left = 0;
  for (std::uint32_t rest = board.columns; rest != 0;) {
    const int c = std::countr_zero(rest);
    rest &= rest - 1;
    Column blocks = 0, above = static_cast<Column>(~0u), right = above;
    const int next = rest == 0 ? c : std::countr_zero(rest);
    for (int p = 0; p < Board::kPlanes; ++p) {
      const Column x = board.plane[p][c];
      blocks |= x;
      above &= static_cast<Column>(~(x ^ (x >> 1)));
      right &= static_cast<Column>(~(x ^ board.plane[p][next]));
    }
    equal.above[c] = static_cast<Column>(above & blocks);
    equal.right[c] = next == c ? Column{0} : static_cast<Column>(right & blocks);
    equal.left[c] = std::exchange(from_left, equal.right[c]);
  }
  return equal;
}

// One cell for every group of two or more blocks, sometimes two: a cell equal to the one above or right of it, but not
// to the one below or left of it. Returns their number.
template <class Geometry>
inline int corners(const BlockBoard<Geometry>& board, typename BlockBoard<Geometry>::Cells& found) {
  const auto equal = equal_cells(board);
  for (int c = 0; c < BlockBoard<Geometry>::kColumns; ++c)
    found[c] = static_cast<typename BlockBoard<Geometry>::Column>((equal.above[c] | equal.right[c]) &
                                                                  ~(equal.above[c] << 1 | equal.left[c]));
  return count<Geometry>(found);
}

// The same without those of one colour.
template <class Geometry>
inline int corners_without(const BlockBoard<Geometry>& board, const typename BlockBoard<Geometry>::Cells& found,
                           int code, typename BlockBoard<Geometry>::Cells& others) {
  const auto cells = cells_of(board, code);
  for (int c = 0; c < BlockBoard<Geometry>::kColumns; ++c)
    others[c] = static_cast<typename BlockBoard<Geometry>::Column>(found[c] & ~cells[c]);
  return count<Geometry>(others);
}

// All cells of groups of two or more of one colour, by its code; returns the columns that hold one.
template <class Geometry>
inline std::uint32_t cells_of_groups(const BlockBoard<Geometry>& board, int code,
                                     typename BlockBoard<Geometry>::Cells& found) {
  using Column = typename BlockBoard<Geometry>::Column;
  const auto cells = cells_of(board, code);
  for (int c = 0; c < BlockBoard<Geometry>::kColumns; ++c)
    found[c] = static_cast<Column>(cells[c] & (cells[c] << 1 | cells[c] >> 1));
  for (std::uint32_t rest = board.columns; rest != 0;) {
    const int c = std::countr_zero(rest);
    if ((rest &= rest - 1) == 0) break;
    const int next = std::countr_zero(rest);
    const auto both = static_cast<Column>(cells[c] & cells[next]);
    found[c] |= both;
    found[next] |= both;
  }
  std::uint32_t columns = 0;
  for (int c = 0; c < BlockBoard<Geometry>::kColumns; ++c)
    columns |= static_cast<std::uint32_t>(found[c] != 0) << c;
  return columns;
}

// Columns in which some block that the move took from `before` is still left.
template <class Geometry>
inline std::uint32_t columns_left_of_move(const BlockBoard<Geometry>& before, const BlockBoard<Geometry>& after,
                                          const BlockBoard<Geometry>& now) {
  std::uint32_t left = 0;
  for (int c = 0; c < BlockBoard<Geometry>::kColumns; ++c)
    left |= static_cast<std::uint32_t>((before.alive[c] & ~after.alive[c] & now.alive[c]) != 0) << c;
  return left;
}

// Columns in which two positions differ.
template <class Geometry>
inline std::uint32_t difference(const BlockBoard<Geometry>& a, const BlockBoard<Geometry>& b) {
  std::uint32_t differ = 0;
  for (int c = 0; c < BlockBoard<Geometry>::kColumns; ++c)
    differ |= static_cast<std::uint32_t>(a.alive[c] != b.alive[c]) << c;
  return differ;
}

// `to` is `from` with some columns of another board.
template <class Geometry>
inline void copy_columns(BlockBoard<Geometry>& to, const BlockBoard<Geometry>& from, const BlockBoard<Geometry>& other,
                         std::uint32_t columns) {
  to = from;
  to.columns = (from.columns & ~columns) | (other.columns & columns);
  for (; columns != 0; columns &= columns - 1) {
    const int c = std::countr_zero(columns);
    for (int p = 0; p < Geometry::kPlanes; ++p)
      to.plane[p][c] = other.plane[p][c];
    to.alive[c] = other.alive[c];
  }
}

}  // namespace CHAINSHOT_BLOCKS
}  // namespace chainshot::cpu
