#include "game/scoring.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace chainshot::game {
namespace {

int points(std::string_view name, int n) {
  return scoring_named(name)->group_points(n);
}
int end(std::string_view name, const std::vector<int>& left) {
  return scoring_named(name)->final_points(left);
}

TEST(Scoring, StandardAwardsTheSquareOfTheSizeMinusTwo) {
  EXPECT_EQ(points("standard", 2), 0);
  EXPECT_EQ(points("standard", 3), 1);
  EXPECT_EQ(points("standard", 12), 100);
  EXPECT_EQ(points("standard", kMaxCells), 990 * 990);
}

TEST(Scoring, StandardDeductsForEachColourLeft) {
  // The deduction is (1-2)^2 + (2-2)^2 + (5-2)^2, and nothing for the colour that is gone.
  EXPECT_EQ(end("standard", {1, 2, 0, 5}), -(1 + 0 + 9));
  EXPECT_EQ(end("standard", {0, 2}), 0);
}

TEST(Scoring, TotalDeductsForAllBlocksTogether) {
  EXPECT_EQ(points("total", 5), 9);
  EXPECT_EQ(end("total", {1, 2, 0, 5}), -36);  // (8-2)^2
  EXPECT_EQ(end("total", {1}), -1);
}

TEST(Scoring, BubbleBreakerAwardsTheSizeTimesTheSizeMinusOne) {
  EXPECT_EQ(points("bubble-breaker", 2), 2);
  EXPECT_EQ(points("bubble-breaker", 10), 90);
  EXPECT_EQ(end("bubble-breaker", {3, 4}), 0);
  EXPECT_EQ(end("bubble-breaker", {0, 0}), 0);
}

TEST(Scoring, ClickomaniaDeductsOnePointPerBlockLeft) {
  EXPECT_EQ(points("clickomania", 50), 0);
  EXPECT_EQ(end("clickomania", {3, 0, 4}), -7);
  EXPECT_EQ(end("clickomania", {0, 0}), 0);
}

TEST(Scoring, PointsOnlyIgnoresTheEnd) {
  EXPECT_EQ(points("points", 5), 9);
  EXPECT_EQ(end("points", {3, 4}), 0);
  EXPECT_EQ(end("points", {}), 0);
}

TEST(Scoring, AClearedBoardEarnsTheBonus) {
  EXPECT_EQ(end("standard", {0, 0, 0}), 1000);
  EXPECT_EQ(end("total", {0}), 1000);
  EXPECT_EQ(end("standard", {}), 1000);
}

TEST(Scoring, NamesAreUniqueAndFindTheirVariant) {
  for (const Scoring& scoring : kScorings)
    EXPECT_EQ(scoring_named(scoring.name()), scoring);
  EXPECT_EQ(scoring_named("Standard"), std::nullopt);
  EXPECT_EQ(scoring_named(""), std::nullopt);
  EXPECT_EQ(kStandardScoring.name(), "standard");
}

}  // namespace
}  // namespace chainshot::game
