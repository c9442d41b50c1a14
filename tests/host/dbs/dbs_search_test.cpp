#include "host/dbs/dbs_search.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "game/board_text.hpp"
#include "game/greedy.hpp"
#include "game/reference.hpp"
#include "host/dbs/budget_share.hpp"
#include "host/dbs/dbs_kind.hpp"
#include "host/dbs/known_games.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

constexpr std::uint64_t kSmallMemory = 1 << 20;

struct Searched {
  BestLine best;
  SearchStatus status;
};

Searched search(const SearchTask& task, DbsSettings settings, const Budget& budget = {},
                std::uint64_t memory = kSmallMemory) {
  Incumbent incumbent(task);
  Resources resources;
  resources.budget = budget;
  resources.common.memory_bytes = memory;
  const auto searches = kDbsKind.make(task, settings, resources, incumbent);
  run_alone(*searches.front().search, budget.seconds);
  return {incumbent.best(), searches.front().search->status()};
}

TEST(BudgetShare, LeavesOnePartOfOnePlusTheExpectedMovesToTheOtherMoves) {
  // 36 blocks at 0.25 moves each are nine more moves: the best move gets nine tenths.
  EXPECT_EQ(share_of(1000, 36, 0.25, false), 900u);
  EXPECT_EQ(share_of(700, 36, 0.25, false), 630u);  // the first spent 300 of its 900; 600 went back
  EXPECT_EQ(share_of(7, 4, 0.25, false), 4u);       // half of 7, rounded up
  EXPECT_EQ(share_of(7, 4, 0.25, true), 7u);
  EXPECT_EQ(share_of(1, 400, 0.25, false), 1u);
  EXPECT_EQ(share_of(0, 400, 0.25, false), 0u);
}

// Four colours in a row, 0011223: three moves in any order, and the last block stays, so every line scores -1 and no
// bound (0) is reached. Positions are named by the pairs left.
TEST(DbsSearch, DividesItsBudgetAsCountedByHand) {
  const SearchTask task{.board = tests::board_of({"0011223"})};
  const Searched searched = search(task, {.moves_per_block = 0.25, .first_budget = 10});
  // A first game, and a pass with a budget of 10. The best move gets 7/11 of what is left with 7 blocks (7/4 expected
  // moves), and 5/9 with 5.
  //   012: 3 games after its moves, 7 are left
  //     12 gets 5 (7 x 7/11 = 4.5): 2 games, 3 left
  //       2 gets 2 (3 x 5/9 = 1.7): 1 game
  //       1 gets the 2 left: the end of the game is known by now
  //     02 gets 3 (4 x 7/11 = 2.5): 1 game for position 0, since 2 is known; 0 gets the 2 left and has nothing new
  //     01 gets the 3 left: 0 and 1 are known
  // No position was left out, so the line is proven.
  EXPECT_EQ(searched.status.playouts, 1u + 3 + 2 + 1 + 1);
  EXPECT_EQ(searched.status.nodes_visited, 7u);
  EXPECT_EQ(searched.status.figure("passes"), 1);
  EXPECT_TRUE(searched.status.proven);
  EXPECT_EQ(searched.best.score, -1);
}

// With a budget of 7, 012 keeps 4 after its own games; 12 gets 3 of them and spends 2 on its moves; 2 gets 1 and spends
// it, so that nothing is left for 1. Then 02 gets the one left, which does not pay for its two moves, and nor does 01.
TEST(DbsSearch, StopsWhereTheBudgetIsSpent) {
  const SearchTask task{.board = tests::board_of({"0011223"})};
  const Searched searched = search(task, {.moves_per_block = 0.25, .first_budget = 7}, {.playouts = 8});
  EXPECT_EQ(searched.status.playouts, 1u + 3 + 2 + 1);
  EXPECT_FALSE(searched.status.proven);
}

TEST(DbsSearch, ExpandsNoPositionThatHasMoreMovesThanBudget) {
  const SearchTask task{.board = tests::board_of({"0011223"})};
  // Budgets 2, 4, 8, ...: the first pass cannot pay for the root, so that a limit of four games is the first one, and
  // the root's three in the second pass.
  const Searched searched =
      search(task, {.moves_per_block = 0.25, .first_budget = 2, .budget_growth = 2}, {.playouts = 4});
  EXPECT_EQ(searched.status.playouts, 4u);
  EXPECT_EQ(searched.status.figure("passes"), 2);
  EXPECT_EQ(searched.status.nodes_visited, 1u);
  EXPECT_FALSE(searched.status.proven);
}

TEST(DbsSearch, NeverExceedsItsBudget) {
  Dice dice(95);
  for (int i = 0; i < tests::scaled(12); ++i) {
    const SearchTask task{.board = tests::full_board(dice, {9, 9, 4})};
    const DbsSettings settings{.moves_per_block = 0.1 * dice.between(1, 10), .first_budget = dice.between(1, 300)};
    const auto limit = static_cast<std::uint64_t>(dice.between(1, 1'000));
    const Searched by_games = search(task, settings, {.playouts = limit});
    EXPECT_LE(by_games.status.playouts, limit);
    EXPECT_FALSE(by_games.best.moves.empty());
    const Searched by_nodes = search(task, settings, {.nodes = limit});
    EXPECT_EQ(by_nodes.status.nodes_visited, limit);
  }
}

TEST(DbsSearch, ProvesTheBestScoreOfSmallBoardsUnderEveryScoring) {
  Dice dice(96);
  for (int i = 0; i < tests::scaled(40); ++i) {
    const game::Scoring& scoring = tests::scoring_case(i);
    const SearchTask task{.board = tests::full_board(dice, {dice.between(3, 4), 4, dice.between(2, 4)}),
                          .scoring = scoring};
    if (!task.board.has_moves()) continue;
    const int best = tests::BruteForce(scoring).best(game::ReferenceBoard(task.board));
    const Searched searched = search(task, {.moves_per_block = 0.1 * dice.between(1, 10)});
    EXPECT_EQ(searched.best.score, best) << scoring.name() << '\n' << tests::drawing(task.board);
    EXPECT_TRUE(searched.status.proven);
  }
}

TEST(DbsSearch, ProvesTheSameWithATableThatForgetsNearlyEverything) {
  Dice dice(98);
  for (int i = 0; i < tests::scaled(40); ++i) {
    const SearchTask task{.board = tests::full_board(dice, {3, 3, 3})};
    if (!task.board.has_moves()) continue;
    const Searched searched = search(task, {}, {}, 1);
    EXPECT_EQ(searched.best.score, tests::BruteForce(task.scoring).best(game::ReferenceBoard(task.board)));
    EXPECT_TRUE(searched.status.proven);
  }
}

TEST(DbsSearch, NeverClaimsAProofThatIsNone) {
  Dice dice(97);
  int proven = 0, open = 0;
  for (int i = 0; i < tests::scaled(40); ++i) {
    const SearchTask task{.board = tests::full_board(dice, {4, 4, 3})};
    if (!task.board.has_moves()) continue;
    const int best = tests::BruteForce(task.scoring).best(game::ReferenceBoard(task.board));
    const Searched searched = search(task, {}, {.playouts = static_cast<std::uint64_t>(dice.between(1, 100))});
    ++(searched.status.proven ? proven : open);
    if (searched.status.proven) {
      EXPECT_EQ(searched.best.score, best);
    }
    EXPECT_LE(searched.best.score, best);
  }
  EXPECT_GT(proven, 0);
  EXPECT_GT(open, 0);
}

TEST(DbsSearch, IsNoWorseThanItsFirstGameAndDependsOnNoSeed) {
  const game::Position& board = game::standard_boards()[7].position;
  const int first = game::play_greedily(board, game::kStandardScoring, board.most_frequent_color(), 0);
  const Searched one = search({.board = board, .seed = 1}, {}, {.playouts = 3'000});
  const Searched two = search({.board = board, .seed = 2}, {}, {.playouts = 3'000});
  EXPECT_GT(one.best.score, first);
  EXPECT_EQ(one.best.moves, two.best.moves);
  EXPECT_EQ(one.status.nodes_visited, two.status.nodes_visited);
  EXPECT_EQ(search({.board = board}, {}, {.playouts = 1}).best.score, first);
}

TEST(DbsSearch, KeepsItsTableWithinTheMemory) {
  for (const std::uint64_t memory : {1 << 18, 3 << 18, 1 << 20})
    EXPECT_LE(KnownGames(memory).bytes(), memory);
  const SearchTask task{.board = game::standard_boards()[0].position};
  EXPECT_LE(search(task, {}, {.playouts = 2'000}, 256 << 10).status.figure("memory_bytes"), 256 << 10);
}

TEST(KnownGames, ForgetsWhatWasNotReachedForTheLongestTime) {
  KnownGames table(1);  // one set of four entries
  for (std::uint32_t i = 1; i <= 4; ++i)
    table.add({0, i}).pass = i == 2 ? 1 : 5;
  table.add({0, 9}).pass = 5;
  EXPECT_EQ(table.find({0, 2}), nullptr);
  for (const std::uint64_t i : {1, 3, 4, 9})
    EXPECT_NE(table.find({0, i}), nullptr);
}

TEST(DbsSearch, ObeysTheClockAndKeepsWhatItFound) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  const auto start = std::chrono::steady_clock::now();
  const Searched searched = search(task, {.first_budget = 1'000'000'000}, {.seconds = 0.1});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(searched.best.source, "dbs");
  EXPECT_LT(taken.count(), 5);  // generous: the machine may be busy
}

}  // namespace
}  // namespace chainshot::host
