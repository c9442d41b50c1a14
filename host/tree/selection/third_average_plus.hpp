// 3rdAvg+ (Klein 2015, 6.10.1): 3rdAvg with the points of the move in the second average too, c(p, x) + avg_local(x).
// The paper uses it to show that 3rdAvg gains from leaving them out.
#pragma once

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {

inline double third_average_plus_value(const MoveStatistics& move, const SelectionSettings& settings,
                                       double /*range*/) {
  return move.mean + settings.w * move.best + move.mean;
}

}  // namespace chainshot::host
