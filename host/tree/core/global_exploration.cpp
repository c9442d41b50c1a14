#include "host/tree/core/global_exploration.hpp"

#include <algorithm>
#include <cmath>

#include "host/tree/core/node_exploration.hpp"

namespace chainshot::host {
namespace {

constexpr double kShallow = 0.5;  // of the ideal depth: above it late urgency rests

// Returns the share of the budget that is left after the walks since the last round began.
double budget_left_now(const TreeState& tree) {
  const TreeExploration& exploration = tree.exploration;
  const auto walks = static_cast<double>(tree.counts.walks - exploration.walks_at_round);
  return std::max(0.0, tree.budget_left - exploration.share_per_walk * walks);
}

double ideal_depth(const TreeState& tree) {
  const GlobalExploration& settings = tree.settings.global_exploration;
  if (settings.ideal_depth > 0) return settings.ideal_depth;
  const TreeExploration& exploration = tree.exploration;
  return settings.ideal_share * exploration.game_moves / std::max(1.0, exploration.games);
}

bool is_urgent(const TreeState& tree, double mean_depth) {
  const GlobalExploration& settings = tree.settings.global_exploration;
  if (!settings.has_urgency() || budget_left_now(tree) >= tree.settings.node_exploration.urgency_share) return false;
  return settings.urgency == GlobalUrgency::kNoEnd ? !tree.nodes.root().has_end_below
                                                   : mean_depth < kShallow * ideal_depth(tree);
}

void multiply(TreeState& tree, double factor) {
  double& product = tree.exploration.product;
  product = std::clamp<double>(product * factor, kLeastExploration, kMostExploration);
}

void set_factor(TreeState& tree) {
  tree.exploration.c = cooled(tree.settings, budget_left_now(tree)) * tree.exploration.product;
}

}  // namespace

double cooled(const TreeSettings& settings, double budget_left) {
  const double start = settings.selection.c;
  const GlobalExploration& global = settings.global_exploration;
  switch (global.cooling) {
    case Cooling::kNone:
      return start;
    case Cooling::kLinear:
      return start * budget_left;
    case Cooling::kExponential:
      return std::max(start * std::exp(-global.cooling_rate * (1 - budget_left)), global.coolest);
  }
  return start;
}

void begin_exploration(TreeState& tree, double share, double per_walk) {
  tree.budget_left = share;
  tree.exploration.share_per_walk = per_walk;
  tree.exploration.walks_at_round = tree.counts.walks;
  if (tree.changes_exploration) set_factor(tree);
}

void count_games(TreeState& tree, double games, double length) {
  tree.exploration.games += games;
  tree.exploration.game_moves += length;
}

void grow_exploration_at_end(TreeState& tree) {
  if (tree.settings.global_exploration.leaf_block) multiply(tree, tree.settings.global_exploration.end_growth);
}

void adapt_exploration(TreeState& tree) {
  const GlobalExploration& settings = tree.settings.global_exploration;
  const double mean_depth =
      static_cast<double>(tree.counts.steps) / static_cast<double>(std::max<std::uint64_t>(1, tree.counts.walks));
  if (is_urgent(tree, mean_depth)) multiply(tree, tree.settings.node_exploration.urgency);
  if (settings.depth_block && mean_depth > ideal_depth(tree)) multiply(tree, settings.depth_growth);
  set_factor(tree);
}

}  // namespace chainshot::host
