// 3rdTop (Klein 2015, 6.10.2): TopScore plus the best score from the position after the move, without the points of the
// move itself. Meant for a tree that leaves out the bonus for a cleared board.
#pragma once

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {

inline double third_top_value(const MoveStatistics& move, const SelectionSettings& /*settings*/, double /*range*/) {
  const double gain = move.mean - move.local_mean;
  return move.best + (move.best - gain);
}

}  // namespace chainshot::host
