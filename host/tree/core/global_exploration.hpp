// The exploration factor that all nodes share, where it changes during a search (Klein 2015, 3.7.2 and 6.9):
//
//   SA-UCT      the factor cools with the budget, linearly or exponentially
//   DepthBlock  it grows while nodes lie deeper on average than they should
//   LeafBlock   it grows whenever the tree reaches the end of a game
//   LU, LUntn   late in a search it shrinks while nodes are not half as deep as they should be, or while the tree has
//               no end of a game
//
// The factor is that of the cooling times the product of all growth and shrinking, which happens once per walk. The
// mean depth is that of the leaves that walks ended at: a walk adds one node, so that this is the mean depth of a node.
#pragma once

#include <cstdint>

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// T(C, R left, R total) of Klein 2015, 6.9.2.
double cooled(const TreeSettings& settings, double budget_left);

// `share` of the budget is left, and a walk of this tree costs about `per_walk` of it.
void begin_exploration(TreeState& tree, double share, double per_walk);
// Games of `length` moves altogether, counted from the first root.
void count_games(TreeState& tree, double games, double length);
// The tree has reached the end of a game.
void grow_exploration_at_end(TreeState& tree);
// After each walk.
void adapt_exploration(TreeState& tree);

}  // namespace chainshot::host
