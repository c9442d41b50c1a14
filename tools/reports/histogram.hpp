// Distributions of scores. Engines count scores in fine bins; reports show them in a few wide bins. The width of a fine
// bin is a power of ten and bins start at multiples of their width, so a wide bin of a 1-2-5 width consists of whole
// fine bins.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "game/score_statistics.hpp"

namespace chainshot::tools {

inline constexpr int kChartLines = 20;  // fills about a screen together with the rest of the report
inline constexpr int kPictureBins = 80;

struct Distribution {
  game::HistogramSpec bins;
  std::vector<std::uint64_t> counts;

  std::uint64_t total() const;
  // Returns the distribution without the empty bins at both ends.
  Distribution trimmed() const;
  // Returns the counts in other bins; scores outside go to the first or last bin.
  std::vector<std::uint64_t> rebinned(const game::HistogramSpec& to) const;
  // Returns the score at which the distribution is highest: the top of a parabola through the highest bin and its
  // neighbours. The bins are about a fifth of a standard deviation wide; a thousand playouts are enough to fill them.
  double peak(double standard_deviation) const;
};

using game::fine_bins;
using game::mean;
using game::standard_deviation;

// Returns at most `most` bins of a round width for the middle 99.8 % of every distribution. The outer bins also hold
// the tails.
game::HistogramSpec shown_bins(std::span<const Distribution> distributions, int most);

// Draws one or more distributions as bars: one line per bin and one column per distribution, `width` columns in all.
// The number before a bar is the count if there is one distribution, and the share if there are several.
std::vector<std::string> histogram_lines(std::span<const Distribution> distributions,
                                         std::span<const std::string> titles, int most_lines, int width);

}  // namespace chainshot::tools
