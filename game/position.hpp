// The position that searches and tools hold: one board, its groups, moves and hash. A board is always settled: no block
// has a hole under it, and no empty column lies left of a full one. Cells are (column, row), counted from 0 at the
// bottom left.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "game/geometry.hpp"
#include "game/rules.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

struct Cell {
  std::uint8_t column = 0;
  std::uint8_t row = 0;

  bool operator==(const Cell&) const = default;
};

inline constexpr int kEmpty = -1;

// A set of cells, a word per row.
using CellSet = std::array<std::uint32_t, kMaxRows>;

// A group of two or more equal blocks, named by the leftmost cell of its lowest row.
struct Group {
  Cell cell;
  std::uint8_t color = 0;
  std::uint16_t size = 0;

  bool operator==(const Group&) const = default;
};

// Room for the groups of any position, since a group has at least two cells.
using GroupRoom = std::array<Group, kMaxCells / 2>;

// Equal neighbours of every cell; rows from the bottom.
struct Links {
  CellSet above;
  CellSet right;
};

class Position {
 public:
  using Word = Scalar32;
  using Row = Cells<Word, kMaxPlanes>;

  Position() = default;
  Position(int columns, int rows);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int color_at(int column, int row) const;  // kEmpty where there is no block
  void set(int column, int row, int color);
  // Drops blocks over holes and closes empty columns that `set` left.
  void settle();
  bool is_settled() const;

  const Row& row(int r) const { return cells_[r]; }
  void set_row(int r, const Row& cells) { cells_[r] = cells; }
  int height() const;  // rows that hold a block
  int blocks() const;
  std::array<int, kMaxColors> color_counts() const;
  int colors() const;               // 1 + the highest colour on the board
  int most_frequent_color() const;  // the lowest of them where counts tie; 0 on an empty board

  Links links() const;
  // All groups, ordered by their cells: lowest row first, then from the left.
  std::vector<Group> groups() const;
  // Writes the groups into the caller's room, without the heap, and returns their number.
  int groups(GroupRoom& room) const;
  bool has_moves() const;
  // The connected equal blocks around a cell, the cell included; empty for an empty cell.
  CellSet component(Cell cell) const;
  CellSet component(Cell cell, const Links& links) const;
  // Removes a set of cells and settles.
  void remove(const CellSet& cells);
  // Removes the group around `cell` and returns its size; 0, and nothing changed, if there is none.
  int apply(Cell cell);

  // An upper bound on the points still to be earned: every colour in one group, and the bonus unless some colour has
  // one block left.
  int upper_bound(const Scoring& scoring) const;
  int final_points(const Scoring& scoring) const;

  // Equal positions have equal hashes, however they were reached.
  std::uint64_t hash() const;
  // Colours renumbered in the order in which they appear (lowest row first, then from the left): equal for positions
  // that differ by a permutation of colours.
  Position canonical() const;
  // Equal for such positions, too.
  std::uint64_t symmetric_hash() const;

  bool operator==(const Position& other) const;

 private:
  template <int RowsPerWord>
  std::uint64_t hash_of_colors() const;
  Links links_of(int color, int top) const;
  void remove(const CellSet& cells, int top);

  std::uint8_t columns_ = 0;
  std::uint8_t rows_ = 0;
  std::array<Row, kMaxRows> cells_{};
};

int count(const CellSet& cells);
// The lowest of them where counts tie.
int most_frequent(const std::array<int, kMaxColors>& color_counts);

}  // namespace chainshot::game
