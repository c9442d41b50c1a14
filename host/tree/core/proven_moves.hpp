// The selection of MCTS-Solver (Winands, Bjornsson, Saito 2008, 4.2), for one player, where a node is proven when its
// bounds meet. The selection rule never takes a proven move. Below T visits the playout policy chooses, and may: the
// walk goes no further then, and the proven score counts as the result of a game. Without that, a node whose good moves
// are proven would look as bad as the moves that are left.
//
// The paper also looks for a win in one among the moves of every new leaf. Here the first playout of a leaf that is one
// move from the end plays that move. Where duplicates merge, a node is closed when no better line leads through it,
// which does not tell the best score from its position; only a tree counts proven moves.
#pragma once

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// A walk may take the move only to count what is proven.
inline bool is_proven_move(const TreeState& tree, const MoveBlock& moves, int index) {
  const Link link = tree.counts_proven ? moves.node(index) : 0;
  return link != 0 && tree.nodes.node(link).is_closed();
}

}  // namespace chainshot::host
