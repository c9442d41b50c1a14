// UCT (Kocsis and Szepesvari 2006) as in Klein 2015, 6.1: avg(x) + C sqrt(ln n(p) / n(x)), plus the best score
// with weight W (Schadd 2012, 4.2).
#pragma once

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {

inline double uct_value(const MoveStatistics& move, const SelectionSettings& settings, double /*range*/) {
  return average_of(move, settings) + settings.w * move.best;
}

}  // namespace chainshot::host
