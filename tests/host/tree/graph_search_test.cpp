// Searches on a graph of positions (UCT1, UCT2, UCD) with budgets, moves of a game, several trees and little memory.
#include <gtest/gtest.h>

#include <cstdint>

#include "game/board_text.hpp"
#include "host/engines/engines.hpp"
#include "host/search/search_runner.hpp"
#include "host/tree/search_context.hpp"
#include "host/tree/tree_kind.hpp"
#include "host/tree/tree_search.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

struct Searched {
  BestLine best;
  SearchStatus status;
};

Searched search(const game::Position& board, const TreeSettings& settings, const Budget& budget, int threads = 1) {
  const SearchTask task{.board = board, .seed = 7};
  const auto engine = make_engine({.name = "cpu", .threads = threads});
  Incumbent incumbent(task);
  const auto searching = make_tree_search(task, settings, budget, {engine.get()}, threads, incumbent);
  run_alone(*searching, budget.seconds);
  return {incumbent.best(), searching->status()};
}

game::Position standard_board() {
  return game::standard_boards().front().position;
}

TEST(GraphSearch, SpendsThePlayoutsItWasGivenAndNoMore) {
  const auto playouts = static_cast<std::uint64_t>(tests::scaled(2000));
  for (const char* preset : {"uct1", "uct2", "ucd"}) {
    const Searched searched = search(standard_board(), tree_preset(preset), {.playouts = playouts});
    EXPECT_LE(searched.status.playouts, playouts) << preset;
    EXPECT_GE(searched.status.playouts, playouts * 9 / 10) << preset;
  }
}

TEST(GraphSearch, DependsOnTheSeedAloneIfDeterministic) {
  const Budget budget{.playouts = static_cast<std::uint64_t>(tests::scaled(1000))};
  for (const ParallelMode mode : {ParallelMode::kTree, ParallelMode::kRoot, ParallelMode::kSet}) {
    TreeSettings settings = tree_preset("ucd");
    settings.mode = mode;
    settings.deterministic = true;
    const Searched one = search(standard_board(), settings, budget, 1);
    const Searched three = search(standard_board(), settings, budget, 3);
    EXPECT_EQ(one.best.moves, three.best.moves);
    EXPECT_EQ(one.status.nodes_visited, three.status.nodes_visited);
    EXPECT_EQ(one.status.resource_units, three.status.resource_units);
  }
}

TEST(GraphSearch, PlaysAGameMoveByMove) {
  TreeSettings settings = tree_preset("uct2");
  settings.allocation = Allocation::kExponential;
  for (const bool keeps_tree : {false, true}) {
    settings.keeps_tree = keeps_tree;
    const Searched searched =
        search(standard_board(), settings, {.playouts = static_cast<std::uint64_t>(tests::scaled(3000))});
    ASSERT_TRUE(searched.status.played_score.has_value());
    EXPECT_LE(*searched.status.played_score, searched.best.score);
  }
}

TEST(GraphSearch, KeepsWithinItsMemory) {
  TreeSettings settings = tree_preset("uct1");
  settings.memory_bytes = std::uint64_t{512} << 10;
  const auto playouts = static_cast<std::uint64_t>(tests::scaled(6000));
  const Searched searched = search(standard_board(), settings, {.playouts = playouts});
  EXPECT_LE(searched.status.figure("memory_bytes"), static_cast<double>(settings.bytes_for_nodes()));
  EXPECT_GE(searched.status.playouts, playouts * 9 / 10);
}

// VS-pruning leaves moves out; the search then goes on with a tree of all moves.
TEST(GraphSearch, ProvesSmallBoards) {
  Dice dice(61);
  for (int i = 0; i < tests::scaled(16); ++i) {
    const game::Position board = tests::full_board(dice, {4, 4, 3});
    TreeSettings settings = tree_preset("ucd");
    settings.mode = i % 2 == 0 ? ParallelMode::kTree : ParallelMode::kSet;
    const Searched searched = search(board, settings, {.playouts = 200'000});
    EXPECT_TRUE(searched.status.proven) << tests::drawing(board);
    EXPECT_EQ(searched.best.score, tests::BruteForce(game::kStandardScoring).best(game::ReferenceBoard(board)));
  }
}

TEST(SearchContext, CountsTheShareOfTheSearchThatRuns) {
  // Two searches share 1,000 playouts. After 750 of them the second one has spent half of its own.
  SearchContext context{.task = {.board = standard_board()},
                        .settings = {},
                        .threads = 1,
                        .budget = BudgetTracker({.playouts = 1000}, 225),
                        .leaf_playouts = {TreeSettings{}, 1000, {}, 1}};
  context.budget.set_used({.walks = 750, .playouts = 750});
  EXPECT_DOUBLE_EQ(context.spent_share(), 0.75);
  context.first_share = 0.5;
  context.share = 0.5;
  EXPECT_DOUBLE_EQ(context.spent_share(), 0.5);
}

}  // namespace
}  // namespace chainshot::host
