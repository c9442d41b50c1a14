// Scales of charts: they map values to heights and choose round ticks.
#pragma once

#include <string>
#include <vector>

namespace chainshot::tools {

// Maps a value to a height, on a linear or logarithmic scale.
struct ChartScale {
  double low, high;
  double bottom, top;
  bool logarithmic = false;
  bool whole = false;  // ticks are whole numbers

  double y(double value) const;
};

// Returns round numbers in a range, about `count` of them and no closer than `least_step`.
std::vector<double> straight_ticks(double low, double high, int count, double least_step = 0);
std::vector<double> ticks_of(const ChartScale& scale, int count);
std::string tick_text(const ChartScale& scale, double tick);

}  // namespace chainshot::tools
