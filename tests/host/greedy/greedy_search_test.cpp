#include "host/greedy/greedy_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

BestLine search(const SearchTask& task, const GreedySettings& settings = {}) {
  Incumbent incumbent(task);
  const auto searching = make_greedy_search(task, settings, incumbent);
  run_alone(*searching, 0);
  EXPECT_EQ(searching->status().played_score, incumbent.score());
  return incumbent.best();
}

// Sizes come from the reference board. A group that has to wait for the others counts as smaller than all of them.
void expect_largest_first(const game::Position& position, const std::vector<game::Cell>& moves, int tabu) {
  game::ReferenceBoard board(position);
  for (const game::Cell move : moves) {
    const auto worth = [&](const std::vector<game::Cell>& group) {
      const bool waits = board.color_at(group[0].column, group[0].row) == tabu;
      return static_cast<int>(group.size()) - (waits ? game::kMaxCells : 0);
    };
    const int played = worth(board.component(move));
    for (const std::vector<game::Cell>& group : board.groups())
      ASSERT_LE(worth(group), played);
    board.apply(move);
  }
  EXPECT_TRUE(board.groups().empty());
}

TEST(GreedySearch, EveryMoveRemovesTheLargestGroup) {
  Dice dice(12);
  for (int i = 0; i < 60; ++i) {
    const SearchTask task{.board = tests::random_board(dice, tests::random_shape(dice, 20, 20, 6))};
    if (!task.board.has_moves()) continue;
    ASSERT_NO_FATAL_FAILURE(expect_largest_first(task.board, search(task).moves, -1));
    const auto counts = game::ReferenceBoard(task.board).color_counts();
    const int most = static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    ASSERT_NO_FATAL_FAILURE(expect_largest_first(task.board, search(task, {.keep_tabu = true}).moves, most));
    const GreedySettings chosen{.keep_tabu = true, .tabu_color = 1};
    ASSERT_NO_FATAL_FAILURE(expect_largest_first(task.board, search(task, chosen).moves, 1));
  }
}

// Three ones earn 1 point, and then the zeros meet: 4 x 4 = 16 for six of them, and 1,000 for the cleared board. With
// the zeros for last, that is the only way; without, the three zeros below come first, because they lie lowest.
TEST(GreedySearch, OfEqualGroupsTheLowestGoesFirst) {
  const SearchTask task{.board = tests::board_of({"000", "111", "000"})};
  EXPECT_EQ(search(task).moves, (std::vector<game::Cell>{{0, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(search(task).score, 1 + 1 + 1 + 1'000);
  EXPECT_EQ(search(task, {.keep_tabu = true}).moves, (std::vector<game::Cell>{{0, 1}, {0, 0}}));
  EXPECT_EQ(search(task, {.keep_tabu = true}).score, 1 + 16 + 1'000);
}

TEST(GreedySearch, OfEqualGroupsInARowTheLeftmostGoesFirst) {
  const SearchTask task{.board = tests::board_of({"102", "102", "102"})};
  EXPECT_EQ(search(task).moves, (std::vector<game::Cell>{{0, 0}, {0, 0}, {0, 0}}));
  const GreedySettings keeps_ones{.keep_tabu = true, .tabu_color = 1};
  EXPECT_EQ(search(task, keeps_ones).moves, (std::vector<game::Cell>{{1, 0}, {1, 0}, {0, 0}}));
}

}  // namespace
}  // namespace chainshot::host
