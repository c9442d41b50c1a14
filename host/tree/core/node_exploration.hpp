// An exploration factor per node (CNode: Klein 2015, 6.9.2). The factors of a node and of its ancestors grow when the
// tree reaches the end of a game there (TerminalNodeHit); late in a search, the factors of nodes that have reached none
// shrink with every visit (late urgency). With duplicates the factors also grow where a move leads to a solved node.
// The section allows one more start, when a node finds that its last moves were solved elsewhere; we leave that one
// out. With SA-UCT a node has no factor of its own until it grows there; until then it cools with all the others.
#pragma once

#include <cstdint>

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// Clamped: infinity would make NaN scores, and zero could never grow again.
inline constexpr float kMostExploration = 1e18F, kLeastExploration = 1e-18F;

// The factor of a node's moves.
inline double exploration_of(const TreeState& tree, const Node& node) {
  return tree.settings.node_exploration.enabled && (!tree.cools || node.has_own_c) ? node.c : tree.exploration.c;
}

// At `from` and, ever less, at its ancestors. Does nothing unless the settings enable it.
void grow_exploration_above(TreeState& tree, Node& from);
// After visits by `walks`. Does nothing before the budget runs low.
void shrink_late_exploration(const TreeState& tree, Node& visited, std::uint32_t walks);
// The node and its ancestors have an end of a game below them.
void mark_end_below(TreeState& tree, Node& from);

}  // namespace chainshot::host
