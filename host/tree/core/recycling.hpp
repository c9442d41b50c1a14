// A tree at the cap of its memory forgets the subtrees that were visited least recently, about a quarter of the
// tree in one pass, so that the passes cost little per visit. The node above a forgotten subtree keeps its statistics
// and is expanded again at its next visit. What stays: the root's moves, the path of the best line, and every node that
// a walk in flight has come through.
#pragma once

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// Makes one pass. Returns false, and does nothing, if the last pass was too recent to be worth another one; the tree
// then searches on with the nodes it has.
bool recycle(TreeState& tree);

}  // namespace chainshot::host
