// SP-MCTS (Schadd, Winands, Tak, Uiterwijk 2012), section 4.2, formula 1: UCT with a third term for the possible
// deviation, sqrt((sum of squares - n v^2 + D) / n), and the best score with weight W. Klein 2015, 6.2 normalises the
// term to sqrt(V / range^2 + D / n); multiplied by the range it is the code below, and with range 1 it is Schadd's.
#pragma once

#include <cmath>

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {

inline double sp_mcts_value(const MoveStatistics& move, const SelectionSettings& settings, double range) {
  return average_of(move, settings) + settings.w * move.best +
         std::sqrt(move.variance + settings.d * range * range / move.visits);
}

}  // namespace chainshot::host
