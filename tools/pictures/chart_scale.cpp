#include "tools/pictures/chart_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

// Returns 1, 2 or 5 times a power of ten, so that about `count` steps span the range.
double round_step(double range, int count) {
  const double raw = range / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

}  // namespace

double ChartScale::y(double value) const {
  const double clipped = std::clamp(value, low, high);
  const double share = logarithmic ? std::log(clipped / low) / std::log(high / low) : (clipped - low) / (high - low);
  return bottom - share * (bottom - top);
}

std::vector<double> straight_ticks(double low, double high, int count, double least_step) {
  const double step = std::max(least_step, round_step(high - low, count));
  std::vector<double> ticks;
  const auto first = static_cast<std::int64_t>(std::ceil(low / step));
  for (std::int64_t k = first; static_cast<double>(k) * step <= high * (1 + 1e-12); ++k)
    ticks.push_back(static_cast<double>(k) * step);
  return ticks;
}

std::vector<double> ticks_of(const ChartScale& scale, int count) {
  if (!scale.logarithmic) return straight_ticks(scale.low, scale.high, count, scale.whole ? 1 : 0);
  std::vector<double> ticks;
  const int first = static_cast<int>(std::ceil(std::log10(scale.low)));
  const int last = static_cast<int>(std::floor(std::log10(scale.high)));
  for (int exponent = first; exponent <= last; ++exponent)
    ticks.push_back(std::pow(10, exponent));
  return ticks;
}

std::string tick_text(const ChartScale& scale, double tick) {
  // There is room for nine characters beside an axis.
  constexpr double kLongest = 9'999'999;
  if (scale.whole && std::abs(tick) <= kLongest)
    return (tick < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::llround(std::abs(tick))));
  return std::abs(tick) < 1000 ? fmt::format("{:g}", tick) : (tick < 0 ? "-" : "") + magnitude(std::abs(tick));
}

}  // namespace chainshot::tools
