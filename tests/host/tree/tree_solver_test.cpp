// The selection of MCTS-Solver: proven moves count where the playout policy chooses them, and proofs stay exact.
#include <gtest/gtest.h>

#include <vector>

#include "game/reference.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_inspector.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

TreeSettings solver_settings(double t) {
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = 0.05, .w = 0, .t = t, .normalisation = Normalisation::kStatic};
  settings.policy = {.kind = game::PolicyKind::kRandom};
  settings.solver = true;
  return settings;
}

// The results of walks that ended at a move that was proven before.
struct Counted {
  int proven_moves = 0;
  int before_the_end = 0;  // of these, where the game goes on
  int walks = 0;
};

Counted play_until_proven(const game::Position& board, const TreeSettings& settings, int seed) {
  NodePool pool(std::size_t{64} << 20);
  Tree tree(pool, board, 3, settings, game::kStandardScoring, static_cast<std::uint64_t>(seed));
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  tests::BruteForce brute(game::kStandardScoring);
  Counted counted;
  Walk walk;
  std::vector<game::Cell> moves;
  for (Descent descent = tree.descend(walk); descent != Descent::kProven; descent = tree.descend(walk)) {
    EXPECT_NE(descent, Descent::kBlocked);
    if (descent == Descent::kBlocked || counted.walks > 200'000) break;
    ++counted.walks;
    if (descent == Descent::kLeaf) {
      tree.complete(walk, tests::play_leaf(walk, rules, static_cast<std::uint64_t>(counted.walks)));
    } else {
      tree.moves_of(walk, moves);
      game::ReferenceBoard after(board);
      int points = 3;
      for (const game::Cell cell : moves)
        points += game::kStandardScoring.group_points(after.apply(cell));
      EXPECT_TRUE(descent == Descent::kKnown || after.groups().empty());
      counted.proven_moves += descent == Descent::kKnown;
      counted.before_the_end += !after.groups().empty();
      EXPECT_EQ(walk.points, points + brute.best(after)) << tests::drawing(board);
    }
    EXPECT_EQ(tree.visits(), static_cast<std::uint64_t>(counted.walks));
  }
  EXPECT_EQ(tree.best(), 3 + brute.best(game::ReferenceBoard(board))) << tests::drawing(board);
  EXPECT_EQ(tree.in_flight(), 0);
  return counted;
}

TEST(Solver, CountsProvenMovesByTheirExactScoresWhereThePolicyChooses) {
  Dice dice(51);
  int before_the_end = 0;
  for (int i = 0; i < tests::scaled(60); ++i) {
    const TreeSettings settings = solver_settings(dice.between(5, 60));
    before_the_end += play_until_proven(tests::full_board(dice, {4, 4, 3}), settings, i).before_the_end;
  }
  EXPECT_GT(before_the_end, 0);
}

TEST(Solver, NeverTakesAProvenMoveWhereTheRuleChooses) {
  Dice dice(52);
  for (int i = 0; i < tests::scaled(20); ++i)
    EXPECT_EQ(play_until_proven(tests::full_board(dice, {4, 4, 3}), solver_settings(0), i).proven_moves, 0);
}

// There, a closed node need not have the best score of its position.
TEST(Solver, ChangesNothingWhereDuplicatesMerge) {
  Dice dice(53);
  const game::Position board = tests::full_board(dice, {6, 6, 3});
  for (const Duplicates duplicates : {Duplicates::kNaive, Duplicates::kDynamic, Duplicates::kConsistent}) {
    double averages[2];
    for (const bool on : {false, true}) {
      TreeSettings settings = solver_settings(30);
      settings.duplicates = duplicates;
      settings.solver = on;
      NodePool pool(std::size_t{64} << 20);
      Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
      tests::search(tree, game::PlayoutRules(settings.policy, game::kStandardScoring, board), tests::scaled(1000));
      averages[on] = tree.average();
    }
    EXPECT_EQ(averages[0], averages[1]);
  }
}

}  // namespace
}  // namespace chainshot::host
