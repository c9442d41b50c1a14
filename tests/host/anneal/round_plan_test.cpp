#include "host/anneal/round_plan.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

SearchTask some_task() {
  tests::Dice dice(1);
  return {.board = tests::full_board(dice, {15, 15, 5}), .seed = 3};
}

const game::ChainCapabilities kSixThreads{
    .name = "six", .chains_at_once = 6, .lines_at_once = 6, .evaluations_per_second = 1e6};

TEST(EvaluationBudget, CountsDownToNothing) {
  EvaluationBudget budget({.playouts = 100}, 1e6);
  budget.begin(SearchClock());
  EXPECT_EQ(budget.evaluations_left(), 100u);
  budget.add(70);
  EXPECT_EQ(budget.evaluations_left(), 30u);
  EXPECT_FALSE(budget.is_spent());
  budget.add(40);
  EXPECT_EQ(budget.evaluations_left(), 0u);
  EXPECT_TRUE(budget.is_spent());
}

TEST(EvaluationBudget, GuessesWhatTimeAllowsUntilSomeWereCounted) {
  EvaluationBudget budget({.seconds = 1e6}, 1000);
  budget.begin(SearchClock());
  EXPECT_LE(budget.evaluations_left(), 1'000'000'000u);
  EXPECT_GT(budget.evaluations_left(), 990'000'000u);
  EXPECT_EQ(EvaluationBudget({}, 1000).evaluations_left(), EvaluationBudget::kUnlimited);
}

TEST(RoundPlanner, HasNoMoreMembersThanMemoryHolds) {
  EvaluationBudget budget({.playouts = 100'000'000}, 1e6);
  const auto members = [&](std::uint64_t bytes) {
    const RoundPlanner planner(some_task(), {.members = 1000, .memory_bytes = bytes}, budget, kSixThreads);
    return planner.plan_round(0).schedule.members(0);
  };
  EXPECT_EQ(members(0), 1000);
  // A chain of a small board takes up to 64 KiB.
  EXPECT_EQ(members(std::uint64_t{8} << 20), 128);
  EXPECT_GE(members(1), 1);
}

TEST(RoundPlanner, DividesALongBudgetIntoEqualRounds) {
  EvaluationBudget budget({.playouts = 1000}, 1e6);
  budget.begin(SearchClock());
  const RoundPlanner planner(some_task(), {.longest_round = 400}, budget, kSixThreads);
  // 1000 evaluations take three rounds of 400 or less: 333, then half of 667, then the rest.
  for (const std::uint64_t expected : {333, 333, 334}) {
    const AnnealRound round = planner.plan_round(0);
    EXPECT_EQ(round.evaluations, expected);
    EXPECT_EQ(round.end, budget.evaluations() + expected);
    EXPECT_EQ(round.is_last, expected == 334);
    budget.add(expected);
  }
}

TEST(RoundPlanner, RoundsWithoutAnEndGrowToTheLongest) {
  EvaluationBudget budget({}, 1e6);
  budget.begin(SearchClock());
  const RoundPlanner planner(some_task(), {.longest_round = 50'000'000}, budget, kSixThreads);
  EXPECT_EQ(planner.plan_round(0).evaluations, 20'000'000u);
  EXPECT_EQ(planner.plan_round(1).evaluations, 40'000'000u);
  EXPECT_EQ(planner.plan_round(2).evaluations, 50'000'000u);
  EXPECT_EQ(planner.plan_round(1'000).evaluations, 50'000'000u);
  EXPECT_FALSE(planner.plan_round(2).is_last);
}

// For a budget of evaluations nothing may depend on the machine.
TEST(RoundPlanner, ThePopulationSuitsTheThreadsOnlyWhereTimeIsTheLimit) {
  for (const Budget& limit :
       {Budget{.playouts = 10'000'000}, Budget{.seconds = 10, .playouts = 10'000'000}, Budget{}}) {
    EvaluationBudget budget(limit, 1e6);
    budget.begin(SearchClock());
    EXPECT_EQ(RoundPlanner(some_task(), {}, budget, kSixThreads).plan_round(0).together, 4);
  }
  EvaluationBudget timed({.seconds = 10}, 1e6);
  timed.begin(SearchClock());
  EXPECT_EQ(RoundPlanner(some_task(), {}, timed, kSixThreads).plan_round(0).together, 6);
}

TEST(RoundPlanner, StepsShareWhatIsLeftByTheirMembers) {
  EvaluationBudget budget({.playouts = 1'200}, 1e6);
  budget.begin(SearchClock());
  const RoundPlanner planner(some_task(), {.members = 8, .last_members = 4, .steps = 2}, budget, kSixThreads);
  const AnnealRound round = planner.plan_round(0);
  ASSERT_EQ(round.schedule.turns_from(0), 8u + 4);
  EXPECT_EQ(planner.plan_step(round, 0, 8).evaluations, 800u);
  budget.add(800);
  EXPECT_FALSE(planner.is_spent(round, 4, 1));
  EXPECT_EQ(planner.plan_step(round, 1, 4).evaluations, 400u);
  budget.add(400);
  EXPECT_TRUE(planner.is_spent(round, 4, 1));
}

TEST(RoundPlanner, AdaptsTheScheduleToTheMembersThatWereMade) {
  EvaluationBudget budget({.playouts = 1'000'000}, 1e6);
  budget.begin(SearchClock());
  const RoundPlanner planner(some_task(), {.members = 80}, budget, kSixThreads);
  AnnealRound round = planner.plan_round(0);
  EXPECT_EQ(round.schedule.members(0), 80);
  planner.settle_members(round, 20);
  EXPECT_EQ(round.schedule.members(0), 20);
}

// A share of 0.02 of 1,000,000 evaluations are 20,000, or 400 playouts of 50 each, for half of eight members.
TEST(RoundPlanner, StartLinesGetTheirShareOfTheEvaluations) {
  EvaluationBudget budget({.playouts = 1'000'000}, 1e6);
  budget.begin(SearchClock());
  const RoundPlanner planner(some_task(), {.members = 8, .tree_share = 0.02}, budget, kSixThreads);
  EXPECT_EQ(planner.plan_starts(planner.plan_round(0), 8).playouts, 100u);
}

}  // namespace
}  // namespace chainshot::host
