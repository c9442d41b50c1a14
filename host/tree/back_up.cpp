// The way up: statistics, bounds, and the terms the selection reads.
#include <algorithm>
#include <utility>

#include "host/tree/tree.hpp"
#include "host/tree/visit_tables.hpp"

namespace chainshot::host {

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
  const double local_mean = static_cast<double>(of.sum) / of.visits;
  return {.mean = of.gain + local_mean,
          .local_mean = local_mean,
          .best = static_cast<double>(of.gain + of.best),
          .variance = std::max(0.0, static_cast<double>(of.squares) / of.visits - local_mean * local_mean),
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
  moves.value(of.slot) =
      of.is_closed() || of.visits == 0
          ? kNever
          : static_cast<float>(rule_->value(statistics_of(of), settings_.selection, range_of(parent)));
}

// What is counted from one position, counted from one that has earned `points` less.
void Tree::Added::shift(int points) {
  const std::int64_t p = points, n = static_cast<std::int64_t>(count);
  squares += static_cast<std::uint64_t>(2 * p * sum + n * p * p);
  sum += n * p;
  best += points;
}

void Tree::complete(const Walk& walk, const game::Result& result) {
  Added added{result.count, result.sum, result.sum_of_squares, result.best};
  added.shift(-walk.points);
  eighths_ += 8 * (result.moves + result.count) + static_cast<std::uint64_t>(walk.length - 1);
  back_up(walk, added);
}

void Tree::back_up(const Walk& walk, Added added) {
  for (int i = walk.length - 1; i >= 0; --i) {
    const Walk::Step& step = walk.steps[static_cast<std::size_t>(i)];
    Node& visited = node(step.node);
    --visited.virtual_visits;
    visited.visits += static_cast<std::uint32_t>(added.count);
    visited.sum += added.sum;
    visited.squares += added.squares;
    visited.best = std::max(visited.best, added.best);
    visited.touched = static_cast<std::uint32_t>(counts_.walks);
    write_terms(visited);
    if (i > 0) added.shift(step.points - walk.steps[static_cast<std::size_t>(i - 1)].points);
  }
  ++counts_.walks;
  counts_.steps += static_cast<std::uint64_t>(walk.length - 1);
  counts_.deepest = std::max(counts_.deepest, walk.length - 1);
}

void Tree::abandon(const Walk& walk) {
  for (Link link = walk.steps[static_cast<std::size_t>(walk.length - 1)].node; link != 0;) {
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
  for (Node* changed = &of;;) {
    changed->upper = upper;
    if (changed->visits > 0) write_terms(*changed);
    if (changed->parent == 0) return;
    Node& parent = node(changed->parent);
    const Block moves = block(parent);
    const int before = std::exchange(moves.bound()[changed->slot], changed->gain + upper);
    if (before < parent.upper) return;
    const int most = *std::max_element(moves.bound(), moves.bound() + parent.moves);
    if (most >= parent.upper) return;
    upper = most;
    changed = &parent;
  }
}

}  // namespace chainshot::host
