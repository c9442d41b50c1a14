// The way up: statistics, bounds, and the terms the selection reads.
#include <algorithm>
#include <cmath>
#include <utility>

#include "host/tree/core/tree.hpp"
#include "host/tree/core/visit_tables.hpp"

namespace chainshot::host {
namespace {

constexpr int kLastSteps = 5;  // they lie in two lines at most

void prefetch_last_steps(const Walk& walk) {
  __builtin_prefetch(&walk.steps[static_cast<std::size_t>(std::max(0, walk.length() - kLastSteps))]);
  __builtin_prefetch(&walk.steps.back());
}

}  // namespace

double Tree::range_of(const Node& parent) const {
  switch (settings_.selection.normalisation) {
    case Normalisation::kNone:
      return 1;
    case Normalisation::kStatic:
      return settings_.selection.range;
    case Normalisation::kLocal:
      return std::max(1, parent.best);
    case Normalisation::kGlobal:
      return std::max({1, best(), known_best_});
  }
  return 1;
}

MoveStatistics Tree::statistics_of(const Node& of) const {
  const double share = 1.0 / static_cast<double>(of.visits);
  const double local_mean = static_cast<double>(of.sum) * share;
  return {.mean = of.gain + local_mean,
          .local_mean = local_mean,
          .best = static_cast<double>(of.gain + of.best),
          .variance = std::max(0.0, of.squares * share - local_mean * local_mean),
          .visits = static_cast<double>(of.visits + of.virtual_visits)};
}

void Tree::write_width(const Node& of) const {
  if (of.parent != 0) block(node(of.parent)).width(of.slot) = width_of(of.visits + of.virtual_visits);
}

void Tree::write_terms(const Node& of) const {
  if (of.parent == 0) return;
  const Node& parent = node(of.parent);
  const Block moves = block(parent);
  moves.width(of.slot) = width_of(of.visits + of.virtual_visits);
  float& value = moves.value(of.slot);
  if (of.is_closed() || of.is_solved) {
    value = kNever;
  } else if (of.visits > 0) {
    value = static_cast<float>(rule_->value(statistics_of(of), settings_.selection, range_of(parent)));
  } else {
    // A leaf in flight; or nodes that others took over, or that are solved, have left it without a visit of its own.
    value = of.virtual_visits == 0 ? kAlways : kNever;
  }
}

// What is counted from one position, counted from one that has earned `points` less.
void Tree::Added::shift(int points) {
  const std::int64_t p = points, n = static_cast<std::int64_t>(count);
  squares +=
      static_cast<double>(p) * (2.0 * static_cast<double>(sum) + static_cast<double>(n) * static_cast<double>(p));
  sum += n * p;
  best += points;
}

void Tree::Added::add(const Added& other) {
  count += other.count;
  sum += other.sum;
  squares += other.squares;
  best = std::max(best, other.best);
  walks += other.walks;
  may_solve |= other.may_solve;
}

void Tree::complete(const Walk& walk, const game::Result& result) {
  const Walk* const only = &walk;
  complete({&only, 1}, {&result, 1});
}

void Tree::complete(std::span<const Walk* const> walks, std::span<const game::Result> results) {
  for (std::size_t i = 0; i < walks.size(); ++i) {
    constexpr std::size_t kAhead = 4;
    if (i + 2 * kAhead < walks.size()) prefetch_last_steps(*walks[i + 2 * kAhead]);
    if (i + kAhead < walks.size()) prefetch_last_nodes(*walks[i + kAhead]);
    const Walk& walk = *walks[i];
    const game::Result& result = results[i];
    Added added{.count = result.count,
                .sum = result.sum,
                .squares = static_cast<double>(result.sum_of_squares),
                .best = result.best};
    added.shift(-walk.points);
    // The best line was told with the points of the walk's own way.
    if (!keeps_parents_) added.best -= points_at(node(walk.leaf()), {}) - walk.points;
    eighths_ += 8 * (result.moves + result.count) + static_cast<std::uint64_t>(walk.length() - 1);
    back_up(walk, added, i + 1 < walks.size() ? walks[i + 1] : nullptr);
  }
}

// What it may not have in common with the walk before it.
void Tree::prefetch_last_nodes(const Walk& walk) const {
  for (int i = std::max(0, walk.length() - kLastSteps); i < walk.length(); ++i)
    __builtin_prefetch(arena_.at(walk.steps[static_cast<std::size_t>(i)].node));
}

// Steps that two walks begin with. Where a node is the same, so is the way to it.
int Tree::shared_steps(const Walk& a, const Walk& b) {
  int shared = std::min(a.length(), b.length());
  while (shared > 0 &&
         a.steps[static_cast<std::size_t>(shared - 1)].node != b.steps[static_cast<std::size_t>(shared - 1)].node)
    --shared;
  return shared;
}

// What `next`, the walk that is to be backed up after this one, has in common with it waits for that.
void Tree::back_up(const Walk& walk, Added added, const Walk* next) {
  added.walks = 1;
  added.may_solve = true;
  if (keeps_parents_) {
    add_along(walk, added, next != nullptr ? shared_steps(walk, *next) : 0);
  } else {
    add_up(walk.leaf(), added);
    solve_up(node(walk.leaf()), root());
  }
  ++counts_.walks;
  const int depth = advanced_ + walk.length() - 1;
  counts_.steps += static_cast<std::uint64_t>(depth);
  counts_.deepest = std::max(counts_.deepest, depth);
}

void Tree::visit(Node& of, const Added& added) {
  of.virtual_visits -= added.walks;
  of.visits += added.count;
  of.sum += added.sum;
  of.squares += added.squares;
  of.best = std::max(of.best, added.best);
  of.touched = static_cast<std::uint32_t>(counts_.walks);
  const NodeExploration& exploration = settings_.node_exploration;
  if (exploration.late_urgency && budget_left_ < exploration.urgency_share && !of.has_end_below && added.count > 0)
    of.c = std::max(of.c * static_cast<float>(std::pow(exploration.urgency, added.walks)), kLeastExploration);
}

// Tells the nodes of a walk, from its leaf up, but for the first `kept` of them.
void Tree::add_along(const Walk& walk, const Added& added, int kept) {
  if (rising_.size() < walk.steps.size()) rising_.resize(walk.steps.size());
  rising_[walk.steps.size() - 1].add(added);
  for (int i = walk.length() - 1; i >= kept; --i) {
    Added rising = std::exchange(rising_[static_cast<std::size_t>(i)], {});
    Node& visited = node(walk.steps[static_cast<std::size_t>(i)].node);
    visit(visited, rising);
    rising.may_solve =
        tracks_solved_ && !visited.is_solved && (visited.is_closed() || (rising.may_solve && is_exhausted(visited)));
    visited.is_solved |= rising.may_solve;
    write_terms(visited);
    if (i == 0) continue;
    rising.shift(visited.gain);
    rising_[static_cast<std::size_t>(i - 1)].add(rising);
  }
}

// Where nodes change their parents: along the way that leads to the leaf now.
void Tree::add_up(Link leaf, Added added) {
  for (Link link = leaf; link != 0; link = node(link).parent) {
    Node& visited = node(link);
    visit(visited, added);
    write_terms(visited);
    // Statistics of a solved node count no more above it, but its best line does.
    if (visited.is_solved && settings_.duplicates == Duplicates::kConsistent)
      added = {.best = added.best, .walks = added.walks};
    added.shift(visited.gain);
  }
}

// TerminalNodeHit of Klein 2015, 6.9.2. With duplicates it starts as well where a move leads to a solved node; the
// further start that the section allows, when a node finds that its last moves were solved elsewhere, is left out.
void Tree::reach_end(Node& from) {
  const NodeExploration& exploration = settings_.node_exploration;
  if (!exploration.enabled) return;
  double growth = exploration.growth;
  for (Node* at = &from;; at = &node(at->parent)) {
    at->c = std::min(at->c * static_cast<float>(growth), kMostExploration);
    growth = std::max(growth * exploration.fading, exploration.least);
    if (at->parent == 0) return;
  }
}

void Tree::abandon(const Walk& walk) {
  for (Link link = walk.leaf(); link != 0;) {
    Node& left = node(link);
    const Link above = left.parent;
    --left.virtual_visits;
    if (left.visits > 0 || left.virtual_visits > 0 || above == 0) {
      write_terms(left);
    } else {
      remove(link);
    }
    link = above;
  }
}

// The bounds of a node and of all above it whose bound came from there.
void Tree::lower_upper(Node& of, int upper) {
  Node* changed = &of;
  for (;;) {
    changed->upper = upper;
    if (changed->visits > 0) write_terms(*changed);
    if (changed->parent == 0) break;
    Node& parent = node(changed->parent);
    const int before = std::exchange(block(parent).bound()[changed->slot], changed->gain + upper);
    if (before < parent.upper) break;
    upper = highest_bound(parent);
    if (upper >= parent.upper) break;
    changed = &parent;
  }
  if (tracks_solved_) solve_up(of, *changed);
}

int Tree::highest_bound(const Node& of) const {
  const std::int32_t* bounds = block(of).bound();
  return *std::max_element(bounds, bounds + of.moves + left_out_);
}

// After a change of the bounds of its moves.
void Tree::bounds_changed(Node& of) {
  const int upper = highest_bound(of);
  if (upper < of.upper) {
    lower_upper(of, upper);
  } else {
    solve_up(of, of);
  }
}

bool Tree::is_exhausted(const Node& of) const {
  if (of.block == 0 || of.opened < of.moves) return false;
  const Block moves = block(of);
  for (int i = 0; i < of.moves; ++i)
    if (const Link link = moves.node(i); link != 0 && !node(link).is_solved) return false;
  return true;
}

// What has become solved, from a node up. The bounds have changed up to `until`; above it a node can only have become
// solved if a move of it has.
void Tree::solve_up(Node& from, const Node& until) {
  bool below = true;  // the last one has become solved, or is the first
  bool is_beyond = false;
  for (Node* at = &from; below || !is_beyond; at = &node(at->parent)) {
    const bool is_new = !at->is_solved && (at->is_closed() || (below && is_exhausted(*at)));
    if (is_new) {
      at->is_solved = true;
      if (settings_.duplicates == Duplicates::kConsistent) add_above(*at, -1);
      write_terms(*at);
    }
    below = is_new;
    is_beyond |= at == &until;
    if (at->parent == 0) return;
  }
}

}  // namespace chainshot::host
