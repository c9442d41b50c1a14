// The over-estimator of Schadd 2012, section 3: no line earns more than it says.
#include "game/move_bounds.hpp"

#include <gtest/gtest.h>

#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::game {
namespace {

using tests::Dice;

TEST(OverEstimator, JoinsTheBlocksOfEveryColorAndAddsTheBonusUnlessOneIsAlone) {
  // Four, four and two blocks: (4-2)^2 + (4-2)^2 + (2-2)^2, and the bonus of 1000.
  EXPECT_EQ(tests::board_of({"01012", "01012"}).upper_bound(kStandardScoring), 4 + 4 + 1000);
  // Five, four and one: (5-2)^2 + (4-2)^2, and the last block stays.
  EXPECT_EQ(tests::board_of({"01010", "01012"}).upper_bound(kStandardScoring), 9 + 4);
  // n (n - 1) a group and no bonus: 4 x 3 + 4 x 3 + 2 x 1.
  EXPECT_EQ(tests::board_of({"01012", "01012"}).upper_bound(*scoring_named("bubble-breaker")), 12 + 12 + 2);
}

TEST(OverEstimator, IsNeverLessThanTheBestLine) {
  Dice dice(71);
  for (int i = 0; i < tests::scaled(60); ++i) {
    const Position board = tests::random_board(dice, {dice.between(2, 4), dice.between(2, 4), dice.between(1, 4)});
    for (const Scoring& scoring : tests::scoring_cases())
      EXPECT_GE(board.upper_bound(scoring), tests::BruteForce(scoring).best(ReferenceBoard(board)))
          << scoring.name() << '\n'
          << tests::drawing(board);
  }
}

TEST(MoveBounds, AreTheBoundsOfThePositionsAfterTheMoves) {
  Dice dice(72);
  for (int i = 0; i < tests::scaled(100); ++i) {
    const Position board = tests::random_board(dice, tests::random_small_shape(dice));
    for (const Scoring& scoring : tests::scoring_cases()) {
      const MoveBounds bounds(board, scoring);
      for (const Group& group : board.groups()) {
        Position after = board;
        after.apply(group.cell);
        EXPECT_EQ(bounds.after(group.color, group.size), after.upper_bound(scoring)) << scoring.name();
      }
    }
  }
}

// So f never grows along a path, and A* need not expand a position twice.
TEST(MoveBounds, NeverPromiseMoreAfterAMoveThanBefore) {
  Dice dice(73);
  for (int i = 0; i < tests::scaled(100); ++i) {
    const Position board = tests::random_board(dice, tests::random_small_shape(dice));
    for (const Scoring& scoring : tests::scoring_cases()) {
      const MoveBounds bounds(board, scoring);
      for (const Group& group : board.groups())
        EXPECT_LE(scoring.group_points(group.size) + bounds.after(group.color, group.size), board.upper_bound(scoring));
    }
  }
}

}  // namespace
}  // namespace chainshot::game
