#include "host/search/line_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

using Line = std::vector<game::Cell>;

double distance_of(const game::Position& board, const Line& a, const Line& b) {
  return line_distance(groups_of_line(board, a), groups_of_line(board, b));
}

// Four rows of pairs. By rows from the bottom, the lines remove
//   kPairs:      row 0, row 1, row 2, row 3
//   kJoinsZeros: row 1, rows 0 and 2 together, row 3
//   kJoinsOnes:  row 2, rows 1 and 3 together, row 0
game::Position four_pairs() {
  return tests::board_of({"11", "00", "11", "00"});
}
const Line kPairs = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
const Line kJoinsZeros = {{0, 1}, {0, 0}, {0, 0}};
const Line kJoinsOnes = {{0, 2}, {0, 1}, {0, 0}};

TEST(LineDistance, IsTheShareOfGroupsThatAreNotCommon) {
  const game::Position board = four_pairs();
  EXPECT_EQ(distance_of(board, kPairs, kJoinsZeros), 0.5);  // rows 1 and 3 are common: 1 - 2 / 4
  EXPECT_EQ(distance_of(board, kPairs, kJoinsOnes), 0.5);   // rows 2 and 0
  EXPECT_EQ(distance_of(board, kJoinsZeros, kJoinsOnes), 1);
  EXPECT_EQ(distance_of(board, kPairs, {{0, 0}}), 0.75);  // row 0 is common: 1 - 1 / 4
  EXPECT_EQ(distance_of(board, kPairs, {}), 1);
  EXPECT_EQ(distance_of(board, {}, {}), 0);
}

TEST(LineDistance, TellsGroupsOfEqualShapeAndColorApart) {
  EXPECT_EQ(distance_of(four_pairs(), {{0, 0}}, {{0, 2}}), 1);
}

TEST(LineDistance, IsZeroForTheSameGroupsInAnotherOrder) {
  // The cells of the second and third pair depend on the columns that were closed before.
  const game::Position board = tests::board_of({"001122"});
  EXPECT_EQ(distance_of(board, {{0, 0}, {0, 0}, {0, 0}}, {{4, 0}, {2, 0}, {0, 0}}), 0);
  EXPECT_EQ(distance_of(board, {{0, 0}, {2, 0}, {1, 0}}, {{3, 0}, {1, 0}, {1, 0}}), 0);
  // Either pair of ones falls when the zeros below them go, and remains the same pair.
  const game::Position towers = tests::board_of({"11.11", "00200"});
  EXPECT_EQ(distance_of(towers, {{0, 0}, {0, 0}, {1, 0}, {1, 0}}, {{3, 1}, {3, 0}, {0, 1}, {0, 0}}), 0);
}

// Plays by the reference rules until no move is left.
Line random_line(const game::Position& position, tests::Dice& dice) {
  game::ReferenceBoard board(position);
  Line line;
  for (auto groups = board.groups(); !groups.empty(); groups = board.groups()) {
    line.push_back(groups[static_cast<std::size_t>(dice.below(static_cast<int>(groups.size())))][0]);
    board.apply(line.back());
  }
  return line;
}

TEST(LineDistance, IsSymmetricAndBetweenZeroAndOne) {
  tests::Dice dice(1);
  for (int i = 0; i < 200; ++i) {
    const game::Position board = tests::random_board(dice, tests::random_small_shape(dice));
    const Line a = random_line(board, dice), b = random_line(board, dice);
    const double distance = distance_of(board, a, b);
    EXPECT_EQ(distance, distance_of(board, b, a));
    EXPECT_EQ(distance_of(board, a, a), 0);
    EXPECT_GE(distance, 0);
    EXPECT_LE(distance, 1);
    LineGroups groups = groups_of_line(board, a);
    EXPECT_EQ(std::unique(groups.begin(), groups.end()), groups.end());  // no block is removed twice
  }
}

TEST(ChooseApart, TakesTheBestLinesThatAreFarEnoughFromBetterOnes) {
  const game::Position board = four_pairs();
  const std::vector<ScoredLine> lines = {{1000, kPairs}, {1004, kJoinsZeros}, {1004, kJoinsOnes}, {1004, kJoinsZeros}};
  using Chosen = std::vector<std::size_t>;
  EXPECT_EQ(choose_apart(board, lines, 4, 0.5), (Chosen{1, 2, 0}));  // the last one is the second once more
  EXPECT_EQ(choose_apart(board, lines, 4, 0.51), (Chosen{1, 2}));
  EXPECT_EQ(choose_apart(board, lines, 2, 0.5), (Chosen{1, 2}));
  EXPECT_EQ(choose_apart(board, lines, 4, 0), (Chosen{1, 2, 3, 0}));
  EXPECT_EQ(choose_apart(board, lines, 0, 0.5), Chosen{});
  EXPECT_EQ(choose_apart(board, {}, 4, 0.5), Chosen{});
}

}  // namespace
}  // namespace chainshot::host
