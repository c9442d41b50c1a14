#include "game/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "game/random.hpp"

namespace chainshot::game {
namespace {

BoardRecipe recipe(BoardKind kind, int columns, int rows, int colors) {
  BoardRecipe out;
  out.kind = kind;
  out.columns = columns;
  out.rows = rows;
  out.colors = colors;
  return out;
}

std::vector<int> sorted_counts(const Position& position, int colors) {
  const auto counts = position.color_counts();
  std::vector<int> out(counts.begin(), counts.begin() + colors);
  std::sort(out.begin(), out.end());
  return out;
}

bool can_be_cleared(const Position& position, std::unordered_set<std::uint64_t>& seen) {
  if (position.blocks() == 0) return true;
  if (!seen.insert(position.hash()).second) return false;
  for (const Group& group : position.groups()) {
    Position next = position;
    next.apply(group.cell);
    if (can_be_cleared(next, seen)) return true;
  }
  return false;
}

bool can_be_cleared(const Position& position) {
  std::unordered_set<std::uint64_t> seen;
  return can_be_cleared(position, seen);
}

// The test repeats the definition: block i, counted row by row from the bottom, takes draw i of the board's sequence.
TEST(Generate, UniformBoardsAreDrawnCellByCellFromPhilox) {
  const Position position = generate_board(recipe(BoardKind::kUniform, 7, 5, 4), 42, 3);
  for (int r = 0; r < 5; ++r) {
    for (int c = 0; c < 7; ++c) {
      const auto i = static_cast<std::uint32_t>(r * 7 + c);
      const std::uint32_t word = random_block({42, 3, 0xFFFFFFFFu}, i / 4)[i % 4];
      EXPECT_EQ(position.color_at(c, r), static_cast<int>(std::uint64_t{word} * 4 >> 32));
    }
  }
}

TEST(Generate, IsAFunctionOfSeedAndIndex) {
  const BoardRecipe uniform = recipe(BoardKind::kUniform, 15, 15, 5);
  EXPECT_TRUE(generate_board(uniform, 1, 0) == generate_board(uniform, 1, 0));
  EXPECT_FALSE(generate_board(uniform, 1, 0) == generate_board(uniform, 1, 1));
  EXPECT_FALSE(generate_board(uniform, 1, 0) == generate_board(uniform, 2, 0));
}

// 250 boards hold 56250 blocks, so each colour is expected 11250 times with a standard deviation of
// sqrt(56250 * 0.2 * 0.8) = 95. The seed is fixed, so only a mistake moves a count by more than five deviations.
TEST(Generate, UniformBoardsUseColoursEquallyOften) {
  std::array<int, kMaxColors> total{};
  for (std::uint64_t i = 0; i < 250; ++i) {
    const auto counts = generate_board(recipe(BoardKind::kUniform, 15, 15, 5), 2012, i).color_counts();
    for (std::size_t c = 0; c < counts.size(); ++c)
      total[c] += counts[c];
  }
  for (std::size_t c = 0; c < total.size(); ++c)
    EXPECT_NEAR(total[c], c < 5 ? 11250 : 0, c < 5 ? 475 : 0);
}

// 225 = 5 * 45, as on boards 11-15; 56 = 3 * 18 + 2, so two colours have 19 blocks.
TEST(Generate, EqualBoardsShareBlocksAsEvenlyAsPossible) {
  EXPECT_EQ(sorted_counts(generate_board(recipe(BoardKind::kEqual, 15, 15, 5), 1, 0), 5),
            (std::vector<int>{45, 45, 45, 45, 45}));
  EXPECT_EQ(sorted_counts(generate_board(recipe(BoardKind::kEqual, 8, 7, 3), 1, 0), 3), (std::vector<int>{18, 19, 19}));
}

TEST(Generate, DominatingBoardsAreLikeBoards16To20) {
  std::set<int> dominating;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Position position = generate_board(recipe(BoardKind::kDominating, 15, 15, 5), 1, i);
    EXPECT_EQ(sorted_counts(position, 5), (std::vector<int>{40, 40, 40, 40, 65}));
    dominating.insert(position.most_frequent_color());
  }
  // A given colour dominates none of the 60 boards with probability 0.8^60, one in 650,000.
  EXPECT_EQ(dominating.size(), 5u);
}

TEST(Generate, ShufflesEveryCell) {
  // Over 400 equal boards of two colours, each colour is expected 200 times in a given cell, with a standard deviation
  // of 10.
  int first = 0, last = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const Position position = generate_board(recipe(BoardKind::kEqual, 4, 4, 2), 5, i);
    first += position.color_at(0, 0);
    last += position.color_at(3, 3);
  }
  EXPECT_NEAR(first, 200, 50);
  EXPECT_NEAR(last, 200, 50);
}

TEST(Generate, AChessboardHasNoMoves) {
  const Position position = generate_board(recipe(BoardKind::kChessboard, 6, 5, 2), 1, 0);
  EXPECT_EQ(position.blocks(), 30);
  EXPECT_FALSE(position.has_moves());
}

// Takes 2009, theorem 1: an h x w chessboard with h, w >= 4 is solvable when tile (h, w), at the lower right, is
// inverted.
TEST(Generate, AChessboardWithTheLastTileInvertedCanBeCleared) {
  for (const auto& [columns, rows] : {std::pair{4, 4}, {5, 4}, {4, 5}, {5, 5}}) {
    BoardRecipe inverted = recipe(BoardKind::kChessboard, columns, rows, 2);
    inverted.inverted = {{static_cast<std::uint8_t>(columns - 1), 0}};
    EXPECT_TRUE(can_be_cleared(generate_board(inverted, 1, 0))) << columns << 'x' << rows;
  }
}

// Takes 2009, theorem 2: a chessboard of 5 x 5 or more is not solvable when one tile of its upper half is inverted.
TEST(Generate, AChessboardWithATileOfTheUpperHalfInvertedCannotBeCleared) {
  for (std::uint8_t column = 0; column < 5; ++column) {
    for (std::uint8_t row : {3, 4}) {
      BoardRecipe inverted = recipe(BoardKind::kChessboard, 5, 5, 2);
      inverted.inverted = {{column, row}};
      EXPECT_FALSE(can_be_cleared(generate_board(inverted, 1, 0)));
    }
  }
}

// Takes 2009, theorem 3. The strict lower half is the lower 3 of 5 rows and the lower 4 of 6.
TEST(Generate, AHalfChessboardHasAChessboardBelowAndCannotBeCleared) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Position five = generate_board(recipe(BoardKind::kHalfChessboard, 5, 5, 2), 9, i);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 5; ++c)
        EXPECT_EQ(five.color_at(c, r), (c + r) % 2);
    EXPECT_FALSE(can_be_cleared(five));
    const Position six = generate_board(recipe(BoardKind::kHalfChessboard, 5, 6, 2), 9, i);
    for (int c = 0; c < 5; ++c)
      EXPECT_EQ(six.color_at(c, 3), (c + 3) % 2);
    EXPECT_FALSE(can_be_cleared(six));
  }
}

TEST(Generate, ExplainsWhyARecipeIsImpossible) {
  EXPECT_EQ(problem_with(recipe(BoardKind::kUniform, 31, 32, 15)), "");
  EXPECT_EQ(problem_with(recipe(BoardKind::kUniform, 32, 15, 5)), "32 columns; expected 1 to 31");
  EXPECT_EQ(problem_with(recipe(BoardKind::kUniform, 15, 0, 5)), "0 rows; expected 1 to 32");
  EXPECT_EQ(problem_with(recipe(BoardKind::kEqual, 15, 15, 16)), "16 colours; expected 1 to 15");
  EXPECT_EQ(problem_with(recipe(BoardKind::kChessboard, 15, 15, 3)), "a chessboard of 3 colours; expected 2");
  BoardRecipe weak = recipe(BoardKind::kDominating, 15, 15, 5);
  weak.share = 0.2;
  EXPECT_EQ(problem_with(weak), "that share does not dominate; expected more than 1/5 and at most 1");
  BoardRecipe outside = recipe(BoardKind::kChessboard, 5, 5, 2);
  outside.inverted = {{5, 0}};
  EXPECT_EQ(problem_with(outside), "the inverted cell 5,0 is outside the board");
}

TEST(Generate, ReadsSizes) {
  EXPECT_EQ(parse_board_size("31x32")->columns, 31);
  EXPECT_EQ(parse_board_size("31x32")->rows, 32);
  for (const char* text : {"", "x", "15", "15x", "x15", "0x5", "5x0", "32x15", "15x33", "15x15x15", "15 x 15", "-5x5"})
    EXPECT_FALSE(parse_board_size(text)) << text;
}

}  // namespace
}  // namespace chainshot::game
