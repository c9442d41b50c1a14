#include "tools/reports/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

int floor_to(double x, int width) {
  return static_cast<int>(std::floor(x / width)) * width;
}

// Returns the first of 1, 2, 5, 10, 20, 50, ... that is at least x and at least `smallest`, which is a power of ten.
int round_width(double x, int smallest) {
  for (int power = smallest;; power *= 10)
    for (const int step : {1, 2, 5})
      if (step * power >= x) return step * power;
}

// Returns the start of the bin in which the given share of all counts is reached.
int quantile(const Distribution& d, double share) {
  const double wanted = share * static_cast<double>(d.total());
  std::uint64_t below = 0;
  for (std::size_t bin = 0; bin < d.counts.size(); ++bin) {
    below += d.counts[bin];
    if (static_cast<double>(below) >= wanted && below > 0) return d.bins.low + static_cast<int>(bin) * d.bins.width;
  }
  return d.bins.low;
}

// Returns `below -200`, `-200 .. -101` or `800 and up`, or the score alone if the bin holds only one.
std::string bin_label(const game::HistogramSpec& bins, int bin, bool has_lower, bool has_higher) {
  const int from = bins.low + bin * bins.width;
  const int to = from + bins.width - 1;
  if (bin == 0 && has_lower) return fmt::format("below {}", to + 1);
  if (bin == bins.bins - 1 && has_higher) return fmt::format("{} and up", from);
  return bins.width == 1 ? fmt::format("{}", from) : fmt::format("{} .. {}", from, to);
}

// Draws at least one mark for any share above 0.
std::string bar(double share, double largest, int width) {
  if (share <= 0) return {};
  return std::string(static_cast<std::size_t>(std::max(1L, std::lround(share / largest * width))), '#');
}

std::string share_text(double share) {
  if (share > 0 && share < 0.0005) return "<0.1%";
  return fmt::format("{:.1f}%", 100 * share);
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::uint64_t Distribution::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

Distribution Distribution::trimmed() const {
  const auto filled = [](std::uint64_t n) { return n > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), filled);
  const auto last = std::find_if(counts.rbegin(), counts.rend(), filled).base();
  if (first == counts.end()) return {.bins = {.low = bins.low, .width = bins.width, .bins = 0}, .counts = {}};
  Distribution out{.bins = bins, .counts = {first, last}};
  out.bins.low += static_cast<int>(first - counts.begin()) * bins.width;
  out.bins.bins = static_cast<int>(out.counts.size());
  return out;
}

std::vector<std::uint64_t> Distribution::rebinned(const game::HistogramSpec& to) const {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(to.bins));
  for (std::size_t bin = 0; bin < counts.size(); ++bin)
    out[static_cast<std::size_t>(to.bin_of(bins.low + static_cast<int>(bin) * bins.width))] += counts[bin];
  return out;
}

double Distribution::peak(double deviation) const {
  const int width = round_width(deviation / 5, bins.width);
  const int low = floor_to(bins.low, width) - width;
  const int high = bins.low + static_cast<int>(counts.size()) * bins.width;
  const game::HistogramSpec coarse{.low = low, .width = width, .bins = (high - low) / width + 2};
  const std::vector<std::uint64_t> n = rebinned(coarse);
  const auto top = static_cast<std::size_t>(std::max_element(n.begin(), n.end()) - n.begin());
  const auto at = [&](std::size_t bin) { return static_cast<double>(n[bin]); };
  // The first and last coarse bins are empty by construction, so the highest one has two neighbours.
  const double bend = at(top - 1) - 2 * at(top) + at(top + 1);
  const double shift = bend < 0 ? 0.5 * (at(top - 1) - at(top + 1)) / bend : 0;
  return low + width * (static_cast<double>(top) + shift) + (width - 1) / 2.0;
}

game::HistogramSpec shown_bins(std::span<const Distribution> distributions, int most) {
  int low = quantile(distributions[0], 0.001), high = quantile(distributions[0], 0.999), finest = 1;
  for (const Distribution& d : distributions) {
    low = std::min(low, quantile(d, 0.001));
    high = std::max(high, quantile(d, 0.999) + d.bins.width - 1);
    finest = std::max(finest, d.bins.width);
  }
  for (double wanted = static_cast<double>(high - low + 1) / most;;) {
    const int width = round_width(wanted, finest);
    const int start = floor_to(low, width);
    const int bins = (floor_to(high, width) - start) / width + 1;
    if (bins <= most) return {.low = start, .width = width, .bins = bins};
    wanted = width + 1;
  }
}

std::vector<std::string> histogram_lines(std::span<const Distribution> distributions,
                                         std::span<const std::string> titles, int most_lines, int width) {
  const game::HistogramSpec bins = shown_bins(distributions, most_lines);
  std::vector<std::vector<double>> shares;
  std::vector<std::uint64_t> counts;
  double largest = 0;
  bool has_lower = false, has_higher = false;
  for (const Distribution& d : distributions) {
    counts = d.rebinned(bins);
    const Distribution filled = d.trimmed();
    has_lower |= filled.bins.low < bins.low;
    has_higher |= filled.bins.low + filled.bins.bins * filled.bins.width > bins.low + bins.bins * bins.width;
    std::vector<double>& share = shares.emplace_back();
    for (const std::uint64_t n : counts)
      share.push_back(static_cast<double>(n) / static_cast<double>(d.total()));
    largest = std::max(largest, *std::max_element(share.begin(), share.end()));
  }
  std::vector<std::string> labels;
  std::size_t label_width = 5;
  for (int bin = 0; bin < bins.bins; ++bin) {
    labels.push_back(bin_label(bins, bin, has_lower, has_higher));
    label_width = std::max(label_width, labels.back().size());
  }
  const bool alone = distributions.size() == 1;
  const int number_width = alone ? 13 : 7;
  // Bars keep this length on narrow terminals, which then wrap the lines.
  constexpr int kShortestBar = 4;
  const int column = std::max((width - static_cast<int>(label_width)) / static_cast<int>(distributions.size()),
                              number_width + 2 + kShortestBar);
  std::vector<std::string> lines;
  std::string header = fmt::format("{:>{}}", "score", label_width);
  for (const std::string& title : titles)
    header += fmt::format("  {:{}.{}}", title, column - 2, column - 2);
  lines.push_back(without_trailing_blanks(header));
  for (std::size_t bin = 0; bin < labels.size(); ++bin) {
    std::string line = fmt::format("{:>{}}", labels[bin], label_width);
    for (const std::vector<double>& share : shares) {
      const std::string number = alone ? grouped(counts[bin]) : share_text(share[bin]);
      line += fmt::format("{:>{}} {:{}}", number, number_width, bar(share[bin], largest, column - number_width - 2),
                          column - number_width - 1);
    }
    lines.push_back(without_trailing_blanks(line));
  }
  return lines;
}

}  // namespace chainshot::tools
