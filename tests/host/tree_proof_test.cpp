// Proven scores against brute force: an exhaustive search with a memory, on the reference rules.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "game/reference.hpp"
#include "tests/host/tree_play.hpp"
#include "tests/random_boards.hpp"
#include "tests/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

class BruteForce {
 public:
  explicit BruteForce(const game::Scoring& scoring) : scoring_(scoring) {}

  int best(const game::ReferenceBoard& board) {
    std::string key;
    for (int c = 0; c < board.columns(); ++c)
      for (int r = 0; r < board.rows(); ++r)
        key += static_cast<char>('a' + board.color_at(c, r));
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const auto groups = board.groups();
    int top = groups.empty() ? scoring_.final_points(board.color_counts()) : -1000000;
    for (const auto& group : groups) {
      game::ReferenceBoard after = board;
      after.apply(group.front());
      top = std::max(top, scoring_.group_points(static_cast<int>(group.size())) + best(after));
    }
    known_.emplace(key, top);
    return top;
  }

 private:
  const game::Scoring scoring_;
  std::unordered_map<std::string, int> known_;
};

TreeSettings proving_settings() {
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = 0.05, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.policy = {.kind = game::PolicyKind::kRandom};
  return settings;
}

void expect_proof(const game::Position& board, const TreeSettings& settings, const game::Scoring& scoring) {
  NodePool pool(std::size_t{1} << 30);
  Tree tree(pool, board, 7, settings, scoring, 1);
  const game::PlayoutRules rules(settings.policy, scoring, board);
  EXPECT_EQ(tests::search(tree, rules, 3000000), Descent::kProven) << tests::drawing(board);
  EXPECT_TRUE(tree.is_proven());
  EXPECT_EQ(tree.best(), 7 + BruteForce(scoring).best(game::ReferenceBoard(board))) << tests::drawing(board);
  EXPECT_EQ(tree.in_flight(), 0);
}

TEST(Proof, AgreesWithBruteForceOnSmallBoards) {
  Dice dice(11);
  TreeSettings settings = proving_settings();
  for (int i = 0; i < tests::scaled_unless_sanitized(60); ++i) {
    settings.state_pruning = i % 2 == 0;
    expect_proof(tests::random_board(dice, {dice.between(1, 4), dice.between(1, 4), dice.between(1, 4)}), settings,
                 game::kScorings[static_cast<std::size_t>(dice.below(5))]);
  }
}

TEST(Proof, AgreesWithBruteForceOnBoardsOfSixBySix) {
  Dice dice(12);
  TreeSettings settings = proving_settings();
  settings.state_pruning = true;
  for (int i = 0; i < tests::scaled_unless_sanitized(4); ++i)
    expect_proof(tests::full_board(dice, {dice.between(5, 6), dice.between(5, 6), dice.between(3, 4)}), settings,
                 game::kStandardScoring);
}

}  // namespace
}  // namespace chainshot::host
