#include "host/anneal/annealing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <stop_token>
#include <thread>
#include <utility>

#include "game/reference.hpp"
#include "game/scoring_text.hpp"
#include "host/anneal/population.hpp"
#include "host/anneal/schedule.hpp"
#include "host/engines/shared_chain_engine.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/annealing_play.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scripted_chain_engine.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::advance;
using tests::anneal;
using tests::annealing_of;
using tests::Dice;
using tests::engine_of;
using tests::holds_of_some_time;
using tests::population_of;
using tests::scores_of;

// The best score of a board, by trying everything once.
int exhaustive(const game::Position& board, std::map<std::uint64_t, int>& known) {
  const auto found = known.find(board.hash());
  if (found != known.end()) return found->second;
  const auto groups = board.groups();
  int best = groups.empty() ? board.final_points(game::kStandardScoring) : -1'000'000;
  for (const game::Group& group : groups) {
    game::Position next = board;
    next.apply(group.cell);
    best = std::max(best, game::kStandardScoring.group_points(group.size) + exhaustive(next, known));
  }
  return known[board.hash()] = best;
}

TEST(CoolingSchedule, FallsGeometricallyAndShrinks) {
  const CoolingSchedule schedule({.last_members = 4, .steps = 3, .soft_start = 8, .soft_end = 2},
                                 {.hot = 40, .cold = 10, .elite = 20}, 16);
  EXPECT_DOUBLE_EQ(schedule.temperature(0), 40);
  EXPECT_DOUBLE_EQ(schedule.temperature(1), 20);
  EXPECT_DOUBLE_EQ(schedule.temperature(2), 10);
  EXPECT_DOUBLE_EQ(schedule.soft(1), 4);
  EXPECT_EQ(schedule.members(1), 8);
  EXPECT_EQ(schedule.turns_from(0), 16u + 8 + 4);
  EXPECT_EQ(schedule.turns_from(1), 8u + 4);
}

TEST(CoolingSchedule, KeepsAMultipleOfTheMembersThatRunTogether) {
  const CoolingSchedule schedule({.last_members = 4, .steps = 20}, kOfPoints, 30, 4);
  for (int step = 0; step < schedule.steps(); ++step)
    EXPECT_EQ(schedule.members(step) % 4, 0) << step;
  EXPECT_EQ(schedule.members(0), 32);  // 30 lies between 28 and 32, and the half is rounded up
  EXPECT_EQ(schedule.members(19), 4);
}

TEST(CoolingSchedule, HasTheMembersThatWereAskedFor) {
  for (const auto& [asked, last] : {std::pair(1, 4), std::pair(6, 4), std::pair(8, 1), std::pair(8, 4)}) {
    const AnnealSettings settings{.members = asked, .last_members = last, .steps = 5};
    const CoolingSchedule schedule(settings, kOfPoints, asked, members_together(settings, 4));
    EXPECT_EQ(schedule.members(0), asked);
    EXPECT_EQ(schedule.members(4), std::min(asked, last));
  }
  EXPECT_EQ(members_together({}, 4), 4);
  EXPECT_EQ(members_together({.members = 32}, 4), 4);
}

TEST(CoolingSchedule, HasNoMoreStepsThanEvaluationsServe) {
  EXPECT_EQ(steps_served(1'000'000, 256'000, 10), 100);  // 256 evaluations for each of ten members in each
  EXPECT_EQ(steps_served(90, 256'000, 10), 90);
  EXPECT_EQ(steps_served(90, 160, 10), 60);
  EXPECT_EQ(steps_served(30, 160, 10), 30);
}

TEST(TabuColors, AreTheTwoMostFrequentAndTies) {
  EXPECT_EQ(annealing_tabu_colors(tests::board_of({"0011", "1122"})), (std::vector<int>{1, 0, 2}));  // 2, 4, 2 blocks
  EXPECT_EQ(annealing_tabu_colors(tests::board_of({"0011", "1022"})), (std::vector<int>{0, 1}));     // 3, 3, 2
  EXPECT_EQ(annealing_tabu_colors(tests::board_of({"0000"})), (std::vector<int>{0}));
}

TEST(Population, CopiesLinesOfTheFitAndEndsOthersOnEachIsland) {
  Dice dice(1);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  Population population = population_of(task, 6, {0, 1}, 7, 2);
  const game::AcceptanceTable table(20, 5, task.scoring);
  const std::vector<int> before = population.fitness(table);
  const int first = *std::max_element(before.begin(), before.begin() + 6);
  const int second = *std::max_element(before.begin() + 6, before.end());
  ASSERT_NE(first, second);
  // At a temperature next to nothing only the fittest of an island counts.
  population.resample(table, 40, 0.01, 4);
  EXPECT_EQ(population.fitness(table), (std::vector{first, first, first, first, second, second, second, second}));
  EXPECT_EQ(population.members(), 4);
  EXPECT_EQ(population.size(), 8);
}

TEST(Population, KeepsTheMembersThatWereMadeOnAllIslands) {
  Dice dice(11);
  const SearchTask task{.board = tests::full_board(dice, {10, 10, 3})};
  const Population whole = population_of(task, 9, {0, 1}, 7, 2);
  const std::vector<int> all = scores_of(whole, task);
  // Stops after so many questions, so that a member of the last island is missing.
  class StopsLate final : public game::ChainObserver {
   public:
    bool stopped() override { return ++asked_ > 11; }

   private:
    int asked_ = 0;
  } stops_late;
  Population population(task, engine_of(1), 2, 9, {0, 1}, 7);
  population.make(0, 9, stops_late);
  population.keep_made(2);
  ASSERT_EQ(population.members(), 4);  // five members of both islands were made, and a sixth of the first
  EXPECT_EQ(scores_of(population, task),
            (std::vector{all[0], all[1], all[2], all[3], all[9], all[10], all[11], all[12]}));
}

TEST(Population, AdmitsLinesInPlaceOfTheLeastFitOfTheirIslands) {
  Dice dice(2);
  const SearchTask task{.board = tests::full_board(dice, {10, 10, 3})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  Population population = population_of(task, 4, {0}, 3, 2);
  Population other = population_of(task, 1, {0}, 99);
  advance(other, table, 5000);
  std::vector<int> expected = scores_of(population, task);
  const std::vector<int> fitness = population.fitness(table);
  const auto replace = [&](auto first, auto last) {
    expected[static_cast<std::size_t>(std::min_element(first, last) - fitness.begin())] = other.best_scores()[0];
  };
  replace(fitness.begin(), fitness.begin() + 4);
  replace(fitness.begin() + 4, fitness.end());
  const std::vector<game::Cell> line = other.best_moves(0);
  population.admit({{.island = 0, .moves = &line}, {.island = 1, .moves = &line}}, table);
  EXPECT_EQ(scores_of(population, task), expected);
}

TEST(Temperatures, SuitTheScoringUnlessTheyAreGiven) {
  const game::Scoring clickomania = *game::scoring_named("clickomania");
  EXPECT_EQ(temperatures_for({}, game::kStandardScoring).hot, kOfPoints.hot);
  EXPECT_EQ(temperatures_for({}, clickomania).cold, kOfBlocks.cold);
  // Three times the points for a group of any size, three times the temperatures.
  const game::Scoring triple = game::parse_scoring("points=3(n-2)^2; bonus=10");
  EXPECT_DOUBLE_EQ(temperatures_for({}, triple).hot, 3 * kOfPoints.hot);
  EXPECT_DOUBLE_EQ(temperatures_for({}, triple).cold, 3 * kOfPoints.cold);
  EXPECT_DOUBLE_EQ(temperatures_for({.hot = 5}, triple).cold, 5);  // the one that was given moves the other
  EXPECT_EQ(temperatures_for({.hot = 3}, clickomania).hot, 3);
  EXPECT_EQ(temperatures_for({.hot = 3}, clickomania).cold, kOfBlocks.cold);
  EXPECT_EQ(temperatures_for({.cold = 1}, clickomania).hot, kOfBlocks.hot);
}

// Where a block is a point, temperatures of tens of points take every change.
TEST(Annealing, ClearsBoardsWhereOnlyTheBlocksLeftCount) {
  Dice dice(20);
  for (int i = 0; i < 3; ++i) {
    const SearchTask task{.board = tests::full_board(dice, {10, 10, 4}),
                          .scoring = *game::scoring_named("clickomania")};
    Incumbent incumbent(task);
    annealing_of(task, {}, {.playouts = 200'000}, 1, incumbent)->run({}, {});
    EXPECT_EQ(incumbent.score(), 0) << tests::drawing(task.board);
  }
}

TEST(Annealing, EndsWhenItHasWhatTheBoardItselfAllows) {
  const SearchTask task{.board = tests::board_of({"000", "000", "111"})};
  for (const Budget& budget : {Budget{}, Budget{.seconds = 600}, Budget{.playouts = 1'000'000'000'000}}) {
    Incumbent incumbent(task);
    const auto search = annealing_of(task, {}, budget, 2, incumbent);
    run_alone(*search, budget.seconds);
    EXPECT_EQ(incumbent.score(), 4 * 4 + 1 + 1000);
    EXPECT_TRUE(search->status().proven);
  }
}

TEST(Annealing, FindsTheBestLineOfSmallBoards) {
  Dice dice(3);
  for (int i = 0; i < tests::scaled(8); ++i) {
    const SearchTask task{.board = tests::full_board(dice, {5, 5, 3}), .seed = dice.word()};
    std::map<std::uint64_t, int> known;
    EXPECT_EQ(anneal(task, {}, 60'000, 1).score, exhaustive(task.board, known)) << tests::drawing(task.board);
  }
}

TEST(Annealing, DependsOnTheSeedAloneWhateverTheThreads) {
  Dice dice(4);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5}), .seed = 5};
  const AnnealSettings settings{.members = 7, .steps = 9};
  const std::uint64_t evaluations = static_cast<std::uint64_t>(tests::scaled(40'000));
  const BestLine alone = anneal(task, settings, evaluations, 1);
  EXPECT_EQ(anneal(task, settings, evaluations, 3).moves, alone.moves);
  EXPECT_EQ(anneal(task, settings, evaluations, 1).moves, alone.moves);
  SearchTask other = task;
  other.seed = 6;
  EXPECT_NE(anneal(other, settings, evaluations, 1).moves, alone.moves);
}

// A small board has many best lines, and threads find them at the same time.
TEST(Annealing, OffersTheSameOfEqualLinesWhateverTheThreads) {
  Dice dice(16);
  for (int i = 0; i < 8; ++i) {
    const SearchTask task{.board = tests::full_board(dice, {9, 9, 3}), .seed = 5};
    const AnnealSettings settings{.members = 8, .steps = 5};
    const std::uint64_t evaluations = static_cast<std::uint64_t>(tests::scaled(80'000));
    EXPECT_EQ(anneal(task, settings, evaluations, 3).moves, anneal(task, settings, evaluations, 1).moves);
  }
}

TEST(Annealing, DependsOnTheSeedAloneOnSeveralDevices) {
  Dice dice(27);
  const SearchTask task{.board = tests::full_board(dice, {12, 12, 4}), .seed = 5};
  const AnnealSettings settings{.islands = 5, .members = 8, .steps = 9, .deterministic = true};
  const BestLine on_cpu = anneal(task, settings, 60'000, 2);
  for (const std::vector<int>& chains : std::vector<std::vector<int>>{{100}, {100, 100}, {10, 100, 30}}) {
    std::vector<std::unique_ptr<game::ChainEngine>> devices;
    for (const int at_once : chains)
      devices.push_back(std::make_unique<tests::ScriptedChainEngine>("device", at_once));
    SharedChainEngine engine(std::make_shared<ChainDevices>(std::move(devices)), nullptr, {});
    Incumbent incumbent(task);
    make_annealing(task, settings, {.playouts = 60'000}, {engine, incumbent})->run({}, {});
    EXPECT_EQ(incumbent.best().moves, on_cpu.moves) << chains.size();
  }
}

TEST(Annealing, DependsOnTheSeedAloneOverSeveralRounds) {
  Dice dice(10);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5}), .seed = 5};
  const AnnealSettings settings{.members = 4, .steps = 5, .longest_round = 5'000};
  EXPECT_EQ(anneal(task, settings, 15'000, 3).moves, anneal(task, settings, 15'000, 1).moves);
}

TEST(Annealing, SpendsItsEvaluationsAndNoMore) {
  // `anneal` checks the latter. Fewer evaluations than chains are left over.
  Dice dice(13);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  // Fewer than members, than turns of members, than steps; several rounds that none of the numbers divides.
  for (const std::uint64_t evaluations : {1, 10, 100, 1001, 20'011})
    for (const int members : {0, 1, 7, 1000})
      for (const int islands : {1, 3}) {
        anneal(task, {.islands = islands, .members = members, .longest_round = 3'000}, evaluations, 2);
        anneal(task, {.islands = islands, .members = members, .steps = 3}, evaluations, 1);
      }
  Incumbent incumbent(task);
  const auto search = annealing_of(task, {.members = 7, .last_members = 7}, {.playouts = 20'011}, 1, incumbent);
  search->run({}, {});
  EXPECT_GT(search->status().evaluations, 20'011u - 7);
}

TEST(Annealing, DependsOnTheSeedAloneWithMoreMembersThanEvaluationsServe) {
  Dice dice(14);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5}), .seed = 5};
  EXPECT_EQ(anneal(task, {.members = 1'000'000}, 30'000, 3).moves,
            anneal(task, {.members = 1'000'000}, 30'000, 1).moves);
}

// Populations that would take minutes and more memory than there is, on the largest board too. An answer at all says
// that the clock was heeded.
TEST(Annealing, KeepsItsTimeWithAMillionMembers) {
  Dice dice(15);
  for (const tests::Shape shape : {tests::Shape{15, 15, 5}, tests::Shape{31, 32, 15}}) {
    const SearchTask task{.board = tests::full_board(dice, shape)};
    Incumbent incumbent(task);
    const auto search = annealing_of(task, {.members = 1'000'000}, {.seconds = 0.5}, 2, incumbent);
    run_alone(*search, 0.5);
    EXPECT_GT(incumbent.best().moves.size(), 0u);
  }
}

TEST(Annealing, StopsWhileItsMembersAreMade) {
  Dice dice(16);
  const SearchTask task{.board = tests::full_board(dice, {31, 32, 15})};
  for (const Budget& budget : {Budget{}, Budget{.playouts = 1'000'000'000}}) {
    std::stop_source stop;
    Incumbent incumbent(task, [&](const BestLine&) { stop.request_stop(); });
    // Sanitizers multiply the memory of as many as there is room for.
    const int members = tests::kSanitized ? 100 : 1'000'000;
    const auto search = annealing_of(task, {.members = members}, budget, 2, incumbent);
    search->run({}, stop.get_token());
    EXPECT_GT(incumbent.best().moves.size(), 0u);
    EXPECT_EQ(search->status().evaluations, 0u);
  }
}

TEST(Annealing, OffersALineEvenIfThereIsNoTime) {
  Dice dice(17);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  std::stop_source stop;
  stop.request_stop();
  for (const auto& [budget, token] :
       {std::pair(Budget{.seconds = 1e-9}, std::stop_token{}), std::pair(Budget{.seconds = 10}, stop.get_token())}) {
    Incumbent incumbent(task);
    run_alone(*annealing_of(task, {}, budget, 2, incumbent), budget.seconds, token);
    EXPECT_GT(incumbent.best().moves.size(), 0u);
  }
}

TEST(Annealing, EndsWhenAskedTo) {
  Dice dice(5);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  Incumbent incumbent(task);
  const auto search = annealing_of(task, {}, {}, 2, incumbent);
  std::stop_source stop;
  std::jthread runner([&] { search->run({}, stop.get_token()); });
  while (search->status().evaluations < 10'000)
    std::this_thread::yield();
  stop.request_stop();
  runner.join();
  EXPECT_GT(incumbent.best().moves.size(), 0u);
}

TEST(Annealing, EndsColdWhenItsTimeIsUp) {
  Dice dice(6);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const AnnealSettings settings{.members = 4, .cold = 12, .steps = 4};
  EXPECT_TRUE(holds_of_some_time({2, 8, 30}, [&](double seconds) {
    Incumbent incumbent(task);
    const auto search = annealing_of(task, settings, {.seconds = seconds}, 2, incumbent);
    run_alone(*search, seconds);
    return incumbent.best().score > 0 && search->status().figure("temperature") == 12;
  }));
}

// All the time used to go between the steps.
TEST(Annealing, EvaluatesWithMoreStepsThanThereIsTimeFor) {
  Dice dice(18);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  EXPECT_TRUE(holds_of_some_time({1, 4, 15}, [&](double seconds) {
    Incumbent incumbent(task);
    const auto search = annealing_of(task, {.steps = 1'000'000}, {.seconds = seconds}, 2, incumbent);
    run_alone(*search, seconds);
    return search->status().evaluations > 100;
  }));
}

// The islands of a device lose their lines with it; the best ones must be in the round after it.
TEST(Annealing, GoesOnFromTheBestLinesOfALostDevice) {
  Dice dice(26);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5}), .seed = 4};
  auto device = std::make_unique<tests::ScriptedChainEngine>("device", 8);
  tests::ScriptedChainEngine& script = *device;
  script.fails_after = 40;  // of 60 steps
  std::vector<std::unique_ptr<game::ChainEngine>> devices;
  devices.push_back(std::move(device));
  std::vector<std::string> notices;
  SharedChainEngine engine(
      std::make_shared<ChainDevices>(std::move(devices)), [] { return cpu::make_cpu_chain_engine({.threads = 1}); },
      [&](const std::string& sentence) { notices.push_back(sentence); });
  Incumbent incumbent(task);
  const auto search = make_annealing(task, {.islands = 2, .members = 4, .last_members = 4, .longest_round = 60'000},
                                     {.playouts = 60'000}, {engine, incumbent});
  search->run({}, {});
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_TRUE(notices[0].starts_with("device fails; cpu (")) << notices[0];
  EXPECT_GT(search->status().evaluations, 60'000u * 9 / 10);  // the CPU spent the rest
  ASSERT_FALSE(script.best_of_lost.empty());
  const auto found = search->elites();
  EXPECT_GE(found.front().score, *std::max_element(script.best_of_lost.begin(), script.best_of_lost.end()));
}

TEST(Annealing, SaysWhenItsLinesAreNotTrue) {
  // An incumbent of another board refuses what it is offered: the search must not go on as if nothing had happened.
  Dice dice(7);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  Incumbent other({.board = tests::full_board(dice, {15, 15, 5})});
  EXPECT_THROW(annealing_of(task, {}, {.playouts = 10'000}, 2, other)->run({}, {}), std::logic_error);
}

}  // namespace
}  // namespace chainshot::host
