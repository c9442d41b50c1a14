#include "host/tree/core/walk.hpp"

#include <cstddef>

namespace chainshot::host {

int Walk::play_rest(const game::Scoring& scoring) {
  game::GroupRoom groups;
  const int count = position.groups(groups);
  int earned = 0;
  for (int i = 0; i < count; ++i) {
    const game::Group& group = groups[static_cast<std::size_t>(i)];
    earned += scoring.group_points(position.apply(group.cell));
    rest.push_back(group.cell);
  }
  return earned + position.final_points(scoring);
}

}  // namespace chainshot::host
