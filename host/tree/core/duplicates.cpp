// Duplicate detection (Klein 2015, 6.7): a position has one node, edges that lead to it elsewhere are cut, and what is
// left is a tree.
//
//   Naive       who came first keeps the node
//   Dynamic     who reaches it with more points takes it
//   Consistent  ... and its statistics go with it, from the ancestors of the one to those of the other. A node that is
//               solved counts no more above (statistics retraction).
//
// What a cut does to the bounds: a line over a cut edge that earns no more than the way of the tree to the same
// position is covered by that way, and the edge has no bound. Its slot keeps the margin, by how much the way of the
// tree is better; a subtree that is taken over by a better way uses its margins up (raise_paths), and an edge whose
// margin is gone counts as unvisited again. Where the way that is cut is the better one (Naive), its bound stays: the
// root is then not proven, unless a score found elsewhere reaches the bound.
#include <algorithm>
#include <limits>

#include "host/tree/core/move_bounds.hpp"
#include "host/tree/core/tree.hpp"

namespace chainshot::host {
namespace {

// The bound of a covered edge is below that of every position; the margin is added to it.
constexpr int kCovered = std::numeric_limits<int>::min() / 2;
constexpr int kMostMargin = 1 << 28;

bool is_covered(int bound) {
  return bound <= kCovered + kMostMargin;
}

}  // namespace

std::uint32_t Tree::hash_of(const game::Position& position) const {
  const std::uint64_t hash = settings_.merges_symmetric ? position.symmetric_hash() : position.hash();
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

Link Tree::find_duplicate(const game::Position& position, std::uint32_t hash) const {
  return table_->find(hash, [&](Link link) {
    const game::Position other = position_of(node(link));
    return other == position || (settings_.merges_symmetric && other.canonical() == position.canonical());
  });
}

// Points earned before the node's position. `way` is the way that leads to some node now, not that of a walk that was
// in flight. If the node is as deep as the next step of the way would be, the two are compared level by level, and
// mostly meet soon; else this counts to the root.
int Tree::points_at(const Node& of, std::span<const Walk::Step> way) const {
  int points = 0;
  std::size_t left = way.size();
  for (const Node* at = &of; at->parent != 0; at = &node(at->parent)) {
    points += at->gain;
    if (left == 0) continue;
    if (way[--left].node == at->parent) return points + way[left].points;
  }
  return points + root_points_;
}

// The walk is at a node whose unvisited move leads to a position that is in the tree. Returns whether it found its end.
bool Tree::join_duplicate(Walk& walk, Link twin, int slot) {
  const Walk::Step at = walk.steps.back();
  Node& parent = node(at.node);
  Node& met = node(twin);
  const Move move = block(parent).move(slot);
  const int points = at.points + scoring_.group_points(move.size);
  const int more = points - points_at(met, walk.steps);
  // An end of a game that this node would have seen (Klein 2015, 6.9.2).
  if (met.is_solved || met.is_end) reach_end(parent);

  // With the points of this way its best line may be better than all that was found.
  const bool is_told = points + met.best > best() && has_best_line(met);
  if (settings_.duplicates == Duplicates::kNaive || more <= 0) {
    cut(parent, slot, -more);
    return false;
  }
  take_over(twin, at.node, slot, points, more, is_told ? points + met.best : best());
  raise_best(parent, met.gain + met.best);
  if (is_told) {
    finish_by_best_line(walk, {twin, points, move.cell});
    walk_group_.place(Descent::kFinished);
    return true;
  }
  add_virtual_visits(met, 1);
  return send_on(at, {slot, 1}) == 0;
}

// Slot `opened` is done with. A margin below 0: the other way is worse.
void Tree::cut(Node& parent, int slot, int margin) {
  const Block moves = block(parent);
  ++parent.opened;
  moves.value(slot) = kNever;
  mark_cut(parent);
  if (margin >= 0) moves.bound()[slot] = kCovered + std::min(margin, kMostMargin);
  bounds_changed(parent);
}

void Tree::mark_cut(Node& of) {
  for (Node* at = &of; !at->has_cut_below; at = &node(at->parent)) {
    at->has_cut_below = true;
    if (at->parent == 0) return;
  }
}

// The node gets another parent, which it is reached through with `points`, `more` than before; no line through it may
// count for more than `told`.
void Tree::take_over(Link twin, Link parent, int slot, int points, int more, int told) {
  Node& moved = node(twin);
  Node& before = node(moved.parent);
  Node& after = node(parent);
  const bool is_consistent = settings_.duplicates == Duplicates::kConsistent;
  if (is_consistent && !moved.is_solved) add_above(moved, -1);
  add_virtual_above(moved, -1);
  const Block old = block(before);
  old.node(moved.slot) = 0;
  old.value(moved.slot) = kNever;
  old.bound()[moved.slot] = kCovered + std::min(more, kMostMargin);
  mark_cut(before);

  moved.parent = 0;
  forget_lines(moved, told - points);
  raise_paths(moved, more);

  const Block moves = block(after);
  ++after.opened;
  moves.node(slot) = twin;
  moved.parent = parent;
  moved.slot = static_cast<std::uint16_t>(slot);
  moved.gain = scoring_.group_points(moves.move(slot).size);
  if (moved.block == 0) moved.upper = std::min(moved.upper, moves.bound()[slot] - moved.gain);
  moves.bound()[slot] = moved.gain + moved.upper;
  if (moved.has_cut_below) mark_cut(after);
  for (Node* at = &after; moved.has_end_below && !at->has_end_below; at = &node(at->parent)) {
    at->has_end_below = true;
    if (at->parent == 0) break;
  }
  if (is_consistent && !moved.is_solved) add_above(moved, 1);
  add_virtual_above(moved, 1);
  write_terms(moved);
  bounds_changed(after);
  bounds_changed(before);
}

// A line that a playout has seen was told with the points of another way; with those of this one it would be a score
// that nobody knows how to reach. Such lines are forgotten, and what they have solved is searched anew.
void Tree::forget_lines(Node& of, int most) {
  if (of.best <= most) return;
  of.best = most;
  if (of.block == 0) {
    if (of.has_cut_below) forget_bounds(of);
    reopen(of);
    return;
  }
  for (int i = of.opened - 1; i >= 0; --i) {
    const Link link = block(of).node(i);
    if (link == 0) continue;
    Node& child = node(link);
    if (child.is_end && child.gain + child.best > most) {
      remove(link);
    } else {
      forget_lines(child, most - child.gain);
      block(of).bound()[i] = child.gain + child.upper;
    }
  }
  of.upper = highest_bound(of);
  reopen(of);
}

// If something is left to visit after all.
void Tree::reopen(Node& of) {
  if (of.is_solved) {
    of.is_solved = of.is_closed() || is_exhausted(of);
    if (settings_.duplicates == Duplicates::kConsistent && !of.is_solved) add_above(of, 1);
  }
  write_terms(of);
}

// The statistics of a node, once more or once less in its ancestors. Those of a solved one do not count above it.
void Tree::add_above(const Node& of, int times) {
  Added moved{of.visits, of.sum, of.squares, 0};
  const auto count = static_cast<std::uint64_t>(times);
  for (const Node* at = &of; at->parent != 0; at = &node(at->parent)) {
    moved.shift(at->gain);
    Node& above = node(at->parent);
    above.visits += count * of.visits;
    above.sum += times * moved.sum;
    above.squares += times * moved.squares;
    write_terms(above);
    if (above.is_solved) return;
  }
}

void Tree::add_virtual_above(const Node& of, int times) {
  if (of.virtual_visits == 0) return;
  for (const Node* at = &of; at->parent != 0; at = &node(at->parent)) {
    Node& above = node(at->parent);
    above.virtual_visits += static_cast<std::uint32_t>(times) * of.virtual_visits;
    write_terms(above);
  }
}

// A line through the node that other nodes have seen: it earns no more than the best of the whole tree, or is told.
void Tree::raise_best(Node& of, int best) {
  const Node* last = &of;
  for (Node* at = &of; at->best < best; at = &node(at->parent)) {
    at->best = best;
    write_terms(*at);
    last = at;
    if (at->parent == 0) break;
    best += at->gain;
  }
  solve_up(of, *last);
}

// All ways to the node, and to those below it, earn `more` points than before.
void Tree::raise_paths(Node& of, int more) {
  if (!(of.has_cut_below || settings_.state_pruning)) return;
  if (of.block == 0) {
    // What its cuts were covered by may earn less than it does now, and which they were is forgotten.
    if (of.has_cut_below) forget_bounds(of);
    reopen(of);  // it may have been passed over as hopeless
    return;
  }
  const Block moves = block(of);
  std::optional<MoveBounds> bounds;
  for (int i = of.opened - 1; i >= 0; --i) {
    int& bound = moves.bound()[i];
    if (const Link link = moves.node(i); link != 0) {
      raise_paths(node(link), more);
      bound = node(link).gain + node(link).upper;
      continue;
    }
    if (is_covered(bound) && bound - kCovered >= more) {
      bound -= more;
      continue;
    }
    if (is_covered(bound)) {
      const Move move = moves.move(i);
      if (!bounds) bounds.emplace(codec_.unpack(moves.board()), scoring_);
      bound = scoring_.group_points(move.size) + bounds->after(move.color, move.size);
    }
    swap_moves(of, i, --of.opened);
  }
  of.upper = highest_bound(of);
  reopen(of);
}

bool Tree::has_best_line(const Node& of) const {
  const Node* at = &of;
  while (const Node* next = best_child(*at))
    at = next;
  return at->is_end;
}

// The walk goes on to the end of the game. Nothing is counted: the statistics do not know this line.
void Tree::finish_by_best_line(Walk& walk, const Walk::Step& first) {
  for (const Walk::Step& step : walk.steps)
    add_virtual_visits(node(step.node), -1);
  walk.points = first.points;
  walk.rest.push_back(first.move);
  const Node* at = &node(first.node);
  while (const Node* next = best_child(*at)) {
    const Move move = block(*at).move(next->slot);
    walk.position.apply(move.cell);
    walk.points += next->gain;
    walk.rest.push_back(move.cell);
    at = next;
  }
  walk.points += play_end(walk);
}

}  // namespace chainshot::host
