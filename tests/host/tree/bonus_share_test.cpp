// Trees that count only a share of the bonus for a cleared board (Klein 2015, 6.4) still find and keep lines by the
// scoring of the game.
#include <gtest/gtest.h>

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

TEST(BonusShare, ScalesTheBonusOfTheTreeAndNothingElse) {
  TreeSettings settings;
  settings.bonus_share = 0.8;
  game::Scoring expected = game::kStandardScoring;
  expected.clear_bonus = 800;
  const game::Scoring scaled = tree_scoring_of(game::kStandardScoring, settings);
  EXPECT_EQ(scaled.clear_bonus, 800);
  EXPECT_EQ(scaled.group_points(7), expected.group_points(7));
  settings.bonus_share = 1;
  EXPECT_EQ(tree_scoring_of(game::kStandardScoring, settings).clear_bonus, 1000);
}

// Without the bonus in the tree, lines that clear the board are found by their points alone, but kept with the bonus:
// on boards of 4 x 4 a search meets every end of a game. No proof of the other game is one of this game.
TEST(BonusShare, KeepsLinesByTheScoringOfTheGame) {
  tests::Dice dice(71);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  int cleared = 0;
  for (int i = 0; i < tests::scaled(40); ++i) {
    const SearchTask task{.board = tests::full_board(dice, {3, 4, 2}), .seed = 1};
    TreeSettings settings = tree_preset("bonus-0.0");
    settings.selection.rule = i % 2 == 0 ? "uct" : "third-top";
    settings.vs_pruning = settings.policy.vs_pruning = false;
    settings.deterministic = true;
    Incumbent incumbent(task);
    const auto searching = make_tree_search(task, settings, {.playouts = 2000}, {engine.get()}, 1, incumbent);
    run_alone(*searching, 0);
    EXPECT_FALSE(searching->status().proven);
    const int best = tests::BruteForce(game::kStandardScoring).best(game::ReferenceBoard(task.board));
    const BestLine found = incumbent.best();
    EXPECT_LE(found.score, best);
    const game::ReplayResult replayed = game::replay(task.board, found.moves, game::kStandardScoring, 0);
    EXPECT_EQ(replayed.score, found.score);
    cleared += found.score >= 1000;
    if (best < 1000) {
      EXPECT_EQ(found.score, best) << tests::drawing(task.board);
    }
  }
  EXPECT_GT(cleared, 0);
}

}  // namespace
}  // namespace chainshot::host
