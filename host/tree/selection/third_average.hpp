// 3rdAvg (Klein 2015, 6.3): UCT plus a second average, which leaves out the points of the move itself. The second
// average favours moves that leave large groups for later (6.10.1).
#pragma once

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {

inline double third_average_value(const MoveStatistics& move, const SelectionSettings& settings, double /*range*/) {
  return move.mean + settings.w * move.best + move.local_mean;
}

}  // namespace chainshot::host
