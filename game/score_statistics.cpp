#include "game/score_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace chainshot::game {
namespace {

int multiple_below(double x, int width) {
  return static_cast<int>(std::floor(x / width)) * width;
}

}  // namespace

double mean(const Result& result) {
  return static_cast<double>(result.sum) / static_cast<double>(std::max<std::uint64_t>(result.count, 1));
}

double standard_deviation(const Result& result) {
  if (result.count < 2) return 0;
  // The two terms agree in their leading digits if the mean is far from 0, so their difference is computed exactly.
  const auto n = static_cast<long double>(result.count);
  const auto sum = static_cast<WideSum>(std::abs(result.sum));
  const WideSum squares = result.count * result.sum_of_squares - sum * sum;
  return static_cast<double>(std::sqrt(static_cast<long double>(squares) / (n * (n - 1))));
}

HistogramSpec fine_bins(const Result& pilot) {
  const double center = mean(pilot), deviation = standard_deviation(pilot);
  int width = 1;
  while (width * 100 <= deviation)
    width *= 10;
  // Large groups and the bonus for a cleared board give scores a long tail to the right.
  const double lowest = std::min<double>(pilot.worst, center - 12 * deviation);
  const double highest = std::max<double>(pilot.best, center + 24 * deviation);
  const int low = multiple_below(lowest, width) - width;
  return {.low = low, .width = width, .bins = (multiple_below(highest, width) - low) / width + 2};
}

}  // namespace chainshot::game
