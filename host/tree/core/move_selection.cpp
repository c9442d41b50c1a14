#include "host/tree/core/move_selection.hpp"

#include <algorithm>
#include <cmath>

#include "host/tree/core/bounds.hpp"
#include "host/tree/core/node_exploration.hpp"
#include "host/tree/core/proven_moves.hpp"
#include "host/tree/core/statistics.hpp"
#include "host/tree/core/top_move.hpp"
#include "host/tree/core/visit_tables.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kFrozenShare = 8;  // an eighth more visits are 3 % more exploration at most

// Only the tabu colour and epsilon of the playout policy matter here.
int select_by_policy(TreeState& tree, const Node& parent) {
  const MoveBlock moves = tree.nodes.moves_of(parent);
  const auto is_open = [&](int i) {
    return i >= parent.opened || moves.value(i) > kNever || is_proven_move(tree, moves, i);
  };
  const game::Policy& policy = tree.settings.policy;
  const bool has_tabu = policy.has_tabu() && (policy.epsilon == 0 || tree.random.next() >= policy.epsilon);
  const auto is_tabu = [&](int i) { return has_tabu && moves.move(i).color == parent.tabu; };
  int all = 0, free = 0;
  for (int i = 0; i < parent.move_count; ++i) {
    all += is_open(i);
    free += is_open(i) && !is_tabu(i);
  }
  if (all == 0) return -1;
  int left = static_cast<int>(tree.random.below(static_cast<std::uint32_t>(free > 0 ? free : all)));
  for (int i = 0;; ++i) {
    if (!is_open(i) || (free > 0 && is_tabu(i))) continue;
    if (left-- > 0) continue;
    if (i < parent.opened) return i;
    tree.nodes.swap_moves(parent, i, parent.opened);
    return parent.opened;
  }
}

// The rule's exploration is C * sqrt(ln n(parent) / n): the terms in the block are enough.
SelectedMove select_by_terms(const TreeState& tree, const Node& parent, std::uint64_t visits, int walks,
                             double exploration_factor) {
  const MoveBlock moves = tree.nodes.moves_of(parent);
  const float exploration =
      static_cast<float>(std::min<double>(exploration_factor, kMostExploration)) * root_log_of(visits);
  const TopMove top = top_move(moves.terms(), moves.lines(), exploration);
  if (top.index < 0) return {-1, 1};
  // With the parent's visits frozen, the walk after the n-th to this move takes it too as long as
  // value + exploration / sqrt(n) is above the second highest score.
  const auto frozen = std::max<std::uint64_t>(1, visits / kFrozenShare);
  const int most = frozen < static_cast<std::uint64_t>(walks) ? static_cast<int>(frozen) : walks;
  const float behind = top.second - moves.value(top.index);
  if (most == 1 || !(behind > 0)) return {top.index, most};
  const Node& selected = tree.nodes.node(moves.node(top.index));
  const float until = exploration / behind * (exploration / behind);
  const float more = std::ceil(until - static_cast<float>(selected.visits + selected.virtual_visits));
  return {top.index, static_cast<int>(std::clamp(more, 1.0F, static_cast<float>(most)))};
}

// The rule computes whole scores, for which it reads every child.
SelectedMove select_by_scores(const TreeState& tree, const Node& parent, std::uint64_t visits, double c, double range) {
  const MoveBlock moves = tree.nodes.moves_of(parent);
  int index = -1;
  double top = kNever;
  for (int i = 0; i < parent.move_count; ++i) {
    if (moves.value(i) == kAlways) return {i, 1};
    if (moves.value(i) == kNever) continue;
    const double score = tree.rule.score(statistics_of(tree.nodes.node(moves.node(i))), tree.settings.selection, c,
                                         range, std::max(1.0, static_cast<double>(visits)));
    if (score > top) {
      top = score;
      index = i;
    }
  }
  return {index, 1};
}

}  // namespace

SelectedMove select_move(TreeState& tree, Node& parent, int points, int walks) {
  // Walks that have not chosen yet do not count.
  const std::uint64_t visits = parent.visits + parent.virtual_visits - static_cast<std::uint64_t>(walks);
  if (static_cast<double>(visits) < tree.settings.selection.t) return {select_by_policy(tree, parent), 1};
  const MoveBlock moves = tree.nodes.moves_of(parent);
  for (; parent.opened < parent.move_count; ++parent.opened)
    if (!is_hopeless(tree, moves.bound()[parent.opened], points)) return {static_cast<int>(parent.opened), 1};
  const double range = range_of(tree, parent);
  const double c = exploration_of(tree, parent);
  return tree.rule.score == nullptr ? select_by_terms(tree, parent, visits, walks, range * c)
                                    : select_by_scores(tree, parent, visits, c, range);
}

}  // namespace chainshot::host
