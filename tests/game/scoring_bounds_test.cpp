#include "game/scoring_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "game/playout.hpp"
#include "game/scoring_text.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::game {
namespace {

using tests::Dice;

// Tries every way to divide n blocks of a colour into groups and blocks that stay.
struct EveryDivision {
  const Scoring& scoring;
  int most = std::numeric_limits<int>::min();
  int most_earned = 0, least_earned = 0;

  void divide(int n, int largest, int earned) {
    most_earned = std::max(most_earned, earned);
    least_earned = std::min(least_earned, earned);
    most = std::max(most, earned + std::max(0, n == 0 ? 0 : -scoring.left_per_color.at(n)));
    for (int size = 2; size <= std::min(n, largest); ++size)
      divide(n - size, size, earned + scoring.group_points(size));
  }
};

TEST(ScoringBounds, AreThoseOfTheBestDivisionIntoGroups) {
  Dice dice(5);
  for (int i = 0; i < tests::scaled(40); ++i) {
    const Scoring scoring = tests::random_scoring(dice);
    const ScoringBounds bounds(scoring);
    for (int n = 0; n <= 14; ++n) {
      EveryDivision division{scoring};
      division.divide(n, n, 0);
      ASSERT_EQ(bounds.most_of_color(n), division.most) << scoring.formula() << ", " << n;
      ASSERT_EQ(bounds.earned_of_color(n).most, division.most_earned) << scoring.formula() << ", " << n;
      ASSERT_EQ(bounds.earned_of_color(n).least, division.least_earned) << scoring.formula() << ", " << n;
    }
  }
}

// Twelve blocks under 10 points a group, whatever its size: six pairs are best. Under 12 - n points: six pairs too, for
// 10 each. Under n - 6: one group. Under -n: none.
TEST(ScoringBounds, JoinOrDivideAsThePointsSay) {
  const auto most = [](const char* formula) { return ScoringBounds(parse_scoring(formula)).most_of_color(12); };
  EXPECT_EQ(most("points=10"), 60);
  EXPECT_EQ(most("points=12-n"), 60);
  EXPECT_EQ(most("points=n-6"), 6);
  EXPECT_EQ(most("points=-n"), 0);
  EXPECT_EQ(most("points=-n; left-per-color=-n^2"), 144);  // all stay
  EXPECT_EQ(most("standard"), 100);
}

TEST(ScoringBounds, OfTheEndIgnoreNoDeduction) {
  const auto most = [](const char* formula, int left) {
    return ScoringBounds(parse_scoring(formula)).most_at_end(left);
  };
  EXPECT_EQ(most("left=1000", 5), -1000);
  EXPECT_EQ(most("left=(n-2)^2", 1), -1);
  EXPECT_EQ(most("left=(n-2)^2", 5), 0);
  EXPECT_EQ(most("left=n^2-6n", 2), 8);
  EXPECT_EQ(most("left=n^2-6n", 9), 9);  // three may stay
}

// The bonus of -50 is avoided by a block that stays, which costs 3.
TEST(OverEstimator, WeighsTheBonusAgainstTheRest) {
  EXPECT_EQ(tests::board_of({"00"}).upper_bound(parse_scoring("points=n; left=3; bonus=-50")), 2 - 3);
  EXPECT_EQ(tests::board_of({"00"}).upper_bound(parse_scoring("points=n; left=3; bonus=-2")), 2 - 2);
}

TEST(ScoreRange, HoldsEveryPlayout) {
  Dice dice(6);
  for (int i = 0; i < tests::scaled(500); ++i) {
    const Position board = tests::random_board(dice, tests::random_shape(dice, 9, 9, 5));
    const Scoring scoring = tests::random_scoring(dice);
    const PlayoutRules rules({.kind = PolicyKind::kRandom}, scoring, board);
    const int score = play(board, rules, {1, 2, static_cast<std::uint32_t>(i)}, 0).score;
    const PointRange range = score_range(scoring, board);
    ASSERT_LE(range.least, score) << scoring.formula();
    ASSERT_GE(range.most, score) << scoring.formula();
    ASSERT_GE(board.upper_bound(scoring), score) << scoring.formula();
    ASSERT_LE(least_estimate(scoring, board), board.upper_bound(scoring)) << scoring.formula();
  }
}

TEST(ScoreRange, IsExactForOneColor) {
  const Position board = tests::board_of({"0000", "0000"});
  const Scoring scoring = parse_scoring("points=n^2-10; left=n; left-per-color=2n; bonus=7");
  // From four pairs at -6 each to one group of eight at 54.
  EXPECT_EQ(earned_range(scoring, board).least, -24);
  EXPECT_EQ(earned_range(scoring, board).most, 54);
  // At the end: from eight blocks left, -8 - 16, to the bonus.
  EXPECT_EQ(score_range(scoring, board).least, -24 - 24);
  EXPECT_EQ(score_range(scoring, board).most, 54 + 7);
}

TEST(ScoreObjection, NamesTheScoringTheBoardAndTheLimit) {
  Position board(15, 15);
  for (int c = 0; c < 15; ++c)
    for (int r = 0; r < 15; ++r)
      board.set(c, r, 0);
  EXPECT_EQ(score_objection(parse_scoring("points=n^3"), board, "a"), "");  // 225^3 = 11,390,625
  EXPECT_EQ(score_objection(parse_scoring("points=n^4"), board, "board a"),
            "the scoring points=n^4 could reach 2562890625 points on board a; expected no more than 67108864 either "
            "way");
  EXPECT_EQ(score_objection(parse_scoring("left=n^3"), board, "board a", 1'000'000),
            "the scoring left=n^3 could reach -11390625 points on board a; expected no more than 1000000 either way");
  // What leaves 64 bits stays out of range.
  EXPECT_FALSE(stays_within(kMostScore, parse_scoring("points=2147483647n^6"), board));
  EXPECT_FALSE(stays_within(kMostScore, parse_scoring("points=-2147483647n^6"), board));
  EXPECT_FALSE(stays_within(kMostScore, parse_scoring("bonus=2147483647"), board));
  for (const Scoring& scoring : kScorings)
    EXPECT_TRUE(stays_within(1'000'000, scoring, board)) << scoring.name();
}

TEST(PointsScale, IsOneForWhatWasTuned) {
  for (const Scoring& scoring : kScorings)
    EXPECT_EQ(points_scale(scoring, 45), 1);
  EXPECT_DOUBLE_EQ(points_scale(parse_scoring("points=3(n-2)^2"), 45), 3);
  EXPECT_DOUBLE_EQ(points_scale(parse_scoring("points=-(n-2)^2; bonus=1"), 12), 1);
  EXPECT_EQ(points_scale(parse_scoring("bonus=1"), 12), 1);
}

}  // namespace
}  // namespace chainshot::game
