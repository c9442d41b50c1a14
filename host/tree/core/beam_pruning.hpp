// Beam Monte-Carlo tree search (BMCTS: Baier and Winands 2012, as described by Klein 2015, A.5).
//
//   when L walks have passed through depth d:
//     keep the W most visited nodes of depth d and their ancestors
//     discard all other nodes, also those below the W nodes, and add no node up to depth d any more
//     count the walks through all depths below d anew
//
// The last line is Klein's reading of the paper. It makes the depths fall due in order, 1, 2, 3, ...: every walk
// through depth d + 1 also passes through depth d. One counter for the depth that is due next is therefore enough.
//
// Where the paper is silent: nodes with nothing left to visit take no place in the beam, as their best line is known;
// of nodes with equally many visits the one with the better line stays, then the one found first. With `keeps_below`
// what lies below the W nodes is kept, for which Klein sees no reason against.
//
// Discarded moves keep their bounds, so that a proof still holds for the game.
#pragma once

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// A walk to a node of this depth was backed up.
inline void count_for_beam(TreeState& tree, int depth) {
  if (depth > tree.beam.depth) ++tree.beam.walks;
}
inline bool is_pruning_due(const TreeState& tree) {
  return tree.beam.limit > 0 && tree.beam.walks >= tree.beam.limit;
}
// No walk may be in flight. If the next depth has nothing to keep, nothing is discarded and its walks count anew.
void prune_to_beam(TreeState& tree);

}  // namespace chainshot::host
