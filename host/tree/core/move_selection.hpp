// Which move a walk takes at a node. Below T visits the playout policy chooses (Schadd 2012, 4.2); then unvisited moves
// come first (Klein 2015, 5.1), in the random order the expansion put them into; then the highest score by the tree's
// selection rule (host/tree/selection/selection.hpp) wins.
//
// Walks that come to a node together may take a move together. The parent's visit count is frozen while it assigns a
// run of walks to one move, which changes its exploration by 3 % at most; the visits of the move itself count walk by
// walk.
#pragma once

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

struct SelectedMove {
  int index;  // -1: there is nothing to visit
  int walks;  // how many of the walks take the move, one after the other
};

// For the first of `walks` that have come to `parent` and are among its virtual visits; `points` were earned before it.
// The index of a move that no walk has taken before is parent.opened.
SelectedMove select_move(TreeState& tree, Node& parent, int points, int walks);

}  // namespace chainshot::host
