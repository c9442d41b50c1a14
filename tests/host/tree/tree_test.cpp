// The tree's statistics, virtual visits and root against naive counts.
#include "host/tree/core/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::board_of;
using tests::Dice;
using tests::play_leaf;

TreeSettings settings_of(std::string rule, double c) {
  TreeSettings settings;
  settings.selection = {.rule = std::move(rule), .c = c, .d = 32, .w = 0, .t = 0};
  settings.policy = {.kind = game::PolicyKind::kRandom};
  return settings;
}

struct Tally {
  std::uint32_t visits = 0;
  std::int64_t sum = 0;
  int best = -100000;
};

TEST(Tree, CountsAtTheRootWhatWasPlayedBelowEachMove) {
  Dice dice(1);
  const game::Position board = tests::full_board(dice, {8, 8, 4});
  NodePool pool(std::size_t{64} << 20);
  const TreeSettings settings = settings_of("uct", 100);
  Tree tree(pool, board, 50, settings, game::kStandardScoring, 1);
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  std::map<std::pair<int, int>, Tally> tally;
  Tally all;
  Walk walk;
  std::vector<game::Cell> moves;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Descent descent = tree.descend(walk);
    ASSERT_TRUE(descent == Descent::kLeaf || descent == Descent::kFinished);
    game::Result result;
    if (descent == Descent::kLeaf) {
      result = play_leaf(walk, rules, i, 2);
      tree.complete(walk, result);
    } else {
      result.add({}, walk.points, 0);
    }
    tree.moves_of(walk, moves);
    const auto add = [&](Tally& to) {
      to.visits += static_cast<std::uint32_t>(result.count);
      to.sum += result.sum;
      to.best = std::max(to.best, result.best);
    };
    add(all);
    if (!moves.empty()) add(tally[{moves[0].column, moves[0].row}]);
    // The walk's position is the one its moves lead to.
    const game::ReplayResult replay = game::replay(board, moves, game::kStandardScoring, 50);
    ASSERT_TRUE(replay.error.empty());
    ASSERT_EQ(replay.moves, static_cast<int>(moves.size()));
    if (descent == Descent::kFinished) {
      EXPECT_EQ(replay.score, walk.points);
      EXPECT_TRUE(replay.over);
    }
  }
  EXPECT_EQ(tree.visits(), all.visits);
  EXPECT_EQ(tree.best(), all.best);
  EXPECT_DOUBLE_EQ(tree.average(), static_cast<double>(all.sum) / all.visits);
  EXPECT_EQ(tree.root_moves().size(), board.groups().size());
  for (const RootMove& move : tree.root_moves()) {
    const Tally& expected = tally[{move.cell.column, move.cell.row}];
    EXPECT_EQ(move.visits, expected.visits);
    EXPECT_EQ(move.best, expected.best);
    EXPECT_NEAR(move.average, static_cast<double>(expected.sum) / expected.visits, 1e-6);
  }
}

TEST(Tree, TakesVirtualVisitsBack) {
  Dice dice(2);
  const game::Position board = tests::full_board(dice, {6, 6, 3});
  NodePool pool(std::size_t{64} << 20);
  const TreeSettings settings = settings_of("sp-mcts", 0.5);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 2);
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  std::vector<Walk> flying;
  std::uint64_t completed = 0, finished = 0;
  for (int round = 0; round < 60; ++round) {
    for (int i = 0; i < 20; ++i) {
      Walk walk;
      const Descent descent = tree.descend(walk);
      if (descent == Descent::kLeaf) flying.push_back(walk);
      if (descent == Descent::kFinished) ++finished;
    }
    EXPECT_EQ(tree.in_flight(), static_cast<int>(flying.size()));
    // Back in another order than they left, some never.
    while (flying.size() > (round % 3 == 0 ? 0U : 5U)) {
      std::swap(flying.back(), flying[static_cast<std::size_t>(dice.below(static_cast<int>(flying.size())))]);
      if (dice.one_in(4)) {
        tree.abandon(flying.back());
      } else {
        tree.complete(flying.back(), play_leaf(flying.back(), rules, completed++));
      }
      flying.pop_back();
    }
  }
  for (const Walk& walk : flying)
    tree.abandon(walk);
  EXPECT_EQ(tree.in_flight(), 0);
  EXPECT_EQ(tree.visits(), completed + finished);
}

TEST(Tree, IsTheSameForTheSameSeed) {
  Dice dice(3);
  const game::Position board = tests::full_board(dice, {10, 10, 5});
  const TreeSettings settings = settings_of("sp-mcts", 0.5);
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  const auto moves_of_run = [&](std::uint64_t seed) {
    NodePool pool(std::size_t{64} << 20);
    Tree tree(pool, board, 0, settings, game::kStandardScoring, seed);
    tests::search(tree, rules, 500);
    std::vector<std::uint32_t> visits;
    for (const RootMove& move : tree.root_moves())
      visits.push_back(move.visits * 1000U + move.cell.column * 20U + move.cell.row);
    return visits;
  };
  EXPECT_EQ(moves_of_run(7), moves_of_run(7));
  EXPECT_NE(moves_of_run(7), moves_of_run(8));
}

TEST(Tree, IsBlockedWhileEveryLeafIsInFlight) {
  // One move only: the root's first walk is the root itself, the second its only child, and then there is no other.
  NodePool pool(std::size_t{64} << 20);
  Tree tree(pool, board_of({"0011", "2222"}), 0, settings_of("uct", 1), game::kStandardScoring, 1);
  const game::Position board = board_of({"01", "00"});
  Tree small(pool, board, 0, settings_of("uct", 1), game::kStandardScoring, 1);
  Walk first, second;
  EXPECT_EQ(small.descend(first), Descent::kLeaf);
  EXPECT_EQ(first.length(), 1);
  // The game ends with 1 + 0 - 1 points: (3-2)^2 and one block left.
  EXPECT_EQ(small.descend(second), Descent::kFinished);
  EXPECT_EQ(second.points, 0);
  EXPECT_EQ(small.descend(second), Descent::kProven);
  small.abandon(first);

  std::vector<Walk> flying(1);
  while (tree.descend(flying.back()) == Descent::kLeaf)
    flying.emplace_back();
  // The root and its three moves.
  EXPECT_EQ(flying.size(), 5U);
  EXPECT_EQ(tree.in_flight(), 4);
  tree.abandon(flying[1]);
  EXPECT_EQ(tree.descend(flying[1]), Descent::kLeaf);
}

TEST(Tree, GoesOnBelowTheMoveItAdvancesTo) {
  Dice dice(4);
  const game::Position board = tests::full_board(dice, {8, 8, 4});
  NodePool pool(std::size_t{64} << 20);
  const TreeSettings settings = settings_of("uct", 200);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 2);
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  tests::search(tree, rules, 2000);
  const std::vector<RootMove> before = tree.root_moves();
  const auto chosen = std::max_element(before.begin(), before.end(),
                                       [](const RootMove& a, const RootMove& b) { return a.best < b.best; });
  ASSERT_NE(chosen, before.end());
  game::Position after = board;
  const int points = game::kStandardScoring.group_points(after.apply(chosen->cell));
  tree.advance_root(chosen->cell);
  EXPECT_EQ(tree.root_position(), after);
  EXPECT_EQ(tree.root_points(), points);
  EXPECT_EQ(tree.visits(), chosen->visits);
  EXPECT_EQ(tree.best(), chosen->best);
  EXPECT_LE(tree.counts().nodes, chosen->visits);
  tests::search(tree, rules, 100, 5000);
  EXPECT_EQ(tree.visits(), chosen->visits + 100);
}

TEST(Tree, FollowsALineOfAnotherSearch) {
  Dice dice(5);
  const game::Position board = tests::full_board(dice, {7, 7, 4});
  NodePool pool(std::size_t{64} << 20);
  TreeSettings settings = settings_of("uct", 10);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 2);
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  tests::search(tree, rules, 50);
  std::vector<game::Cell> line;
  game::Playout best{-100000, 0};
  for (std::uint32_t i = 0; i < 500; ++i) {
    std::vector<game::Cell> moves;
    const game::Playout game = game::play(board, rules, {9, 9, i}, 0, &moves);
    if (game.score <= best.score) continue;
    best = game;
    line = moves;
  }
  ASSERT_GT(best.score, tree.best());
  tree.add_line(line);
  EXPECT_EQ(tree.best(), best.score);
  EXPECT_EQ(tree.visits(), 51U);
  EXPECT_EQ(tree.counts().deepest, best.length);
  // Move after move the best score is kept.
  for (const game::Cell cell : line) {
    ASSERT_FALSE(tree.root_moves().empty());
    tree.advance_root(cell);
    EXPECT_EQ(tree.best(), best.score);
  }
  EXPECT_TRUE(tree.is_proven());
}

}  // namespace
}  // namespace chainshot::host
