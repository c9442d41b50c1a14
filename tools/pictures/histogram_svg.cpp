#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "tools/pictures/chart_frame.hpp"
#include "tools/pictures/svg.hpp"

namespace chainshot::tools {
namespace {

constexpr double kWidth = kChartWidth, kHeight = kChartHeight;
constexpr double kLeft = kChartLeft, kRight = kChartRight, kTop = 92, kBottom = 52;

// Returns the step between about `ticks` ticks of an axis: 1, 2 or 5 times a power of ten.
double tick_step(double span, int ticks) {
  const double rough = std::max(span / ticks, 1e-12);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

// Maps scores to x and shares of playouts to y.
struct Axes {
  double low, high, most;

  double x(double value) const { return kLeft + (value - low) / (high - low) * (kWidth - kLeft - kRight); }
  double y(double share) const { return kHeight - kBottom - share / most * (kHeight - kTop - kBottom); }
};

double total(const HistogramSeries& series) {
  return std::max(1.0, std::accumulate(series.counts.begin(), series.counts.end(), 0.0,
                                       [](double sum, std::uint64_t n) { return sum + static_cast<double>(n); }));
}

Axes axes_of(const HistogramPicture& picture) {
  std::size_t bins = 1;
  double most = 0;
  for (const HistogramSeries& series : picture.series) {
    bins = std::max(bins, series.counts.size());
    for (std::uint64_t n : series.counts)
      most = std::max(most, static_cast<double>(n) / total(series));
  }
  const double low = picture.low;
  return {low, low + static_cast<double>(bins) * picture.bin_width, most > 0 ? most * 1.05 : 1};
}

std::string grid(const Axes& axes, const std::string& axis) {
  std::string out;
  const auto append = std::back_inserter(out);
  const double share_step = tick_step(axes.most, 4);
  for (int i = 0; i * share_step <= axes.most; ++i) {
    const double share = i * share_step, y = axes.y(share);
    fmt::format_to(append, R"(<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>)", kLeft, kWidth - kRight, y,
                   y);
    fmt::format_to(append, R"(<text class="tick end" x="{}" y="{:.1f}">{:.4g} %</text>)", kLeft - 8, y + 4,
                   share * 100);
  }
  const double value_step = tick_step(axes.high - axes.low, 8);
  for (double tick = std::ceil(axes.low / value_step); tick * value_step <= axes.high; ++tick) {
    const double v = tick * value_step + 0.0;  // turns -0 into 0
    const double x = axes.x(v), y = kHeight - kBottom;
    fmt::format_to(append, R"(<line class="axis" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>)", x, y, y + 5);
    fmt::format_to(append, R"(<text class="tick middle" x="{:.1f}" y="{}">{:.0f}</text>)", x, y + 19, v);
  }
  fmt::format_to(append, R"(<text class="tick middle" x="{}" y="{}">{}</text>)", (kLeft + kWidth - kRight) / 2,
                 kHeight - 12, escape_xml(axis));
  return out + '\n';
}

std::string outline(const HistogramPicture& picture, const HistogramSeries& series, const Axes& axes) {
  std::string path = fmt::format("M{:.1f} {:.1f}", axes.x(axes.low), axes.y(0));
  double edge = axes.low;
  for (std::uint64_t n : series.counts) {
    const double y = axes.y(static_cast<double>(n) / total(series));
    fmt::format_to(std::back_inserter(path), "V{:.1f}", y);
    edge += picture.bin_width;
    fmt::format_to(std::back_inserter(path), "H{:.1f}", axes.x(edge));
  }
  return path + fmt::format("V{:.1f}Z", axes.y(0));
}

std::string drawing(const HistogramPicture& picture, const Axes& axes) {
  std::string out;
  for (std::size_t i = 0; i < picture.series.size(); ++i)
    out += fmt::format(R"(<path d="{}" fill="{}" fill-opacity=".35" stroke="{}" stroke-width="1.2"/>)",
                       outline(picture, picture.series[i], axes), series_color(i), series_color(i)) +
           '\n';
  for (std::size_t i = 0; i < picture.series.size(); ++i) {
    const double mean = picture.series[i].mean;
    if (mean < axes.low || mean > axes.high) continue;
    out +=
        fmt::format(
            R"(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}" stroke="{3}" stroke-width="2" stroke-dasharray="5 4"/>)",
            axes.x(mean), kTop - 6, kHeight - kBottom, series_color(i)) +
        '\n';
  }
  return out;
}

// Puts two names on each line; there are at most four.
std::string legend(const HistogramPicture& picture) {
  std::string out;
  for (std::size_t i = 0; i < picture.series.size(); ++i) {
    const double x = i % 2 == 0 ? kLeft : kWidth / 2, y = i < 2 ? 50 : 68;
    const HistogramSeries& series = picture.series[i];
    const std::string label = fmt::format("{} (mean {})", series.name, std::lround(series.mean));
    out += fmt::format(R"(<rect x="{}" y="{}" width="12" height="12" rx="3" fill="{}"/>)"
                       R"(<text class="tick" x="{}" y="{}">{}</text>)",
                       x, y, series_color(i), x + 18, y + 10, escape_xml(label));
  }
  return out + '\n';
}

}  // namespace

std::string histogram_svg(const HistogramPicture& picture) {
  const Axes axes = axes_of(picture);
  return chart_head(picture.title, picture.subtitle) + legend(picture) + grid(axes, picture.axis) +
         drawing(picture, axes) + "</svg>\n";
}

}  // namespace chainshot::tools
