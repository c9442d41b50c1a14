// Proven scores against brute force.
#include <gtest/gtest.h>

#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

TreeSettings proving_settings() {
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = 0.05, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.policy = {.kind = game::PolicyKind::kRandom};
  return settings;
}

void expect_proof(const game::Position& board, const TreeSettings& settings, const game::Scoring& scoring,
                  int walks = 3'000'000) {
  NodePool pool(std::size_t{1} << 30);
  Tree tree(pool, board, 7, settings, scoring, 1);
  const game::PlayoutRules rules(settings.policy, scoring, board);
  EXPECT_EQ(tests::search(tree, rules, walks), Descent::kProven) << tests::drawing(board);
  EXPECT_TRUE(tree.is_proven());
  EXPECT_EQ(tree.best(), 7 + tests::BruteForce(scoring).best(game::ReferenceBoard(board))) << tests::drawing(board);
  EXPECT_EQ(tree.in_flight(), 0);
}

TEST(Proof, AgreesWithBruteForceOnSmallBoards) {
  Dice dice(11);
  TreeSettings settings = proving_settings();
  for (int i = 0; i < tests::scaled(60); ++i) {
    settings.state_pruning = i % 2 == 0;
    expect_proof(tests::random_board(dice, {dice.between(1, 4), dice.between(1, 4), dice.between(1, 4)}), settings,
                 tests::scoring_case(dice.below(100)));
  }
}

TEST(Proof, AgreesWithBruteForceOnBoardsOfSixBySix) {
  Dice dice(12);
  TreeSettings settings = proving_settings();
  settings.state_pruning = true;
  for (int i = 0; i < 4; ++i)
    expect_proof(tests::full_board(dice, {dice.between(5, 6), dice.between(5, 6), dice.between(3, 4)}), settings,
                 game::kStandardScoring);
}

// One board in a hundred has a tree of millions of nodes. As a graph the largest has thousands.
TEST(Proof, OfBoardsOfSixBySixNeedsFewNodesWhereDuplicatesMerge) {
  Dice dice(13);
  TreeSettings settings = proving_settings();
  for (int i = 0; i < tests::scaled(60); ++i) {
    const game::Position board = tests::full_board(dice, {6, 6, dice.between(3, 4)});
    settings.state_pruning = !dice.one_in(4);
    for (const Duplicates duplicates : {Duplicates::kDynamic, Duplicates::kConsistent}) {
      settings.duplicates = duplicates;
      expect_proof(board, settings, game::kStandardScoring, 200'000);
    }
  }
}

}  // namespace
}  // namespace chainshot::host
