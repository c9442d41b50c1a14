// VS-pruning in the tree, and exploration factors of the nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_inspector.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::board_of;
using tests::Dice;

TreeSettings pruning_settings() {
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = 0.05, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.policy = {.kind = game::PolicyKind::kRandom, .vs_pruning = true};
  settings.vs_pruning = true;
  return settings;
}

// The game with the moves that VS-pruning leaves, by the definition of Klein 2015, 2.4.2, on the reference board.
int best_of_pruned_game(const game::ReferenceBoard& board, const game::Scoring& scoring) {
  const auto is_pruned = [&](const std::vector<game::Cell>& group) {
    int low = board.rows(), high = -1;
    for (const game::Cell cell : group) {
      if (cell.column != group.front().column) return false;
      low = std::min<int>(low, cell.row);
      high = std::max<int>(high, cell.row);
    }
    return low > 0 && (high + 1 == board.rows() || board.color_at(group.front().column, high + 1) == game::kEmpty);
  };
  auto groups = board.groups();
  if (groups.empty()) return scoring.final_points(board.color_counts());
  if (!std::all_of(groups.begin(), groups.end(), is_pruned)) std::erase_if(groups, is_pruned);
  int top = -1000000;
  for (const auto& group : groups) {
    game::ReferenceBoard after = board;
    after.apply(group.front());
    top = std::max(top, scoring.group_points(static_cast<int>(group.size())) + best_of_pruned_game(after, scoring));
  }
  return top;
}

TEST(VsPruning, FindsTheBestOfTheGameItLeavesAndProvesNoMore) {
  Dice dice(41);
  int proven = 0;
  for (int i = 0; i < tests::scaled(60); ++i) {
    const game::Position board = tests::full_board(dice, {3, dice.between(3, 4), dice.between(2, 3)});
    const game::Scoring& scoring = tests::scoring_case(dice.below(100));
    TreeSettings settings = pruning_settings();
    settings.duplicates = i % 2 == 0 ? Duplicates::kIgnore : Duplicates::kConsistent;
    NodePool pool(std::size_t{64} << 20);
    Tree tree(pool, board, 3, settings, scoring, static_cast<std::uint64_t>(i));
    const game::PlayoutRules rules(settings.policy, scoring, board);
    const Descent end = tests::search(tree, rules, 200000);
    EXPECT_TRUE(end == Descent::kProven || end == Descent::kBlocked);
    EXPECT_EQ(tree.in_flight(), 0);
    const game::ReferenceBoard reference(board);
    const int best = 3 + tests::BruteForce(scoring).best(reference);
    EXPECT_EQ(tree.best(), 3 + best_of_pruned_game(reference, scoring));
    EXPECT_GE(tree.upper(), best);
    if (tree.is_proven()) {
      EXPECT_EQ(tree.best(), best) << tests::drawing(board);
    }
    proven += tree.is_proven();
  }
  EXPECT_GT(proven, 0);
}

TEST(VsPruning, CanMissTheBestLineAndThenProvesNothing) {
  // Found by exhaustive search of random boards: 1003 points with all moves, 5 without the segments. A segment that is
  // kept falls between two groups of its colour and joins them when they had better stay apart.
  const game::Position board = board_of({"020", "221", "110", "101", "200"});
  const game::ReferenceBoard reference(board);
  ASSERT_EQ(tests::BruteForce(game::kStandardScoring).best(reference), 1003);
  ASSERT_EQ(best_of_pruned_game(reference, game::kStandardScoring), 5);
  const TreeSettings settings = pruning_settings();
  NodePool pool(std::size_t{64} << 20);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  EXPECT_EQ(tests::search(tree, rules, 200000), Descent::kBlocked);
  EXPECT_EQ(tree.best(), 5);
  EXPECT_FALSE(tree.is_proven());
  EXPECT_GE(tree.upper(), 1003);
}

TEST(VsPruning, FinishesAGameQuicklyWithAllItsMoves) {
  // After the three 1s, for (3 - 2)^2 points, only the two 2s are a group, a segment on a 0, for none. A 0 and a 3 are
  // left, each for -(1 - 2)^2.
  const game::Position board = board_of({"2..", "2..", "011", "3.1"});
  game::Position settled = board;
  settled.settle();
  TreeSettings settings = pruning_settings();
  NodePool pool(std::size_t{1} << 20);
  Tree tree(pool, settled, 0, settings, game::kStandardScoring, 1);
  Walk walk;
  ASSERT_EQ(tree.descend(walk), Descent::kLeaf);
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, settled);
  tree.complete(walk, tests::play_leaf(walk, rules, 1));
  ASSERT_EQ(tree.descend(walk), Descent::kFinished);
  std::vector<game::Cell> moves;
  tree.moves_of(walk, moves);
  EXPECT_EQ(moves.size(), 2U);
  const game::ReplayResult replay = game::replay(settled, moves, game::kStandardScoring, 0);
  EXPECT_TRUE(replay.over);
  EXPECT_EQ(replay.score, walk.points);
  EXPECT_EQ(walk.points, 1 + 0 - 1 - 1);
}

TEST(NodeExploration, GrowsAboveEveryEndAndShrinksLateWhereThereIsNone) {
  // A row of two pairs: either may go first, and the other one ends the game.
  const game::Position board = board_of({"0011"});
  TreeSettings settings = pruning_settings();
  settings.vs_pruning = false;
  settings.selection.c = 100;
  settings.node_exploration = {.enabled = true, .late_urgency = true};
  NodePool pool(std::size_t{1} << 20);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
  const TreeInspector inspector{tree};
  const auto descend = [&] {
    Walk walk;
    const Descent descent = tree.descend(walk);
    if (descent != Descent::kLeaf) return descent;
    game::Result result;
    result.add({}, -5, 1);  // worse than any line, so that nothing is closed by it
    tree.complete(walk, result);
    return descent;
  };
  ASSERT_EQ(descend(), Descent::kLeaf);  // the root
  EXPECT_FLOAT_EQ(inspector.root().c, 100);
  tree.set_budget_left(0.29);
  ASSERT_EQ(descend(), Descent::kLeaf);  // its first move
  EXPECT_FLOAT_EQ(inspector.root().c, 100 * 0.9995F);
  tree.set_budget_left(0.5);
  ASSERT_EQ(descend(), Descent::kLeaf);  // its second move
  ASSERT_EQ(descend(), Descent::kFinished);
  // P at the end itself, P f at the move, P f^2 at the root.
  EXPECT_FLOAT_EQ(inspector.root().c, 100 * 0.9995F * 1.05F * 0.999F * 0.999F);
  // With an end below there is no late urgency.
  tree.set_budget_left(0.1);
  const float before = inspector.root().c;
  const Descent last = descend();
  EXPECT_TRUE(last == Descent::kFinished || last == Descent::kProven);
  EXPECT_GE(inspector.root().c, before);
}

}  // namespace
}  // namespace chainshot::host
