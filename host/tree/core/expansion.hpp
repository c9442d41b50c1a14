// How a tree grows: a leaf gets its moves at its second visit, and a move gets a node at its first. At the cap of the
// memory the tree recycles old subtrees first (recycling.hpp).
//
// VS-pruning (Klein 2015, 2.4.2) leaves out moves that take a vertical segment at the top of its column. That is not
// always without loss (tests/host/tree/tree_pruning_test.cpp has a board), so the block keeps the highest of their
// bounds. Where all moves are such segments the game ends at once ("quick finish": Klein 2015, 5.1).
#pragma once

#include <cstdint>

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// A node below move `index` of `parent`; 0 if there is no memory, even after recycling.
Link add_node(TreeState& tree, Link parent, int index, std::uint32_t hash);
// Forgets a node and all below it: its move counts as unvisited again. No walk may be in flight through it.
void remove_node(TreeState& tree, Link link);
// Gives the leaf its moves, in random order; false if there is no memory, even after recycling.
bool expand(TreeState& tree, Node& leaf, const game::Position& position);

}  // namespace chainshot::host
