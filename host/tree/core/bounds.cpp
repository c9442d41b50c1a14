#include "host/tree/core/bounds.hpp"

#include <algorithm>
#include <utility>

#include "host/tree/core/statistics.hpp"

namespace chainshot::host {

bool is_exhausted(const TreeState& tree, const Node& of) {
  if (of.move_block == 0 || of.opened < of.move_count) return false;
  const MoveBlock moves = tree.nodes.moves_of(of);
  for (int i = 0; i < of.move_count; ++i)
    if (const Link link = moves.node(i); link != 0 && !tree.nodes.node(link).is_solved) return false;
  return true;
}

int highest_move_bound(const TreeState& tree, const Node& of) {
  const std::int32_t* bounds = tree.nodes.moves_of(of).bound();
  return *std::max_element(bounds, bounds + tree.nodes.bound_count(of));
}

void lower_upper_bound(TreeState& tree, Node& of, int upper) {
  Node* changed = &of;
  for (;;) {
    changed->upper = upper;
    if (changed->visits > 0) write_terms(tree, *changed);
    if (changed->parent == 0) break;
    Node& parent = tree.nodes.node(changed->parent);
    int& bound = tree.nodes.moves_of(parent).bound()[changed->move_index];
    const int before = std::exchange(bound, changed->gain + upper);
    if (before < parent.upper) break;
    upper = highest_move_bound(tree, parent);
    if (upper >= parent.upper) break;
    changed = &parent;
  }
  if (tree.tracks_solved) solve_upwards(tree, of, *changed);
}

void update_upper_bound(TreeState& tree, Node& of) {
  const int upper = highest_move_bound(tree, of);
  if (upper < of.upper) {
    lower_upper_bound(tree, of, upper);
  } else {
    solve_upwards(tree, of, of);
  }
}

void raise_best(TreeState& tree, Node& of, int best) {
  const Node* last = &of;
  for (Node* at = &of; at->best < best; at = &tree.nodes.node(at->parent)) {
    at->best = best;
    write_terms(tree, *at);
    last = at;
    if (at->parent == 0) break;
    best += at->gain;
  }
  solve_upwards(tree, of, *last);
}

void solve_upwards(TreeState& tree, Node& from, const Node& until) {
  bool child_is_new = true;  // so that the first node is looked at
  bool is_beyond = false;
  for (Node* at = &from; child_is_new || !is_beyond; at = &tree.nodes.node(at->parent)) {
    const bool is_new = !at->is_solved && (at->is_closed() || (child_is_new && is_exhausted(tree, *at)));
    if (is_new) {
      at->is_solved = true;
      if (tree.settings.duplicates == Duplicates::kConsistent) add_statistics_above(tree, *at, -1);
      write_terms(tree, *at);
    }
    child_is_new = is_new;
    is_beyond |= at == &until;
    if (at->parent == 0) return;
  }
}

void reopen_if_unsolved(TreeState& tree, Node& of) {
  if (of.is_solved) {
    of.is_solved = of.is_closed() || is_exhausted(tree, of);
    if (tree.settings.duplicates == Duplicates::kConsistent && !of.is_solved) add_statistics_above(tree, of, 1);
  }
  write_terms(tree, of);
}

void reset_upper_bound(TreeState& tree, Node& leaf) {
  leaf.has_cut_edge_below = false;
  leaf.upper = tree.nodes.position_of(leaf).upper_bound(tree.scoring);
  write_terms(tree, leaf);  // walks may have avoided it as hopeless
  for (Node* at = &leaf; at->parent != 0; at = &tree.nodes.node(at->parent)) {
    Node& parent = tree.nodes.node(at->parent);
    const int bound = tree.nodes.moves_of(parent).bound()[at->move_index] = at->gain + at->upper;
    if (parent.is_solved || parent.is_closed() || bound <= parent.upper) return;
    parent.upper = bound;
    write_terms(tree, parent);
  }
}

}  // namespace chainshot::host
