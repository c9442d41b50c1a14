#include "host/record/round_planner.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

namespace chainshot::host {
namespace {

BoardProgress board(int best, int dry_turns = 0) {
  return {.best = best, .known = {}, .upper_bound = 10'000, .turns = 1, .turns_without_gain = dry_turns};
}

double seconds_of(const RoundPlan& plan) {
  return std::accumulate(plan.turns.begin(), plan.turns.end(), 0.0,
                         [](double sum, const PlannedTurn& turn) { return sum + turn.seconds; });
}

TEST(RoundPlanner, GivesEqualBoardsEqualTurnsThatGrow) {
  const std::vector<BoardProgress> boards(3, board(3000));
  const TurnBudgets budgets{.first_seconds = 10, .growth = 2, .longest = 5};
  const std::vector<double> expected = {10, 20, 40, 50, 50};
  for (int round = 1; round <= 5; ++round) {
    const RoundPlan plan = plan_round(budgets, boards, round, {}, 1);
    ASSERT_EQ(plan.turns.size(), 3U);
    for (const PlannedTurn& turn : plan.turns)
      EXPECT_DOUBLE_EQ(turn.seconds, expected[static_cast<std::size_t>(round - 1)]);
  }
}

TEST(RoundPlanner, CountsPlayoutsInsteadOfSeconds) {
  const TurnBudgets budgets{.first_playouts = 1000, .growth = 3, .longest = 100};
  const RoundPlan plan = plan_round(budgets, {board(3000), board(3000)}, 3, 1.0, 1);
  ASSERT_EQ(plan.turns.size(), 2U);
  EXPECT_EQ(plan.turns[0].playouts, 9000U);  // 1000 x 3 x 3; the second left does not matter
  EXPECT_EQ(plan.turns[0].seconds, 0);
}

// A board that improved weighs 2, one with three turns without a gain 2 / (1 + 3).
TEST(RoundPlanner, GivesMoreToBoardsThatImprove) {
  const std::vector<double> weights = board_weights({board(3000), board(3000, 1), board(3000, 3), board(3000, 100)});
  EXPECT_DOUBLE_EQ(weights[0], 2);
  EXPECT_DOUBLE_EQ(weights[1], 1);
  EXPECT_DOUBLE_EQ(weights[2], 0.5);
  EXPECT_DOUBLE_EQ(weights[3], 0.25);
}

TEST(RoundPlanner, GivesMoreToBoardsFarBelowWhatIsKnown) {
  std::vector<BoardProgress> boards = {board(3000, 1), board(3000, 1), board(3000, 1)};
  boards[0].known = 3000;
  boards[1].known = 3158;  // 158 of 3158 is half of 10 %
  boards[2].known = 6000;
  const std::vector<double> weights = board_weights(boards);
  EXPECT_DOUBLE_EQ(weights[0], 1);
  EXPECT_NEAR(weights[1], 1.5, 0.001);
  EXPECT_DOUBLE_EQ(weights[2], 2);
}

// Two boards reach 40 % of their bound; the third one, at 36 %, is a tenth below what they let expect.
TEST(RoundPlanner, ExpectsOfABoardWhatTheOthersReach) {
  const std::vector<double> weights = board_weights({board(4000, 1), board(4000, 1), board(3600, 1)});
  EXPECT_DOUBLE_EQ(weights[0], 1);
  EXPECT_DOUBLE_EQ(weights[2], 2);
}

TEST(RoundPlanner, PlansNothingForProvenBoards) {
  std::vector<BoardProgress> boards = {board(3000), board(3000)};
  boards[0].is_proven = true;
  const RoundPlan plan = plan_round({}, boards, 1, {}, 1);
  ASSERT_EQ(plan.turns.size(), 1U);
  EXPECT_EQ(plan.turns[0].board, 1U);
  EXPECT_DOUBLE_EQ(plan.turns[0].seconds, TurnBudgets{}.first_seconds);
  boards[1].is_proven = true;
  EXPECT_TRUE(plan_round({}, boards, 1, {}, 1).turns.empty());
}

TEST(RoundPlanner, LetsABoardSaveForItsTurn) {
  std::vector<BoardProgress> boards = {board(3000), board(3000, 7), board(3000), board(3000)};
  std::vector<double> saved(4);
  std::vector<int> turns_of_second;
  for (int round = 1; round <= 6; ++round) {
    for (std::size_t i = 0; i < 4; ++i)
      boards[i].saved = saved[i];
    const RoundPlan plan = plan_round({.growth = 1}, boards, round, {}, 1);
    saved = plan.saved;
    for (const PlannedTurn& turn : plan.turns)
      if (turn.board == 1) turns_of_second.push_back(round);
  }
  // Its share is 4 x 0.25 / (3 x 2 + 0.25) = 0.16 of a turn: it needs four rounds for half a turn.
  EXPECT_EQ(turns_of_second, std::vector<int>{4});
}

TEST(RoundPlanner, FitsTheLastRoundsIntoTheTimeLeft) {
  const std::vector<BoardProgress> boards(4, board(3000));
  const TurnBudgets budgets{.first_seconds = 10, .growth = 2, .longest = 100};
  // Two boards at a time: 4 boards of 10 s take 20 s.
  EXPECT_DOUBLE_EQ(seconds_of(plan_round(budgets, boards, 1, 100.0, 2)), 40);
  EXPECT_DOUBLE_EQ(seconds_of(plan_round(budgets, boards, 1, 28.0, 2)), 56);  // what is left is no round of its own
  EXPECT_DOUBLE_EQ(seconds_of(plan_round(budgets, boards, 1, 5.0, 2)), 10);
}

RC_GTEST_PROP(RoundPlanner, GivesEveryRoundTheSameTimeInAll, ()) {
  std::vector<BoardProgress> boards;
  for (int i = *rc::gen::inRange(1, 30); i > 0; --i) {
    boards.push_back(board(*rc::gen::inRange(0, 9000), *rc::gen::inRange(0, 20)));
    boards.back().is_proven = *rc::gen::inRange(0, 4) == 0;
  }
  const RoundPlan plan = plan_round({.first_seconds = 1, .growth = 1}, boards, 1, {}, 1);
  const auto open = std::count_if(boards.begin(), boards.end(), [](const auto& b) { return !b.is_proven; });
  const double saved = std::accumulate(plan.saved.begin(), plan.saved.end(), 0.0);
  RC_ASSERT(std::abs(seconds_of(plan) + saved - static_cast<double>(open)) < 1e-9);
}

}  // namespace
}  // namespace chainshot::host
