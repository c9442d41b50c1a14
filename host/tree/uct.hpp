// UCT (Kocsis and Szepesvari 2006), as Klein 2015, 6.1 writes it: avg(x) + C sqrt(ln n(p) / n(x)). The average is
// avg_global of Klein's 5.5, which has the points of the move in it, but with local normalisation avg_local, which has
// not.
#pragma once

#include "host/tree/selection.hpp"

namespace chainshot::host {

inline double uct_value(const MoveStatistics& move, const SelectionSettings& settings, double /*range*/) {
  const bool is_local = settings.normalisation == Normalisation::kLocal;
  return (is_local ? move.local_mean : move.mean) + settings.w * move.best;
}

}  // namespace chainshot::host
