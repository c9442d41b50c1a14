#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tools/pictures/chart_frame.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

constexpr double kPlotLeft = kChartLeft, kPlotRight = kChartWidth - kChartRight;
constexpr double kPlotTop = 84, kPlotBottom = kChartHeight - 52;
constexpr double kInset = 24;  // between the ends of the axis and the outermost points

struct LogAxes {
  double left, right, low, high;

  double x(double value) const {
    const double share = right > left ? std::log(value / left) / std::log(right / left) : 0.5;
    return kPlotLeft + kInset + share * (kPlotRight - kPlotLeft - 2 * kInset);
  }
  double y(double value) const {
    return kPlotBottom - std::log(value / low) / std::log(high / low) * (kPlotBottom - kPlotTop);
  }
};

LogAxes axes_of(const LinePicture& picture) {
  constexpr double kMost = std::numeric_limits<double>::max();
  LogAxes axes{kMost, 0, kMost, 0};
  for (const LineSeries& series : picture.series) {
    for (const auto& [x, y] : series.points) {
      axes.left = std::min(axes.left, x);
      axes.right = std::max(axes.right, x);
      axes.low = std::min(axes.low, y);
      axes.high = std::max(axes.high, y);
    }
  }
  // Leave room above and below, so that a flat line lies in the middle.
  axes.low /= 1.2;
  axes.high *= 1.2;
  return axes;
}

// Returns as many round numbers as the axis has room for: powers of ten over a wide range, finer steps over a narrow
// one.
std::vector<double> rate_ticks(const LogAxes& axes) {
  const double span = axes.high / axes.low;
  const std::vector<double> factors =
      span > 1000  ? std::vector{1.0}
      : span > 10  ? std::vector{1.0, 2.0, 5.0}
      : span > 2.5 ? std::vector{1.0, 1.5, 2.0, 3.0, 5.0, 7.0}
                   : std::vector{1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(axes.low)));
  const int last = static_cast<int>(std::floor(std::log10(axes.high)));
  for (int exponent = first; exponent <= last; ++exponent) {
    const double power = std::pow(10, exponent);
    for (const double factor : factors)
      if (factor * power >= axes.low && factor * power <= axes.high) ticks.push_back(factor * power);
  }
  return ticks;
}

std::string grid(const LinePicture& picture, const LogAxes& axes) {
  std::string out;
  const auto append = std::back_inserter(out);
  for (const double rate : rate_ticks(axes)) {
    fmt::format_to(append, R"(<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>)", kPlotLeft, kPlotRight,
                   axes.y(rate), axes.y(rate));
    fmt::format_to(append, R"(<text class="tick end" x="{}" y="{:.1f}">{}</text>)", kPlotLeft - 8, axes.y(rate) + 4,
                   magnitude(rate));
  }
  fmt::format_to(append, R"(<line class="axis" x1="{0}" x2="{1}" y1="{2}" y2="{2}"/>)", kPlotLeft, kPlotRight,
                 kPlotBottom);
  for (const double tick : picture.ticks) {
    fmt::format_to(append, R"(<line class="axis" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>)", axes.x(tick),
                   kPlotBottom, kPlotBottom + 5);
    fmt::format_to(append, R"(<text class="tick middle" x="{:.1f}" y="{}">{}</text>)", axes.x(tick), kPlotBottom + 19,
                   grouped(static_cast<std::uint64_t>(tick)));
  }
  fmt::format_to(append, R"(<text class="tick middle" x="{}" y="{}">{}</text>)", (kPlotLeft + kPlotRight) / 2,
                 kChartHeight - 12, escape_xml(picture.across));
  fmt::format_to(append, R"(<text class="tick" x="{}" y="{}">{}</text>)", kPlotLeft, kPlotTop - 10,
                 escape_xml(picture.up));
  return out + '\n';
}

std::string line(const LineSeries& series, const LogAxes& axes, std::string_view color) {
  std::string path, dots;
  for (const auto& [x, y] : series.points) {
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', axes.x(x), axes.y(y));
    if (!series.is_guide)
      fmt::format_to(std::back_inserter(dots), R"(<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"/>)", axes.x(x),
                     axes.y(y), color);
  }
  return fmt::format(R"(<path d="{}" fill="none" stroke="{}" {}/>{})", path, color,
                     series.is_guide ? R"(stroke-width="1" stroke-dasharray="4 4")" : R"(stroke-width="2")", dots) +
         '\n';
}

// The colours of the series; a guide has that of the series before.
std::vector<std::string_view> colors_of(const LinePicture& picture) {
  std::vector<std::string_view> colors;
  std::size_t count = 0;
  for (const LineSeries& series : picture.series) {
    if (!series.is_guide) ++count;
    colors.push_back(series_color(std::max<std::size_t>(count, 1) - 1));
  }
  return colors;
}

// Puts all names on the line of the axis title, at the right.
std::string legend(const LinePicture& picture) {
  const std::vector<std::string_view> colors = colors_of(picture);
  std::string out;
  double x = kPlotRight;
  for (std::size_t i = picture.series.size(); i-- > 0;) {
    const LineSeries& series = picture.series[i];
    if (series.is_guide) continue;
    x -= 34 + 7 * static_cast<double>(series.name.size());  // seven units per letter are ample
    out += fmt::format(R"(<rect x="{}" y="{}" width="12" height="12" rx="3" fill="{}"/>)"
                       R"(<text class="tick" x="{}" y="{}">{}</text>)",
                       x, kPlotTop - 20, colors[i], x + 18, kPlotTop - 10, escape_xml(series.name));
  }
  return out + '\n';
}

}  // namespace

std::string line_svg(const LinePicture& picture) {
  const LogAxes axes = axes_of(picture);
  const std::vector<std::string_view> colors = colors_of(picture);
  std::string out = chart_head(picture.title, picture.subtitle) + legend(picture) + grid(picture, axes);
  for (std::size_t i = 0; i < picture.series.size(); ++i)
    out += line(picture.series[i], axes, colors[i]);
  if (picture.ringed) {
    const auto& [x, y] = *picture.ringed;
    out += fmt::format(R"(<circle class="axis" cx="{:.1f}" cy="{:.1f}" r="8" fill="none" stroke-width="2"/>)",
                       axes.x(x), axes.y(y));
  }
  return out + "\n</svg>\n";
}

}  // namespace chainshot::tools
