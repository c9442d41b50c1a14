#include "host/tree/core/statistics.hpp"

#include "host/tree/core/node_exploration.hpp"
#include "host/tree/core/visit_tables.hpp"

namespace chainshot::host {

MoveStatistics statistics_of(const Node& of) {
  const double share = 1.0 / static_cast<double>(of.visits);
  const double local_mean = static_cast<double>(of.sum) * share;
  return {.mean = of.gain + local_mean,
          .local_mean = local_mean,
          .best = static_cast<double>(of.gain + of.best),
          .variance = std::max(0.0, of.squares * share - local_mean * local_mean),
          .visits = static_cast<double>(of.visits + of.virtual_visits)};
}

double range_of(const TreeState& tree, const Node& parent) {
  switch (tree.settings.selection.normalisation) {
    case Normalisation::kNone:
      return 1;
    case Normalisation::kStatic:
      return tree.settings.selection.range;
    case Normalisation::kLocal:
      return std::max(1, parent.best);
    case Normalisation::kGlobal:
      return std::max(1, tree.score_to_beat());
  }
  return 1;
}

void write_width(TreeState& tree, const Node& of) {
  if (of.parent == 0) return;
  tree.nodes.moves_of(tree.nodes.node(of.parent)).width(of.move_index) = width_of(of.visits + of.virtual_visits);
}

void write_terms(TreeState& tree, const Node& of) {
  if (of.parent == 0) return;
  const Node& parent = tree.nodes.node(of.parent);
  const MoveBlock moves = tree.nodes.moves_of(parent);
  moves.width(of.move_index) = width_of(of.visits + of.virtual_visits);
  float& value = moves.value(of.move_index);
  if (of.is_closed() || of.is_solved) {
    value = kNever;
  } else if (of.visits > 0) {
    value = static_cast<float>(tree.rule.value(statistics_of(of), tree.settings.selection, range_of(tree, parent)));
  } else {
    // The node is a leaf in flight; or its visits went with children that moved to other parents or were solved.
    value = of.virtual_visits == 0 ? kAlways : kNever;
  }
}

void add_virtual_visits(TreeState& tree, Node& to, int walks) {
  to.virtual_visits += static_cast<std::uint32_t>(walks);
  write_width(tree, to);
}

void add_visits(TreeState& tree, Node& to, const PlayoutSums& sums, std::uint32_t walks) {
  to.virtual_visits -= walks;
  to.visits += sums.count;
  to.sum += sums.sum;
  to.squares += sums.squares;
  to.best = std::max(to.best, sums.best);
  to.touched = static_cast<std::uint32_t>(tree.counts.walks);
  if (sums.count > 0) shrink_late_exploration(tree, to, walks);
}

void add_statistics_above(TreeState& tree, const Node& of, int times) {
  PlayoutSums moved{of.visits, of.sum, of.squares, 0};
  const auto count = static_cast<std::uint64_t>(times);
  for (const Node* at = &of; at->parent != 0; at = &tree.nodes.node(at->parent)) {
    moved.shift(at->gain);
    Node& above = tree.nodes.node(at->parent);
    above.visits += count * of.visits;
    above.sum += times * moved.sum;
    above.squares += times * moved.squares;
    write_terms(tree, above);
    if (above.is_solved) return;
  }
}

void add_virtual_visits_above(TreeState& tree, const Node& of, int times) {
  if (of.virtual_visits == 0) return;
  for (const Node* at = &of; at->parent != 0; at = &tree.nodes.node(at->parent)) {
    Node& above = tree.nodes.node(at->parent);
    above.virtual_visits += static_cast<std::uint32_t>(times) * of.virtual_visits;
    write_terms(tree, above);
  }
}

}  // namespace chainshot::host
