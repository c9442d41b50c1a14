#include "game/greedy.hpp"

#include <tuple>

namespace chainshot::game {

int play_greedily(Position position, const Scoring& scoring, int kept_color, int points, std::vector<Cell>* moves) {
  const auto rank = [&](const Group& group) {
    return std::tuple(group.color == kept_color, group.size, -static_cast<int>(group.cell.row));
  };
  GroupRoom groups;
  for (int count; (count = position.groups(groups)) > 0;) {
    const Group* first = &groups[0];
    for (int i = 1; i < count; ++i)
      if (const Group& group = groups[static_cast<std::size_t>(i)]; rank(group) < rank(*first)) first = &group;
    points += scoring.group_points(position.apply(first->cell));
    if (moves != nullptr) moves->push_back(first->cell);
  }
  return points + position.final_points(scoring);
}

}  // namespace chainshot::game
