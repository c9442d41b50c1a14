// UCB1-Tuned as in Klein 2015, 6.5: avg(x) + C sqrt(ln n(p) / n(x) * min(V_T(x), 1/4)), with
// V_T(x) = V(x) + sqrt(2 ln n(p) / n(x)), and averages and variances divided by the range. The code multiplies all by
// the range, as the other rules do.
#pragma once

#include <algorithm>
#include <cmath>

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {

inline double ucb1_tuned_score(const MoveStatistics& move, const SelectionSettings& settings, double c, double range,
                               double parent_visits) {
  const double ratio = std::log(parent_visits) / move.visits;
  const double variance = move.variance / (range * range) + std::sqrt(2 * ratio);
  return average_of(move, settings) + settings.w * move.best + range * c * std::sqrt(ratio * std::min(variance, 0.25));
}

}  // namespace chainshot::host
