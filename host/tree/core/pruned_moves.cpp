#include "host/tree/core/pruned_moves.hpp"

#include <algorithm>

#include "game/playout.hpp"

namespace chainshot::host {

int put_pruned_last(const game::Position& position, game::GroupRoom& groups, int count) {
  const auto pruned = std::stable_partition(groups.begin(), groups.begin() + count, [&](const game::Group& group) {
    return !game::is_pruned_segment(position, group);
  });
  return pruned == groups.begin() ? count : static_cast<int>(pruned - groups.begin());
}

bool is_over(const game::Position& position, bool vs_pruning) {
  if (!vs_pruning) return !position.has_moves();
  game::GroupRoom groups;
  const int count = position.groups(groups);
  return std::all_of(groups.begin(), groups.begin() + count,
                     [&](const game::Group& group) { return game::is_pruned_segment(position, group); });
}

}  // namespace chainshot::host
