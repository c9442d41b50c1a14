#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "tools/pictures/chart_frame.hpp"
#include "tools/pictures/chart_scale.hpp"
#include "tools/pictures/svg.hpp"

namespace chainshot::tools {
namespace {

constexpr double kFrameLeft = kChartLeft, kFrameRight = kChartWidth - kChartRight;
constexpr double kFitnessHeight = 160, kParameterHeight = 100, kPanelGap = 34, kAxisRoom = 52, kFrameTop = 76;

struct Generations {
  double last;

  double x(double generation) const { return kFrameLeft + generation / last * (kFrameRight - kFrameLeft); }
};

// Leaves room above and below. Values that are all the same get a range around them.
ChartScale scale_of(double low, double high, double top, double height, bool logarithmic = false) {
  if (logarithmic) {
    low = std::max(low, high * 1e-9) / 1.1;
    high *= 1.1;
  } else {
    const double room = high > low ? 0.08 * (high - low) : 0.1 * std::max(std::abs(high), 1e-6);
    // A value that is never below 0 has no scale that is.
    low = low >= 0 ? std::max(0.0, low - room) : low - room;
    high += room;
  }
  return {.low = low, .high = high, .bottom = top + height, .top = top, .logarithmic = logarithmic};
}

// A logarithmic scale of few powers of ten also has their double and their half.
std::vector<double> ticks_for(const ChartScale& scale, int count) {
  const std::vector<double> ticks = ticks_of(scale, count);
  if (!scale.logarithmic || ticks.size() > 2) return ticks;
  std::vector<double> closer;
  for (double power = std::pow(10, std::floor(std::log10(scale.low))); power <= scale.high; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= scale.low && factor * power <= scale.high) closer.push_back(factor * power);
  return closer.size() > 1 ? closer : straight_ticks(scale.low, scale.high, count);
}

std::string panel(const ChartScale& scale, const Generations& generations, std::string_view title, int tick_count) {
  std::string out;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, R"(<text class="tick" x="{}" y="{:.1f}">{}</text>)", kFrameLeft, scale.top - 10,
                 escape_xml(title));
  for (const double tick : ticks_for(scale, tick_count)) {
    fmt::format_to(append, R"(<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>)", kFrameLeft, kFrameRight,
                   scale.y(tick), scale.y(tick));
    fmt::format_to(append, R"(<text class="tick end" x="{}" y="{:.1f}">{}</text>)", kFrameLeft - 8, scale.y(tick) + 4,
                   tick < 1e4 ? fmt::format("{:.6g}", tick) : tick_text(scale, tick));
  }
  for (const double tick : straight_ticks(0, generations.last, 10, 1))
    fmt::format_to(append, R"(<line class="grid" x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}"/>)",
                   generations.x(tick), scale.top, scale.bottom);
  fmt::format_to(append, R"(<line class="axis" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)", kFrameLeft, kFrameRight,
                 scale.bottom);
  return out + '\n';
}

std::string foot(const Generations& generations, double bottom) {
  std::string out;
  const auto append = std::back_inserter(out);
  for (const double tick : straight_ticks(0, generations.last, 10, 1))
    fmt::format_to(append, R"(<text class="tick middle" x="{:.1f}" y="{:.1f}">{:g}</text>)", generations.x(tick),
                   bottom + 19, tick);
  fmt::format_to(append, R"(<text class="tick middle" x="{}" y="{:.1f}">generations</text>)",
                 (kFrameLeft + kFrameRight) / 2, bottom + 40);
  return out + '\n';
}

// Draws a line with dots through values, the first of which belongs to generation `first`.
std::string line(const std::vector<double>& values, int first, const ChartScale& scale, const Generations& generations,
                 std::string_view color) {
  std::string path, dots;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = generations.x(first + static_cast<double>(i)), y = scale.y(values[i]);
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', x, y);
    fmt::format_to(std::back_inserter(dots), R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.5" fill="{}"/>)", x, y, color);
  }
  return fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="2"/>{})", path, color, dots) + '\n';
}

std::string band(const std::vector<TuningPicture::Band>& bands, const ChartScale& scale, const Generations& generations,
                 std::string_view color) {
  std::string path;
  for (std::size_t i = 0; i < bands.size(); ++i)
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L',
                   generations.x(static_cast<double>(i)), scale.y(bands[i].high));
  for (std::size_t i = bands.size(); i-- > 0;)
    fmt::format_to(std::back_inserter(path), "L{:.1f} {:.1f}", generations.x(static_cast<double>(i)),
                   scale.y(bands[i].low));
  return fmt::format(R"(<path d="{}Z" fill="{}" fill-opacity="0.2"/>)", path, color) + '\n';
}

std::string legend() {
  std::string out;
  double x = kFrameLeft;
  for (const auto& [name, color] :
       {std::pair("mean fitness", 0), std::pair("best fitness", 1), std::pair("mean and deviation of a setting", 2)}) {
    out += fmt::format(R"(<rect x="{}" y="54" width="12" height="12" rx="3" fill="{}"/>)"
                       R"(<text class="tick" x="{}" y="64">{}</text>)",
                       x, series_color(static_cast<std::size_t>(color)), x + 18, name);
    x += 34 + 7 * static_cast<double>(std::string_view(name).size());  // seven units per letter are ample
  }
  return out + '\n';
}

std::string fitness_panel(const TuningPicture& picture, const Generations& generations, double top) {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (const std::vector<double>& values : {picture.means, picture.bests})
    for (const double value : values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (picture.means.empty()) low = high = 0;
  const ChartScale scale = scale_of(low, high, top, kFitnessHeight);
  return panel(scale, generations, "fitness", 5) + line(picture.bests, 1, scale, generations, series_color(1)) +
         line(picture.means, 1, scale, generations, series_color(0));
}

std::string parameter_panel(const TuningPicture::Parameter& parameter, const Generations& generations, double top) {
  double low = parameter.bands.front().low, high = parameter.bands.front().high;
  std::vector<double> means;
  for (const TuningPicture::Band& band : parameter.bands) {
    low = std::min(low, band.low);
    high = std::max(high, band.high);
    means.push_back(band.mean);
  }
  const ChartScale scale = scale_of(low, high, top, kParameterHeight, parameter.is_logarithmic);
  return panel(scale, generations, parameter.name, 4) + band(parameter.bands, scale, generations, series_color(2)) +
         line(means, 0, scale, generations, series_color(2));
}

}  // namespace

std::string tuning_svg(const TuningPicture& picture) {
  const Generations generations{std::max(1.0, static_cast<double>(picture.means.size()))};
  double top = kFrameTop + kPanelGap;
  std::string body = legend() + fitness_panel(picture, generations, top);
  double bottom = top + kFitnessHeight;
  for (const TuningPicture::Parameter& parameter : picture.parameters) {
    top = bottom + kPanelGap;
    body += parameter_panel(parameter, generations, top);
    bottom = top + kParameterHeight;
  }
  body += foot(generations, bottom);
  return chart_head(picture.title, picture.subtitle, bottom + kAxisRoom) + body + "</svg>\n";
}

}  // namespace chainshot::tools
