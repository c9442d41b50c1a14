#include "host/search/search_plan.hpp"

#include <gtest/gtest.h>

#include "game/board_text.hpp"
#include "host/engines/engines.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"
#include "tools/measure/delay_engine.hpp"

namespace chainshot::host {
namespace {

SearchPlan plan_of(std::string_view name, const Budget& budget = {.playouts = 500}) {
  const Preset& preset = *preset_named(name);
  return {.method = preset.method, .tree = preset.tree, .anneal = {}, .budget = budget};
}

SearchTask standard_board() {
  return {.board = game::standard_boards()[0].position};
}

std::vector<std::string> names_of(const SearchPlan& plan, const std::vector<game::Engine*>& engines,
                                  const SearchTask& task = standard_board(), int threads = 2) {
  Incumbent incumbent(task);
  std::vector<std::string> names;
  for (const NamedSearch& named : make_searches(plan, engines, threads)(task, incumbent))
    names.push_back(named.name);
  return names;
}

TEST(PresetSearches, AutoSearchesATreeOnlyOnADevice) {
  const auto cpu = make_engine({.name = "cpu", .threads = 1});
  DelayEngine device(make_engine({.name = "cpu", .threads = 1}), {});
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(plan_of("auto"), {}), Names({"anneal"}));
  EXPECT_EQ(names_of(plan_of("auto"), {cpu.get()}), Names({"anneal"}));
  EXPECT_EQ(names_of(plan_of("auto"), {&device}), Names({"tree", "anneal"}));
  EXPECT_EQ(names_of(plan_of("anneal"), {}), Names({"anneal"}));
  EXPECT_EQ(names_of(plan_of("sp-mcts"), {cpu.get()}), Names({"tree"}));
}

TEST(PresetSearches, AutoLooksForAProofOfSmallBoardsWhenItIsTimed) {
  tests::Dice dice(3);
  const SearchTask small{.board = tests::full_board(dice, {8, 8, 4})},
      large{.board = tests::full_board(dice, {8, 9, 4})};
  DelayEngine device(make_engine({.name = "cpu", .threads = 1}), {});
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(plan_of("auto", {.seconds = 1}), {}, small), Names({"proof", "anneal"}));
  EXPECT_EQ(names_of(plan_of("auto", {}), {&device}, small, 3), Names({"tree", "proof", "anneal"}));
  EXPECT_EQ(names_of(plan_of("auto", {}), {&device}, small, 2), Names({"tree", "anneal"}));
  EXPECT_EQ(names_of(plan_of("auto", {.seconds = 1}), {}, large), Names({"anneal"}));
  EXPECT_EQ(names_of(plan_of("auto", {.seconds = 1, .playouts = 500}), {}, small), Names({"anneal"}));
  EXPECT_EQ(names_of(plan_of("anneal", {.seconds = 1}), {}, small), Names({"anneal"}));
}

TEST(PresetSearches, OneThreadLooksForAProofInsteadOfAnnealing) {
  tests::Dice dice(3);
  using Names = std::vector<std::string>;
  const SearchPlan plan = plan_of("auto", {.seconds = 1});
  EXPECT_EQ(names_of(plan, {}, {.board = tests::full_board(dice, {7, 7, 4})}, 1), Names({"proof"}));
  EXPECT_EQ(names_of(plan, {}, {.board = tests::full_board(dice, {8, 7, 4})}, 1), Names({"anneal"}));
}

TEST(PresetSearches, AutoProvesSmallBoards) {
  constexpr double kSeconds = 60;
  tests::Dice dice(4);
  for (int i = 0; i < tests::scaled(16); ++i) {
    const tests::Shape shape{dice.between(1, 6), dice.between(1, 6), dice.between(3, 4)};
    const SearchTask task{.board = tests::full_board(dice, shape),
                          .scoring = game::kScorings[static_cast<std::size_t>(i) % 5]};
    if (!task.board.has_moves()) continue;
    const auto maker = make_searches(plan_of("auto", {.seconds = kSeconds}), {}, dice.between(1, 2));
    const SolveResult result = solve(task, maker, kSeconds, {});
    EXPECT_EQ(result.error, "");
    EXPECT_TRUE(result.proven) << tests::drawing(task.board);
    EXPECT_EQ(result.best.score, tests::BruteForce(task.scoring).best(game::ReferenceBoard(task.board)));
    EXPECT_TRUE(result.best.source == "proof" || result.best.source == "anneal") << result.best.source;
  }
}

TEST(PresetSearches, BothSearchesOfAutoHaveTheBudget) {
  DelayEngine device(make_engine({.name = "cpu", .threads = 1}), {});
  const SolveResult result = solve(standard_board(), make_searches(plan_of("auto"), {&device}, 2), 0, {});
  EXPECT_EQ(result.error, "");
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.last.searches.size(), 2u);
  EXPECT_GT(result.last.searches[0].status.playouts, 0u);
  EXPECT_LE(result.last.searches[0].status.playouts, 540u);  // the last walk may look ahead to all moves of its leaf
  EXPECT_GE(result.last.searches[1].status.evaluations, 500u);
  EXPECT_GT(result.best.version, 0u);
}

}  // namespace
}  // namespace chainshot::host
