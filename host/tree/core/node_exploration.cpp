#include "host/tree/core/node_exploration.hpp"

#include <algorithm>
#include <cmath>

namespace chainshot::host {

void grow_exploration_above(TreeState& tree, Node& from) {
  const NodeExploration& settings = tree.settings.node_exploration;
  if (!settings.enabled) return;
  double growth = settings.growth;
  for (Node* at = &from;; at = &tree.nodes.node(at->parent)) {
    if (tree.cools && !at->has_own_c) {
      at->c = std::clamp(static_cast<float>(tree.exploration.c), kLeastExploration, kMostExploration);
      at->has_own_c = true;
    }
    at->c = std::min(at->c * static_cast<float>(growth), kMostExploration);
    growth = std::max(growth * settings.fading, settings.least);
    if (at->parent == 0) return;
  }
}

void shrink_late_exploration(const TreeState& tree, Node& visited, std::uint32_t walks) {
  const NodeExploration& settings = tree.settings.node_exploration;
  if (!settings.late_urgency || tree.budget_left >= settings.urgency_share || visited.has_end_below) return;
  visited.c = std::max(visited.c * static_cast<float>(std::pow(settings.urgency, walks)), kLeastExploration);
}

void mark_end_below(TreeState& tree, Node& from) {
  for (Node* at = &from; !at->has_end_below; at = &tree.nodes.node(at->parent)) {
    at->has_end_below = true;
    if (at->parent == 0) return;
  }
}

}  // namespace chainshot::host
