// Trees at the cap of their memory: they forget what was visited least recently and search on.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

TreeSettings wide_settings() {
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = 0.02, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.policy = {.kind = game::PolicyKind::kRandom};
  return settings;
}

// Scores by a draw instead of a game: on wide boards those would take most of the time, and the tree does not mind.
game::Result any_result(const Walk& walk, Dice& dice) {
  game::Result result;
  result.add({}, walk.points + dice.below(1000), 1);
  return result;
}

// Walks go out and come back in any order, one in eight without a result.
class Traffic {
 public:
  Traffic(Tree& tree, std::uint64_t seed, std::size_t most) : tree_(tree), dice_(seed), most_(most) {}

  void run(int walks) {
    for (int i = 0; i < walks; ++i) {
      flying_.emplace_back();
      if (tree_.descend(flying_.back()) != Descent::kLeaf) flying_.pop_back();
      while (flying_.size() > most_ || (!flying_.empty() && dice_.one_in(3)))
        land();
    }
  }
  void land_all() {
    while (!flying_.empty())
      land();
  }

 private:
  void land() {
    std::swap(flying_.back(), flying_[static_cast<std::size_t>(dice_.below(static_cast<int>(flying_.size())))]);
    if (dice_.one_in(8)) {
      tree_.abandon(flying_.back());
    } else {
      tree_.complete(flying_.back(), any_result(flying_.back(), dice_));
    }
    flying_.pop_back();
  }

  Tree& tree_;
  Dice dice_;
  std::size_t most_;
  std::vector<Walk> flying_;
};

TEST(TreeMemory, StaysBelowTheCapWhileTheSearchGoesOn) {
  Dice dice(21);
  const game::Position board = tests::full_board(dice, {31, 32, 15});
  NodePool pool(std::size_t{1} << 20);
  Tree tree(pool, board, 0, wide_settings(), game::kStandardScoring, 1);
  Traffic traffic(tree, 22, 30);
  std::uint64_t made = 0;
  for (int round = 0; round < tests::scaled(40); ++round) {
    traffic.run(1000);
    EXPECT_LE(pool.bytes(), pool.cap());
    // A node takes 64 bytes: what is in memory fits.
    EXPECT_LE(tree.counts().nodes * sizeof(Node), pool.cap());
    // Most walks still make a node.
    EXPECT_GT(tree.counts().nodes_visited, made + 500);
    made = tree.counts().nodes_visited;
  }
  EXPECT_GT(made, tree.counts().nodes);
  traffic.land_all();
  EXPECT_EQ(tree.in_flight(), 0);
}

TEST(TreeMemory, KeepsTheStatisticsOfTheRootsMovesAndTheBestLine) {
  Dice dice(23);
  const game::Position board = tests::full_board(dice, {31, 32, 15});
  NodePool pool(std::size_t{2} << 20);
  const TreeSettings settings = wide_settings();
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
  std::vector<game::Cell> line;
  const int score = game::play(board, {settings.policy, game::kStandardScoring, board}, {5, 5, 0}, 0, &line).score;
  tree.add_line(line);
  Walk walk;
  int walks = 0;
  while (tree.counts().nodes_visited < 60000) {
    if (tree.descend(walk) != Descent::kLeaf) continue;
    game::Result result;
    result.add({}, score - 1 - dice.below(500), 1);
    tree.complete(walk, result);
    ++walks;
  }
  EXPECT_LT(tree.counts().nodes, 40000U);
  EXPECT_EQ(tree.visits(), static_cast<std::uint64_t>(walks) + 1);
  std::uint64_t below = 0;
  for (const RootMove& move : tree.root_moves())
    below += move.visits;
  EXPECT_EQ(below, tree.visits());  // the line has expanded the root before the first walk
  // The line is still in the tree, move after move.
  for (std::size_t i = 0; i < 40; ++i) {
    ASSERT_FALSE(tree.root_moves().empty()) << i;
    tree.advance_root(line[i]);
    EXPECT_EQ(tree.best(), score);
  }
}

TEST(TreeMemory, IsSharedByTreesThatRecycleTheirOwn) {
  Dice dice(24);
  NodePool pool(std::size_t{4} << 20);
  std::vector<std::unique_ptr<Tree>> trees;
  std::vector<Traffic> traffic;
  for (int i = 0; i < 3; ++i) {
    const game::Position board = tests::full_board(dice, {15 + 8 * i, 15 + 8 * i, 5 + 5 * i});
    trees.push_back(std::make_unique<Tree>(pool, board, 0, wide_settings(), game::kStandardScoring, 1));
    traffic.emplace_back(*trees.back(), 25 + static_cast<std::uint64_t>(i), 10);
  }
  traffic[0].run(50000);
  EXPECT_GE(pool.bytes(), pool.cap() - 3 * kChunkBytes);
  for (int round = 0; round < 5; ++round) {
    for (Traffic& one : traffic)
      one.run(1000);
    EXPECT_LE(pool.bytes(), pool.cap());
  }
  for (std::size_t i = 1; i < trees.size(); ++i)
    EXPECT_GE(trees[i]->counts().walks, 3000U);
  const std::size_t all = trees[0]->counts().bytes + trees[1]->counts().bytes + trees[2]->counts().bytes;
  EXPECT_EQ(pool.bytes(), all);
  for (Traffic& one : traffic)
    one.land_all();
}

TEST(TreeMemory, ServesATreeThatHasNothingToRecycle) {
  // One chunk for each tree: not even the blocks of a few positions fit.
  Dice dice(26);
  NodePool pool(2 * kChunkBytes);
  const game::Position board = tests::full_board(dice, {31, 32, 15});
  Tree first(pool, board, 0, wide_settings(), game::kStandardScoring, 1);
  Tree second(pool, board, 0, wide_settings(), game::kStandardScoring, 2);
  EXPECT_THROW(Tree(pool, board, 0, wide_settings(), game::kStandardScoring, 3), std::runtime_error);
  for (Tree* tree : {&first, &second}) {
    Traffic traffic(*tree, 27, 40);
    traffic.run(3000);
    traffic.land_all();
    EXPECT_GT(tree->visits(), 2000U);
    EXPECT_EQ(tree->counts().bytes, kChunkBytes);
  }
}

TEST(TreeMemory, TakesTheBytesItSays) {
  EXPECT_EQ(sizeof(Node), 64U);
  // 21 moves are three lines of 160 bytes, with 90 bytes of board 570: nine lines.
  EXPECT_EQ(MoveBlock::units(21, 90) * kUnitBytes, 576U);
  // 31 x 32 with 15 colours: 496 moves at most, 62 lines, and four planes of 32 words.
  EXPECT_EQ(MoveBlock::units(496, 512) * kUnitBytes, 62U * 160 + 512);
  const game::Position standard = [] {
    Dice dice(28);
    return tests::full_board(dice, {15, 15, 5});
  }();
  EXPECT_EQ(BoardCodec(standard).bytes(), 15U * 3 * 2);
}

TEST(NodeArena, JoinsWhatLiesSideBySide) {
  NodePool pool(kChunkBytes);
  PoolShare share(pool);
  NodeArena arena(share);
  std::vector<Link> small;
  while (const Link link = arena.take(1))
    small.push_back(link);
  EXPECT_EQ(small.size(), kChunkUnits - NodeArena::kMapUnits);
  for (const Link link : small)
    arena.give(link, 1);
  EXPECT_EQ(arena.take(2), 0U);
  arena.clear_marks();
  arena.mark(small[500], 1);
  arena.sweep();
  EXPECT_EQ(arena.used_bytes(), kUnitBytes);
  EXPECT_NE(arena.take(256), 0U);
  arena.clear_marks();
  arena.sweep();
  EXPECT_EQ(pool.bytes(), 0U);
}

}  // namespace
}  // namespace chainshot::host
