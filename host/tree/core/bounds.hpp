// Bounds tell which nodes cannot improve (MCTS-Solver: Winands et al. 2008, for one player). Every node has an upper
// bound (at first all blocks of a colour in one group, later the best of its moves' bounds) and a lower bound, the best
// line seen. Where the two meet the node is closed and walks avoid it; where those of the root meet, the best score is
// proven.
//
// Moves that the tree leaves out (VS-pruning, duplicates) keep their bounds where they could be better, so that a proof
// holds for the game and not just for the tree. A node is solved when nothing below it is left to visit, whatever its
// bounds say. With state pruning a move is hopeless as soon as its bound cannot beat the best score known (Klein 2015,
// 2.4.1).
#pragma once

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// `points` were earned before the position that `bound` counts from.
inline bool is_hopeless(const TreeState& tree, int bound, int points) {
  return tree.settings.state_pruning && points + bound <= tree.score_to_beat();
}
// No walk needs to visit the node.
inline bool is_done(const TreeState& tree, const Node& of, int points) {
  return of.is_closed() || of.is_solved || is_hopeless(tree, of.upper, points);
}
// Every move was opened, and every child is solved.
bool is_exhausted(const TreeState& tree, const Node& of);
// The highest of the bounds of the moves, those left out included.
int highest_move_bound(const TreeState& tree, const Node& of);

// Lowers the bound of a node, and those of the ancestors whose bounds came from it.
void lower_upper_bound(TreeState& tree, Node& of, int upper);
// After a change of the bounds of its moves: lowers the node's bound if they allow it, and marks what became solved.
void update_upper_bound(TreeState& tree, Node& of);
// Raises the best line of a node and of its ancestors to a line through it that other nodes have seen. The caller makes
// sure that the line earns no more than the tree's best one, or tells it to the search.
void raise_best(TreeState& tree, Node& of, int best);
// Marks nodes that have become solved, from a node upwards. The bounds have changed up to `until`; above it a node can
// only have become solved if a child has.
void solve_upwards(TreeState& tree, Node& from, const Node& until);

// A solved node whose bounds have grown may have something to visit again.
void reopen_if_unsolved(TreeState& tree, Node& of);
// Gives a leaf that has lost its moves the bound of its colours again: a position below it that another path covered
// may be opened here anew, and then cover that path.
void reset_upper_bound(TreeState& tree, Node& leaf);

}  // namespace chainshot::host
