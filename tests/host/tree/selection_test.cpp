// The selection rules, each against its published formula with numbers put in.
#include "host/tree/selection/selection.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chainshot::host {
namespace {

// Four visits that earned 100, 200, 300 and 400 below a move of 36 points: an average of 250, a variance of
// (150^2 + 50^2 + 50^2 + 150^2) / 4 = 12,500.
constexpr MoveStatistics kMove{.mean = 286, .local_mean = 250, .best = 436, .variance = 12'500, .visits = 4};
constexpr double kRange = 5000;

double value(const char* rule, const SelectionSettings& settings, double range = kRange) {
  return selection_rule_named(rule)->value(kMove, settings, range);
}

TEST(Selection, UctIsTheAverageWithThePointsOfTheMove) {
  EXPECT_DOUBLE_EQ(value("uct", {.w = 0, .normalisation = Normalisation::kStatic}), 286);
  EXPECT_DOUBLE_EQ(value("uct", {.w = 0, .normalisation = Normalisation::kGlobal}), 286);
}

TEST(Selection, UctByLocalNormalisationLeavesThePointsOfTheMoveOut) {
  // Klein 2015, 6.1: avg_local(x) / top_local(p), and by 5.5 avg_local disregards what was earned before x.
  EXPECT_DOUBLE_EQ(value("uct", {.w = 0, .normalisation = Normalisation::kLocal}), 250);
}

TEST(Selection, SpMctsAddsTheDeviationAndAShareOfTheBestScore) {
  // Schadd 2012, 4.2: v + W top + sqrt((sum of squares - n v^2 + D) / n), and sum of squares - n v^2 = 4 x 12,500.
  EXPECT_DOUBLE_EQ(value("sp-mcts", {.d = 10'000, .w = 0.02}, 1),
                   286 + 0.02 * 436 + std::sqrt((50'000 + 10'000) / 4.0));
}

TEST(Selection, SpMctsDividesByTheRange) {
  // Klein 2015, 6.2: avg / 5000 + sqrt(V / 5000^2 + D / n), here times 5000; with D 0.01 and n 4 that is 0.0025.
  EXPECT_DOUBLE_EQ(value("sp-mcts", {.d = 0.01, .w = 0, .normalisation = Normalisation::kStatic}),
                   286 + 5000 * std::sqrt(12'500.0 / (5000.0 * 5000.0) + 0.0025));
}

TEST(Selection, OtherRulesLeaveThePointsOfTheMoveOutByLocalNormalisationToo) {
  EXPECT_DOUBLE_EQ(value("sp-mcts", {.d = 0, .w = 0, .normalisation = Normalisation::kLocal}), 250 + std::sqrt(12'500));
  // With no visit of the parent but the first there is no width.
  EXPECT_DOUBLE_EQ(selection_rule_named("ucb1-tuned")
                       ->score(kMove, {.w = 0, .normalisation = Normalisation::kLocal}, 0.1, kRange, 1),
                   250);
}

TEST(Selection, ThirdAverageAddsTheAverageBelowTheMove) {
  // Klein 2015, 6.3.
  EXPECT_DOUBLE_EQ(value("third-average", {.w = 0}), 286 + 250);
}

TEST(Selection, ThirdAveragePlusAddsTheAverageThroughTheMove) {
  // Klein 2015, 6.10.1: avg_global + c(p, x) + avg_local, which count from the parent as 286 and 36 + 250.
  EXPECT_DOUBLE_EQ(value("third-average+", {.w = 0}), 286 + 36 + 250);
}

TEST(Selection, ThirdTopAddsTheBestScoreBelowTheMove) {
  // Klein 2015, 6.10.2: of 436 points, 36 are the move's own.
  EXPECT_DOUBLE_EQ(value("third-top", {}), 436 + 400);
}

TEST(Selection, TopScoreIsTheBestScoreThroughTheMove) {
  EXPECT_DOUBLE_EQ(value("top-score", {}), 436);
}

TEST(Selection, Ucb1TunedNarrowsTheWidthByTheVariance) {
  // Klein 2015, 6.5, times the range. With many visits of the move 2 ln n(p) / n(x) is small: V_T is below a quarter.
  MoveStatistics often = kMove;
  often.visits = 1'000;
  const double ratio = std::log(2'000) / 1'000;
  const double variance = 12'500.0 / (kRange * kRange) + std::sqrt(2 * ratio);
  ASSERT_LT(variance, 0.25);
  const auto* rule = selection_rule_named("ucb1-tuned");
  EXPECT_DOUBLE_EQ(rule->score(often, {.w = 0}, 0.1, kRange, 2'000), 286 + kRange * 0.1 * std::sqrt(ratio * variance));
  // With four visits it is above, and a quarter counts.
  const double few = std::log(2'000) / 4;
  EXPECT_DOUBLE_EQ(rule->score(kMove, {.w = 0}, 0.1, kRange, 2'000), 286 + kRange * 0.1 * std::sqrt(few * 0.25));
}

}  // namespace
}  // namespace chainshot::host
