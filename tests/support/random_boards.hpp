// Makes random boards of every size and kind: full, ragged, patchy, winding, sparse, partly played. They come from a
// fixed seed and arithmetic of our own, so that a failing board is the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "game/position.hpp"
#include "game/reference.hpp"

namespace chainshot::tests {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  // Returns a number from 0 to n - 1. The bias of the remainder does not matter here.
  int below(int n) { return static_cast<int>(bits_() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool one_in(int n) { return below(n) == 0; }
  std::uint64_t word() { return bits_(); }

 private:
  std::mt19937_64 bits_;
};

struct Shape {
  int columns;
  int rows;
  int colors;
};

inline Shape random_shape(Dice& dice, int max_columns = game::kMaxColumns, int max_rows = game::kMaxRows,
                          int max_colors = game::kMaxColors) {
  return {dice.between(1, max_columns), dice.between(1, max_rows), dice.between(1, max_colors)};
}

inline Shape random_small_shape(Dice& dice) {
  return random_shape(dice, 15, 16, 7);
}

inline game::Position full_board(Dice& dice, const Shape& shape) {
  game::Position position(shape.columns, shape.rows);
  for (int c = 0; c < shape.columns; ++c)
    for (int r = 0; r < shape.rows; ++r)
      position.set(c, r, dice.below(shape.colors));
  return position;
}

// Makes columns of random heights, without empty columns between them.
inline game::Position ragged_board(Dice& dice, const Shape& shape) {
  game::Position position(shape.columns, shape.rows);
  for (int c = 0, next = 0; c < shape.columns; ++c) {
    const int height = dice.between(0, shape.rows);
    for (int r = 0; r < height; ++r)
      position.set(next, r, dice.below(shape.colors));
    if (height > 0) ++next;
  }
  return position;
}

// Paints rectangles of one colour over each other, which makes large groups.
inline game::Position patchy_board(Dice& dice, const Shape& shape) {
  game::Position position = full_board(dice, shape);
  for (int patch = dice.between(1, 12); patch > 0; --patch) {
    const int left = dice.below(shape.columns), low = dice.below(shape.rows), color = dice.below(shape.colors);
    const int right = dice.between(left, shape.columns - 1), high = dice.between(low, shape.rows - 1);
    for (int c = left; c <= right; ++c)
      for (int r = low; r <= high; ++r)
        position.set(c, r, color);
  }
  return position;
}

// Makes a maze: every second line is a wall with one opening, at alternating ends or at random. A single group winds
// through the whole board and takes the longest floods.
inline game::Position winding_board(Dice& dice, const Shape& shape) {
  game::Position position(shape.columns, shape.rows);
  const int wall = shape.colors - 1;
  const bool upright = dice.one_in(2), alternating = dice.one_in(2);
  const int across = upright ? shape.columns : shape.rows, along = upright ? shape.rows : shape.columns;
  for (int i = 0; i < across; ++i) {
    const int opening = alternating ? (i / 2 % 2 == 0 ? 0 : along - 1) : dice.below(along);
    for (int j = 0; j < along; ++j) {
      const int color = i % 2 == 1 && j != opening ? wall : 0;
      position.set(upright ? i : j, upright ? j : i, color);
    }
  }
  return position;
}

// Scatters blocks of a second colour, which leaves a group with holes and islands.
inline game::Position sparse_board(Dice& dice, const Shape& shape) {
  game::Position position(shape.columns, shape.rows);
  const int share = dice.between(2, 6);
  for (int c = 0; c < shape.columns; ++c)
    for (int r = 0; r < shape.rows; ++r)
      position.set(c, r, dice.one_in(share) ? shape.colors - 1 : 0);
  return position;
}

// Plays a few random moves.
inline game::Position played_board(Dice& dice, const game::Position& start) {
  game::ReferenceBoard board(start);
  for (int moves = dice.between(1, 20); moves > 0; --moves)
    board.apply({static_cast<std::uint8_t>(dice.below(start.columns())),
                 static_cast<std::uint8_t>(dice.below(std::max(1, start.rows() / 2)))});
  return board.to_position();
}

inline game::Position random_board(Dice& dice, const Shape& shape) {
  switch (dice.below(8)) {
    case 0:
      return ragged_board(dice, shape);
    case 1:
      return patchy_board(dice, shape);
    case 2:
      return winding_board(dice, shape);
    case 3:
      return sparse_board(dice, shape);
    case 4:
      return played_board(dice, full_board(dice, shape));
    default:
      return full_board(dice, shape);
  }
}

// Reads rows as board files have them, top row first, with the letters 0-9, A-E and '.'.
inline game::Position board_of(const std::vector<std::string_view>& top_row_first) {
  const int rows = static_cast<int>(top_row_first.size());
  game::Position position(static_cast<int>(top_row_first.front().size()), rows);
  for (int r = 0; r < rows; ++r) {
    const std::string_view line = top_row_first[static_cast<std::size_t>(rows - 1 - r)];
    for (int c = 0; c < position.columns(); ++c) {
      const char letter = line[static_cast<std::size_t>(c)];
      if (letter != '.') position.set(c, r, letter <= '9' ? letter - '0' : letter - 'A' + 10);
    }
  }
  return position;
}

inline std::string drawing(const game::Position& position) {
  std::string text = std::to_string(position.columns()) + " x " + std::to_string(position.rows()) + "\n";
  for (int r = position.rows() - 1; r >= 0; --r) {
    for (int c = 0; c < position.columns(); ++c)
      text += ".0123456789ABCDE"[position.color_at(c, r) + 1];
    text += '\n';
  }
  return text;
}

}  // namespace chainshot::tests

namespace chainshot::game {

// GoogleTest calls this when an assertion about positions fails.
inline void PrintTo(const Position& position, std::ostream* out) {
  *out << tests::drawing(position);
}

}  // namespace chainshot::game
