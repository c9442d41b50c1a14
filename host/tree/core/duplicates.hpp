// Duplicate detection (Klein 2015, 6.7): several paths may lead to a position, but it has one node. The edges of all
// other paths are cut, and what is left is a tree.
//
//   Naive       the first path keeps the node
//   Dynamic     a path that earns more points takes the node over: the node gets another parent
//   Consistent  as Dynamic, and the node's statistics move from its old ancestors to the new ones. A solved node no
//               longer counts above itself (statistics retraction).
//
// A cut changes bounds: a line over a cut edge that earns no more than the tree's own path to the same position is
// covered by that path, and the edge needs no bound. Its entry keeps the margin instead, by how many points the tree's
// path is better. When a subtree moves below a better path its cut edges lose that much of their margins, and an edge
// whose margin is used up counts as unvisited again. Where the cut path is the better one (Naive) its bound stays; the
// root then has no proof, unless a score found elsewhere reaches the bound.
#pragma once

#include <span>

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// A walk is about to open a move whose position has a node elsewhere. What became of the edge:
enum class DuplicateOutcome : std::uint8_t {
  kCut,         // the node stays where it is, and no walk takes this move again
  kTakenOver,   // the node hangs below this move now
  kBetterLine,  // it does too, and with the points of this path its best line beats the tree's best: the caller must
                // tell it, by follow_best_line
};
// `path` ends with the parent of move `index`, which is the next unvisited one.
DuplicateOutcome resolve_duplicate(TreeState& tree, std::span<const Walk::Step> path, int index, Link twin);
// Hangs the node below move `index` of the last node of `path`, if that path earns more points and the settings allow
// it. Returns whether it did.
bool take_over_if_better(TreeState& tree, std::span<const Walk::Step> path, int index, Link twin);

// Takes the walk from its last node over move `index` along the best line to the end of the game. The tree counts
// nothing: its statistics do not know this line.
void follow_best_line(TreeState& tree, Walk& walk, int index);

// All paths to the node and to those below it earn `more` points than before: margins shrink, and nodes that were
// hopeless or solved may be open again.
void raise_points_before(TreeState& tree, Node& of, int more);

}  // namespace chainshot::host
