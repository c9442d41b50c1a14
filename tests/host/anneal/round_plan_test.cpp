#include "host/anneal/round_plan.hpp"

#include <gtest/gtest.h>

#include "tests/support/annealing_play.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scripted_chain_engine.hpp"

namespace chainshot::host {
namespace {

SearchTask some_task() {
  tests::Dice dice(1);
  return {.board = tests::full_board(dice, {15, 15, 5}), .seed = 3};
}

const game::ChainEngine& kSixThreads = tests::engine_of(6);

// Plans for populations of one island that do not shrink by themselves.
StepPlan step_of(const RoundPlanner& planner, const AnnealRound& round, int step, int members) {
  return planner.plan_step(round, step, tests::population_of(some_task(), members, {0}, 1));
}

bool is_spent(const RoundPlanner& planner, const AnnealRound& round, int members) {
  return planner.is_spent(round, tests::population_of(some_task(), members, {0}, 1));
}

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

TEST(RoundPlanner, RoundsWithoutAnEndGrowWithWhatWasDone) {
  EvaluationBudget budget({}, 1e6);
  budget.begin(SearchClock());
  const RoundPlanner planner(some_task(), {.longest_round = 50'000'000}, budget, kSixThreads);
  EXPECT_EQ(planner.plan_round(0).evaluations, 2'500'000u);
  budget.add(40'000'000);
  EXPECT_EQ(planner.plan_round(7).evaluations, 10'000'000u);
  budget.add(1'000'000'000);
  EXPECT_EQ(planner.plan_round(30).evaluations, 50'000'000u);
  EXPECT_FALSE(planner.plan_round(30).is_last);
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
  EXPECT_EQ(step_of(planner, round, 0, 8).evaluations_each, 100u);
  budget.add(800);
  EXPECT_FALSE(is_spent(planner, round, 4));
  EXPECT_EQ(step_of(planner, round, 1, 4).evaluations_each, 100u);
  budget.add(397);
  EXPECT_TRUE(is_spent(planner, round, 4));  // three are too few for four chains
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

// 16 million evaluations are four rounds of four million; with less the rounds would be too short.
TEST(RoundPlanner, DividesByTheBudgetIfNoLengthIsGiven) {
  const auto rounds = [&](std::uint64_t evaluations) {
    EvaluationBudget budget({.playouts = evaluations}, 1e6);
    budget.begin(SearchClock());
    const RoundPlanner planner(some_task(), {}, budget, kSixThreads);
    std::vector<std::uint64_t> lengths;
    for (AnnealRound round = planner.plan_round(0);; round = planner.plan_round(0)) {
      lengths.push_back(round.evaluations);
      budget.add(round.evaluations);
      if (round.is_last) return lengths;
    }
  };
  EXPECT_EQ(rounds(1'000'000), (std::vector<std::uint64_t>{1'000'000}));
  EXPECT_EQ(rounds(5'000'000), (std::vector<std::uint64_t>(2, 2'500'000)));
  EXPECT_EQ(rounds(16'000'000), (std::vector<std::uint64_t>(4, 4'000'000)));
  EXPECT_EQ(rounds(1'000'000'000), (std::vector<std::uint64_t>(10, 100'000'000)));
}

TEST(RoundPlanner, FillsADeviceWithIslandsUnlessTheResultMustNotDependOnIt) {
  tests::ScriptedChainEngine device("device", 6400);
  EvaluationBudget budget({.playouts = 1'000'000'000}, 1e6);
  budget.begin(SearchClock());
  const AnnealRound full = RoundPlanner(some_task(), {}, budget, device).plan_round(0);
  EXPECT_EQ(full.islands, 100);
  EXPECT_EQ(full.schedule.members(0), 64);
  EXPECT_EQ(full.schedule.members(59), 64);
  EXPECT_TRUE(full.is_last);  // a chain has 156,250 evaluations
  const AnnealRound same = RoundPlanner(some_task(), {.deterministic = true}, budget, device).plan_round(0);
  const AnnealRound on_cpu = RoundPlanner(some_task(), {}, budget, kSixThreads).plan_round(0);
  EXPECT_EQ(same.islands, 1);
  EXPECT_EQ(same.schedule.members(0), on_cpu.schedule.members(0));
  EXPECT_EQ(same.evaluations, on_cpu.evaluations);
  EXPECT_EQ(RoundPlanner(some_task(), {.islands = 7, .members = 10}, budget, device).plan_round(0).islands, 7);
}

TEST(RoundPlanner, HasNoMoreChainsThanMemoryHoldsWithAnyNumberOfIslands) {
  EvaluationBudget counted({.playouts = 100'000'000}, 1e6), timed({.seconds = 100}, 1e6);
  for (EvaluationBudget* budget : {&counted, &timed}) {
    budget->begin(SearchClock());
    for (const int islands : {1, 3, 64, 100, 1000}) {
      const AnnealSettings settings{.islands = islands, .memory_bytes = std::uint64_t{8} << 20};  // 128 chains
      const AnnealRound round = RoundPlanner(some_task(), settings, *budget, kSixThreads).plan_round(0);
      EXPECT_LE(round.islands * round.schedule.members(0), 128) << islands;
      EXPECT_EQ(round.islands, std::min(islands, 128));
    }
  }
}

TEST(RoundPlanner, FillsADeviceNoFurtherThanItHasRoom) {
  tests::ScriptedChainEngine device("device", 6400);
  device.room = 1000;
  EvaluationBudget budget({.playouts = 1'000'000'000}, 1e6);
  budget.begin(SearchClock());
  const AnnealRound round = RoundPlanner(some_task(), {}, budget, device).plan_round(0);
  EXPECT_EQ(round.islands, 15);
  EXPECT_EQ(round.schedule.members(0), 64);
  EXPECT_EQ(RoundPlanner(some_task(), {.last_members = 4}, budget, device).plan_round(0).schedule.members(59), 4);
  // Where the result must not depend on the device, the memory of the machine counts too.
  const AnnealSettings same{.members = 500, .deterministic = true, .memory_bytes = std::uint64_t{8} << 20};
  EXPECT_EQ(RoundPlanner(some_task(), same, budget, device).plan_round(0).schedule.members(0), 128);
}

TEST(RoundPlanner, AStepOfADeviceEndsWithItsTime) {
  tests::ScriptedChainEngine device("device", 64);
  EvaluationBudget budget({.seconds = 600}, 1e5);
  budget.begin(SearchClock());
  const RoundPlanner planner(some_task(), {.members = 4, .steps = 2}, budget, device);
  const AnnealRound round = planner.plan_round(0);
  const Population population(some_task(), device, round.islands, 4, {0}, 1);
  const StepPlan plan = planner.plan_step(round, 0, population);
  EXPECT_EQ(plan.evaluations_each, game::ChainSet::kUntilStopped);
  EXPECT_NEAR(plan.end_seconds, 300, 5);
}

}  // namespace
}  // namespace chainshot::host
