// Perft counts the move sequences of a given length, as chess programs do, and so tests move generation and `apply`
// together.
#include <gtest/gtest.h>

#include <cstdint>

#include "game/position.hpp"
#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot {
namespace {

using game::Position;
using game::ReferenceBoard;
using tests::board_of;

std::uint64_t perft(const Position& position, int depth) {
  if (depth == 0) return 1;
  std::uint64_t sequences = 0;
  for (const game::Group& group : position.groups()) {
    Position next = position;
    next.apply(group.cell);
    sequences += perft(next, depth - 1);
  }
  return sequences;
}

std::uint64_t perft(const ReferenceBoard& board, int depth) {
  if (depth == 0) return 1;
  std::uint64_t sequences = 0;
  for (const std::vector<game::Cell>& group : board.groups()) {
    ReferenceBoard next = board;
    next.apply(group.front());
    sequences += perft(next, depth - 1);
  }
  return sequences;
}

TEST(Perft, CountsAFallingFactorialForPairsInARow) {
  // Five pairs of different colours never merge, so they go in any order: 5, 5*4, 5*4*3, ...
  const Position row = board_of({"0011223344"});
  const Position column = board_of({"0", "0", "1", "1", "2", "2", "3", "3", "4", "4"});
  const std::uint64_t expected[] = {1, 5, 20, 60, 120, 120, 0};
  for (int depth = 0; depth <= 6; ++depth) {
    EXPECT_EQ(perft(row, depth), expected[depth]) << depth;
    EXPECT_EQ(perft(column, depth), expected[depth]) << depth;
  }
}

TEST(Perft, CountsOneLineForNestedPairs) {
  // In 0110 only the ones can go; then the zeros meet and go, and nothing is left.
  const Position row = board_of({"0110"});
  EXPECT_EQ(perft(row, 1), 1u);
  EXPECT_EQ(perft(row, 2), 1u);
  EXPECT_EQ(perft(row, 3), 0u);
}

TEST(Perft, CountsGroupsThatMergeWhenAColumnCloses) {
  // The bottom row is 0 1 0, with a second 1 above the first: the ones go, the column closes, and the zeros meet.
  EXPECT_EQ(perft(board_of({".1.", "010"}), 1), 1u);
  EXPECT_EQ(perft(board_of({".1.", "010"}), 2), 1u);
  // A 2 on top of the ones falls to the bottom and keeps the zeros apart.
  EXPECT_EQ(perft(board_of({".2.", ".1.", "010"}), 1), 1u);
  EXPECT_EQ(perft(board_of({".2.", ".1.", "010"}), 2), 0u);
}

TEST(Perft, CountsOneMoveForOneColour) {
  for (int columns : {1, 2, 15, 16, 31}) {
    for (int rows : {1, 2, 8, 16, 17, 32}) {
      if (columns * rows == 1) continue;
      Position position(columns, rows);
      for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rows; ++r)
          position.set(c, r, 14);
      EXPECT_EQ(perft(position, 1), 1u);
      EXPECT_EQ(perft(position, 2), 0u);
    }
  }
}

TEST(Perft, CountsNothingOnAChessboard) {
  Position position(31, 32);
  for (int c = 0; c < 31; ++c)
    for (int r = 0; r < 32; ++r)
      position.set(c, r, (c + r) % 2);
  EXPECT_EQ(perft(position, 1), 0u);
}

TEST(Perft, CountsBothOrdersOfTwoTouchingPairs) {
  // Each column is one group; whichever goes first, the other one stays.
  EXPECT_EQ(perft(board_of({"01", "01"}), 1), 2u);
  EXPECT_EQ(perft(board_of({"01", "01"}), 2), 2u);
  // The same holds for row 00 on row 11; 01 on 10 has no group.
  EXPECT_EQ(perft(board_of({"00", "11"}), 2), 2u);
  EXPECT_EQ(perft(board_of({"01", "10"}), 1), 0u);
}

TEST(Perft, EqualsTheReferenceOnRandomBoards) {
  tests::Dice dice(21);
  for (int i = 0; i < tests::scaled(3'000); ++i) {
    const Position small = random_board(dice, tests::random_shape(dice, 5, 5, 4));
    const Position large = random_board(dice, tests::random_shape(dice));
    for (int depth = 1; depth <= 4; ++depth)
      ASSERT_EQ(perft(small, depth), perft(ReferenceBoard(small), depth));
    ASSERT_EQ(perft(large, 1), perft(ReferenceBoard(large), 1)) << tests::drawing(large);
  }
}

TEST(Perft, EqualsTheReferenceToTheEndOfTinyGames) {
  tests::Dice dice(22);
  for (int i = 0; i < tests::scaled(3'000); ++i) {
    const Position tiny = random_board(dice, tests::random_shape(dice, 4, 3, 3));
    for (int depth = 1; depth <= 7; ++depth)
      ASSERT_EQ(perft(tiny, depth), perft(ReferenceBoard(tiny), depth));
  }
}

}  // namespace
}  // namespace chainshot
