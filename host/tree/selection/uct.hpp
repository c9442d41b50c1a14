// UCT (Kocsis and Szepesvari 2006), as Klein 2015, 6.1 writes it: avg(x) + C sqrt(ln n(p) / n(x)).
#pragma once

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {

inline double uct_value(const MoveStatistics& move, const SelectionSettings& settings, double /*range*/) {
  return average_of(move, settings) + settings.w * move.best;
}

}  // namespace chainshot::host
