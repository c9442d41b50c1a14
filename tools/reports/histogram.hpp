// Distributions of scores: counted in fine bins by the engines, shown in a few wide ones. Widths of fine bins are
// powers of ten and bins start at multiples of their width, so any 1-2-5 width that is not smaller is made of whole
// fine bins.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::tools {

inline constexpr int kChartLines = 20;  // with a report above and a best line below, about a screen
inline constexpr int kPictureBins = 80;

struct Distribution {
  game::HistogramSpec bins;
  std::vector<std::uint64_t> counts;

  std::uint64_t total() const;
  // Empty bins at both ends left out.
  Distribution trimmed() const;
  // The same counts in other bins; what lies outside counts in the first or last of them.
  std::vector<std::uint64_t> rebinned(const game::HistogramSpec& to) const;
  // Where the distribution is highest: the top of a parabola through the highest bin and its neighbours, in bins of
  // about a fifth of a standard deviation, which even a thousand playouts fill.
  double peak(double standard_deviation) const;
};

double mean(const game::Result& result);
double standard_deviation(const game::Result& result);  // of the sample; 0 for one playout

// Bins that hold what playouts like those of `pilot` score, with room for luck beyond them.
game::HistogramSpec fine_bins(const game::Result& pilot);

// At most `most` bins of a round width over the middle 99.8 % of every distribution; the outer bins hold the tails.
game::HistogramSpec shown_bins(std::span<const Distribution> distributions, int most);

// A chart of one or more distributions over the same bins, a line a bin and a column of bars for each, `width` columns
// wide. With one, its counts are written before the bars, with more their shares.
std::vector<std::string> histogram_lines(std::span<const Distribution> distributions,
                                         std::span<const std::string> titles, int most_lines, int width);

}  // namespace chainshot::tools
