// TopScore (Klein 2015, 6.5 and 6.10.2): UCT on the best score through a move instead of the average.
#pragma once

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {

inline double top_score_value(const MoveStatistics& move, const SelectionSettings& /*settings*/, double /*range*/) {
  return move.best;
}

}  // namespace chainshot::host
