// The nodes of a tree in memory: links, positions, the table, and what happens when there is no memory.
#include "host/tree/core/node_store.hpp"

#include <gtest/gtest.h>

#include "host/tree/core/expansion.hpp"
#include "host/tree/core/tree_state.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

using tests::board_of;

TreeSettings settings_with(Duplicates duplicates) {
  TreeSettings settings;
  settings.duplicates = duplicates;
  return settings;
}

// Three moves: the pairs 0, 1 and 2, none of which touches another of its colour.
const char* const kRow = "001122";

// A tree whose root has its moves.
struct ExpandedTree {
  explicit ExpandedTree(Duplicates duplicates, std::size_t chunks = 4)
      : pool(chunks * kChunkBytes),
        state(pool, board_of({kRow}), 10, settings_with(duplicates), game::kStandardScoring, 1) {
    EXPECT_TRUE(expand(state, state.nodes.root(), state.nodes.root_position()));
  }
  Link add_child(int index) {
    NodeStore& nodes = state.nodes;
    game::Position position = nodes.root_position();
    position.apply(nodes.moves_of(nodes.root()).move(index).cell);
    return nodes.make_node(nodes.root_link(), index, nodes.hash_of(position));
  }

  NodePool pool;
  TreeState state;
};

TEST(NodeStore, KnowsTheMovesAndThePositionsAfterThem) {
  ExpandedTree tree(Duplicates::kIgnore);
  NodeStore& nodes = tree.state.nodes;
  ASSERT_EQ(nodes.root().move_count, 3U);
  // Any cell of a group names its move.
  const int index = nodes.index_of_move(nodes.root(), {1, 0});
  ASSERT_GE(index, 0);
  nodes.swap_moves(nodes.root(), index, 0);
  const Link child = tree.add_child(0);
  ASSERT_NE(child, 0U);
  EXPECT_EQ(nodes.root().opened, 1U);
  game::Position after = nodes.root_position();
  after.apply({0, 0});
  EXPECT_EQ(nodes.position_of(nodes.node(child)), after);
  EXPECT_EQ(nodes.node(child).gain, 0);  // (2 - 2)^2
  EXPECT_EQ(tree.state.points_before(nodes.node(child)), 10);
}

TEST(NodeStore, KeepsLinksWhenMovesChangePlaces) {
  ExpandedTree tree(Duplicates::kIgnore);
  NodeStore& nodes = tree.state.nodes;
  const Link child = tree.add_child(0);
  const game::Position position = nodes.position_of(nodes.node(child));
  nodes.swap_moves(nodes.root(), 0, 2);
  EXPECT_EQ(nodes.node(child).move_index, 2U);
  EXPECT_EQ(nodes.moves_of(nodes.root()).node(2), child);
  EXPECT_EQ(nodes.moves_of(nodes.root()).node(0), 0U);
  EXPECT_EQ(nodes.position_of(nodes.node(child)), position);
}

TEST(NodeStore, FindsANodeByItsPositionOnlyWhileItIsThere) {
  ExpandedTree tree(Duplicates::kNaive);
  NodeStore& nodes = tree.state.nodes;
  const Link child = tree.add_child(0);
  const game::Position position = nodes.position_of(nodes.node(child));
  const std::uint32_t hash = nodes.hash_of(position);
  EXPECT_EQ(nodes.find(position, hash), child);
  EXPECT_EQ(nodes.find(nodes.root_position(), hash), 0U);
  nodes.free_below(nodes.root());
  EXPECT_EQ(nodes.find(position, hash), 0U);
  EXPECT_EQ(nodes.counts().nodes, 1U);
  EXPECT_EQ(nodes.counts().expanded, 0U);
  EXPECT_EQ(nodes.used_units(), 1U);
}

TEST(NodeStore, LooksForNoDuplicatesUnlessTold) {
  ExpandedTree tree(Duplicates::kIgnore);
  NodeStore& nodes = tree.state.nodes;
  const game::Position position = nodes.position_of(nodes.node(tree.add_child(0)));
  EXPECT_EQ(nodes.hash_of(position), 0U);
  EXPECT_EQ(nodes.find(position, 0), 0U);
}

TEST(NodeStore, KeepsOnlyTheSubtreeOfItsNewRoot) {
  ExpandedTree tree(Duplicates::kNaive);
  NodeStore& nodes = tree.state.nodes;
  const MoveBlock moves = nodes.moves_of(nodes.root());
  const Link kept = tree.add_child(0);
  tree.add_child(1);
  nodes.node(kept).visits = 7;
  const game::Cell cell = moves.move(0).cell;
  game::Position after = nodes.root_position();
  after.apply(cell);
  moves.node(0) = 0;
  nodes.free_below(nodes.root());
  EXPECT_EQ(nodes.advance_root(cell, kept), 2);
  EXPECT_EQ(nodes.root_link(), kept);
  EXPECT_EQ(nodes.root().visits, 7U);
  EXPECT_EQ(nodes.root_position(), after);
  EXPECT_EQ(nodes.counts().nodes, 1U);
  // Without a node to keep the root starts afresh.
  nodes.advance_root(after.groups().front().cell, 0);
  EXPECT_EQ(nodes.root().visits, 0U);
  EXPECT_EQ(nodes.counts().nodes, 1U);
}

TEST(NodeStore, SaysWhenThereIsNoMemory) {
  NodePool pool(kChunkBytes);
  const game::Position board = board_of({kRow});
  TreeState state(pool, board, 0, settings_with(Duplicates::kNaive), game::kStandardScoring, 1);
  ASSERT_TRUE(expand(state, state.nodes.root(), board));
  // The arena has the only chunk, and the table needs one of its own.
  EXPECT_EQ(state.nodes.make_node(state.nodes.root_link(), 0, 1), 0U);
  EXPECT_EQ(state.nodes.moves_of(state.nodes.root()).node(0), 0U);
  EXPECT_EQ(state.nodes.root().opened, 0U);
  EXPECT_EQ(state.nodes.counts().nodes, 1U);
}

}  // namespace
}  // namespace chainshot::host
