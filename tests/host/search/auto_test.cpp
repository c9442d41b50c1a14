#include "host/search/auto.hpp"

#include <gtest/gtest.h>

#include "game/board_text.hpp"
#include "host/engines/engines.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

SearchTask standard_board() {
  return {.board = game::standard_boards()[0].position};
}

SearchMaker maker_of(std::string_view preset_name, const Budget& budget, int threads) {
  return [=](const SearchTask& task, Incumbent& incumbent) {
    const auto [kind, preset] = find_preset(preset_name);
    const Resources resources{.engines = {}, .choice = {.name = "cpu"}, .threads = threads, .budget = budget};
    return kind->make(task, preset->settings, resources, incumbent);
  };
}

using Names = std::vector<std::string>;

Names names_of(std::string_view preset, const Budget& budget = {.playouts = 500},
               const SearchTask& task = standard_board(), int threads = 2) {
  Incumbent incumbent(task);
  Names names;
  for (const NamedSearch& named : maker_of(preset, budget, threads)(task, incumbent))
    names.push_back(named.name);
  return names;
}

TEST(Auto, AnnealsLargeBoards) {
  EXPECT_EQ(names_of("auto"), Names({"anneal"}));
  EXPECT_EQ(names_of("auto", {.seconds = 1}), Names({"anneal"}));
}

TEST(Auto, LooksForAProofOfSmallBoardsWhenItIsTimed) {
  tests::Dice dice(3);
  const SearchTask small{.board = tests::full_board(dice, {8, 8, 4})},
      large{.board = tests::full_board(dice, {8, 9, 4})};
  EXPECT_EQ(names_of("auto", {.seconds = 1}, small), Names({"proof", "anneal"}));
  EXPECT_EQ(names_of("auto", {.seconds = 1}, large), Names({"anneal"}));
  EXPECT_EQ(names_of("auto", {.seconds = 1, .playouts = 500}, small), Names({"anneal"}));
  EXPECT_EQ(names_of("anneal", {.seconds = 1}, small), Names({"anneal"}));
}

TEST(Auto, OneThreadLooksForAProofInsteadOfAnnealing) {
  tests::Dice dice(3);
  EXPECT_EQ(names_of("auto", {.seconds = 1}, {.board = tests::full_board(dice, {7, 7, 4})}, 1), Names({"proof"}));
  EXPECT_EQ(names_of("auto", {.seconds = 1}, {.board = tests::full_board(dice, {8, 7, 4})}, 1), Names({"anneal"}));
}

TEST(Auto, ProvesSmallBoards) {
  constexpr double kSeconds = 60;
  tests::Dice dice(4);
  for (int i = 0; i < tests::scaled(16); ++i) {
    const tests::Shape shape{dice.between(1, 6), dice.between(1, 6), dice.between(3, 4)};
    const SearchTask task{.board = tests::full_board(dice, shape),
                          .scoring = game::kScorings[static_cast<std::size_t>(i) % 5]};
    if (!task.board.has_moves()) continue;
    const SearchMaker maker = maker_of("auto", {.seconds = kSeconds}, dice.between(1, 2));
    const SolveResult result = solve(task, maker, kSeconds, {});
    EXPECT_EQ(result.error, "");
    EXPECT_TRUE(result.proven) << tests::drawing(task.board);
    EXPECT_EQ(result.best.score, tests::BruteForce(task.scoring).best(game::ReferenceBoard(task.board)));
    EXPECT_TRUE(result.best.source == "proof" || result.best.source == "anneal") << result.best.source;
  }
}

}  // namespace
}  // namespace chainshot::host
