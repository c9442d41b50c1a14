// Compares two rates that were measured several times in turn: whatever slowed the machine down in one round slowed
// down both, so their ratio is taken round by round.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "host/analysis/statistics.hpp"

namespace chainshot::tools {

// A ratio with the interval that holds the true one with 95 % probability, if rates vary like numbers of a lognormal
// distribution. With a single round nothing is known of it, and the interval is unlimited.
struct RateRatio {
  double ratio = 1;
  double low = 1;
  double high = 1;

  bool is_slower() const { return high < 1; }
};

inline RateRatio rate_ratio(std::span<const double> rates, std::span<const double> base) {
  host::Moments logarithms;
  for (std::size_t i = 0; i < std::min(rates.size(), base.size()); ++i)
    logarithms.add(std::log(rates[i] / base[i]));
  if (logarithms.count() < 2)
    return {.ratio = std::exp(logarithms.mean()), .low = 0, .high = std::numeric_limits<double>::infinity()};
  const double reach = host::student95(logarithms.count() - 1) * logarithms.standard_error();
  return {.ratio = std::exp(logarithms.mean()),
          .low = std::exp(logarithms.mean() - reach),
          .high = std::exp(logarithms.mean() + reach)};
}

}  // namespace chainshot::tools
