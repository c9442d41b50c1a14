#include "host/tree/core/duplicates.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "game/move_bounds.hpp"
#include "host/tree/core/bounds.hpp"
#include "host/tree/core/expansion.hpp"
#include "host/tree/core/global_exploration.hpp"
#include "host/tree/core/node_exploration.hpp"
#include "host/tree/core/statistics.hpp"

namespace chainshot::host {
namespace {

// A covered edge has kCovered plus its margin in place of its bound, which is below the bound of every position.
constexpr int kCovered = std::numeric_limits<int>::min() / 2;
constexpr int kMostMargin = 1 << 28;

bool is_covered(int bound) {
  return bound <= kCovered + kMostMargin;
}

int covered_by(int margin) {
  return kCovered + std::min(margin, kMostMargin);
}

void mark_cut_edge(TreeState& tree, Node& parent) {
  for (Node* at = &parent; !at->has_cut_edge_below; at = &tree.nodes.node(at->parent)) {
    at->has_cut_edge_below = true;
    if (at->parent == 0) return;
  }
}

// Cuts the edge of the next unvisited move. A negative margin says that the tree's own path is the worse one.
void cut_edge(TreeState& tree, Node& parent, int index, int margin) {
  const MoveBlock moves = tree.nodes.moves_of(parent);
  ++parent.opened;
  moves.value(index) = kNever;
  mark_cut_edge(tree, parent);
  if (margin >= 0) moves.bound()[index] = covered_by(margin);
  update_upper_bound(tree, parent);
}

// Some playout told its line with the points of the old path. With the points of the better path the line would be a
// score whose moves nobody was told. Forgets lines below the node that earn more than `most`, and searches anew what
// they have solved.
void forget_untold_lines(TreeState& tree, Node& of, int most) {
  if (of.best <= most) return;
  of.best = most;
  if (of.move_block == 0) {
    if (of.has_cut_edge_below) reset_upper_bound(tree, of);
    reopen_if_unsolved(tree, of);
    return;
  }
  const MoveBlock moves = tree.nodes.moves_of(of);
  for (int i = of.opened - 1; i >= 0; --i) {
    const Link link = moves.node(i);
    if (link == 0) continue;
    Node& child = tree.nodes.node(link);
    if (child.is_end && child.gain + child.best > most) {
      remove_node(tree, link);
    } else {
      forget_untold_lines(tree, child, most - child.gain);
      moves.bound()[i] = child.gain + child.upper;
    }
  }
  of.upper = highest_move_bound(tree, of);
  reopen_if_unsolved(tree, of);
}

game::MoveBounds move_bounds_of(const TreeState& tree, const Node& of) {
  game::Position position;
  tree.nodes.unpack_board(of, position);
  return {position, tree.scoring};
}

// A node on its way from one parent to another.
struct TakeOver {
  Link node;
  Link parent;  // the new one
  int index;    // the next unvisited move of the new parent
  int points;   // earned before the node's position on the new path
  int more;     // than on the old path
  int told;     // the best score whose moves the search knows or is about to be told
};

void detach(TreeState& tree, Node& moved, int margin) {
  Node& parent = tree.nodes.node(moved.parent);
  const MoveBlock moves = tree.nodes.moves_of(parent);
  moves.node(moved.move_index) = 0;
  moves.value(moved.move_index) = kNever;
  moves.bound()[moved.move_index] = covered_by(margin);
  mark_cut_edge(tree, parent);
  moved.parent = 0;
}

void attach(TreeState& tree, Link link, Link to, int index) {
  Node& moved = tree.nodes.node(link);
  Node& parent = tree.nodes.node(to);
  const MoveBlock moves = tree.nodes.moves_of(parent);
  ++parent.opened;
  moves.node(index) = link;
  moved.parent = to;
  moved.move_index = static_cast<std::uint16_t>(index);
  moved.gain = tree.scoring.group_points(moves.move(index).size);
  // A leaf may have got the root's bound while it had no parent.
  if (moved.move_block == 0) moved.upper = std::min(moved.upper, moves.bound()[index] - moved.gain);
  moves.bound()[index] = moved.gain + moved.upper;
  if (moved.has_cut_edge_below) mark_cut_edge(tree, parent);
  if (moved.has_end_below) mark_end_below(tree, parent);
}

void take_over(TreeState& tree, const TakeOver& move) {
  Node& moved = tree.nodes.node(move.node);
  Node& before = tree.nodes.node(moved.parent);
  Node& after = tree.nodes.node(move.parent);
  const bool is_consistent = tree.settings.duplicates == Duplicates::kConsistent;
  if (is_consistent && !moved.is_solved) add_statistics_above(tree, moved, -1);
  add_virtual_visits_above(tree, moved, -1);
  detach(tree, moved, move.more);
  forget_untold_lines(tree, moved, move.told - move.points);
  raise_points_before(tree, moved, move.more);
  attach(tree, move.node, move.parent, move.index);
  if (is_consistent && !moved.is_solved) add_statistics_above(tree, moved, 1);
  add_virtual_visits_above(tree, moved, 1);
  write_terms(tree, moved);
  update_upper_bound(tree, after);
  update_upper_bound(tree, before);
}

// The tree holds the whole line that `of.best` stands for.
bool has_best_line(const TreeState& tree, const Node& of) {
  const Node* at = &of;
  while (const Link next = tree.nodes.best_child(*at))
    at = &tree.nodes.node(next);
  return at->is_end;
}

int points_after(const TreeState& tree, const Walk::Step& at, int index) {
  const Move move = tree.nodes.moves_of(tree.nodes.node(at.node)).move(index);
  return at.points + tree.scoring.group_points(move.size);
}

}  // namespace

DuplicateOutcome resolve_duplicate(TreeState& tree, std::span<const Walk::Step> path, int index, Link twin) {
  const Walk::Step& at = path.back();
  Node& parent = tree.nodes.node(at.node);
  Node& node = tree.nodes.node(twin);
  const int points = points_after(tree, at, index);
  const int more = points - tree.points_before(node, path);
  // The parent would have seen the end of a game here (Klein 2015, 6.9.2).
  if (node.is_solved || node.is_end) {
    grow_exploration_above(tree, parent);
    grow_exploration_at_end(tree);
  }

  if (tree.settings.duplicates == Duplicates::kNaive || more <= 0) {
    cut_edge(tree, parent, index, -more);
    return DuplicateOutcome::kCut;
  }
  const bool is_better_line = points + node.best > tree.best() && has_best_line(tree, node);
  const int told = is_better_line ? points + node.best : tree.best();
  take_over(tree, {twin, at.node, index, points, more, told});
  raise_best(tree, parent, node.gain + node.best);
  return is_better_line ? DuplicateOutcome::kBetterLine : DuplicateOutcome::kTakenOver;
}

bool take_over_if_better(TreeState& tree, std::span<const Walk::Step> path, int index, Link twin) {
  const Walk::Step& at = path.back();
  const Node& node = tree.nodes.node(twin);
  const int points = points_after(tree, at, index);
  const int more = points - tree.points_before(node, path);
  if (tree.settings.duplicates == Duplicates::kNaive || more <= 0 || node.is_solved) return false;
  take_over(tree, {twin, at.node, index, points, more, tree.best()});
  return true;
}

void follow_best_line(TreeState& tree, Walk& walk, int index) {
  for (const Walk::Step& step : walk.steps)
    add_virtual_visits(tree, tree.nodes.node(step.node), -1);
  const Walk::Step& last = walk.steps.back();
  const MoveBlock moves = tree.nodes.moves_of(tree.nodes.node(last.node));
  const Node* at = &tree.nodes.node(moves.node(index));
  walk.points = last.points + at->gain;
  walk.rest.push_back(moves.move(index).cell);
  while (const Link link = tree.nodes.best_child(*at)) {
    const Node& next = tree.nodes.node(link);
    const Move move = tree.nodes.moves_of(*at).move(next.move_index);
    walk.position.apply(move.cell);
    walk.points += next.gain;
    walk.rest.push_back(move.cell);
    at = &next;
  }
  walk.points += walk.play_rest(tree.scoring);
}

void raise_points_before(TreeState& tree, Node& of, int more) {
  if (!(of.has_cut_edge_below || tree.settings.state_pruning)) return;
  if (of.move_block == 0) {
    // The leaf has forgotten its cut edges; the paths that covered them may earn less than its own does now.
    if (of.has_cut_edge_below) reset_upper_bound(tree, of);
    reopen_if_unsolved(tree, of);  // walks may have avoided it as hopeless
    return;
  }
  const MoveBlock moves = tree.nodes.moves_of(of);
  std::optional<game::MoveBounds> bounds;
  for (int i = of.opened - 1; i >= 0; --i) {
    int& bound = moves.bound()[i];
    if (const Link link = moves.node(i); link != 0) {
      Node& child = tree.nodes.node(link);
      raise_points_before(tree, child, more);
      bound = child.gain + child.upper;
      continue;
    }
    if (is_covered(bound) && bound - kCovered >= more) {
      bound -= more;
      continue;
    }
    if (is_covered(bound)) {
      const Move move = moves.move(i);
      if (!bounds) bounds.emplace(move_bounds_of(tree, of));
      bound = tree.scoring.group_points(move.size) + bounds->after(move.color, move.size);
    }
    tree.nodes.swap_moves(of, i, --of.opened);
  }
  of.upper = highest_move_bound(tree, of);
  reopen_if_unsolved(tree, of);
}

}  // namespace chainshot::host
