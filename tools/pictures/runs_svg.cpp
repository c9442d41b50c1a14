#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "tools/pictures/chart_frame.hpp"
#include "tools/pictures/chart_scale.hpp"
#include "tools/pictures/svg.hpp"

namespace chainshot::tools {
namespace {

constexpr double kPanelLeft = kChartLeft, kPanelRight = kChartWidth - kChartRight;
constexpr double kLegendTop = 54, kLegendLine = 20;
constexpr double kScoreHeight = 240, kRateHeight = 110, kPanelTitle = 34, kFoot = 52;

struct Seconds {
  double end;

  double x(double seconds) const {
    return kPanelLeft + std::clamp(seconds / end, 0.0, 1.0) * (kPanelRight - kPanelLeft);
  }
};

// A search climbs steeply in its first moments; a scale that included them would flatten the rest. The scale starts at
// the score after a fiftieth of the time.
ChartScale score_scale(const RunPicture& picture, const Seconds& seconds, double top) {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (const RunSeries& series : picture.series) {
    double early = series.scores.front().second;
    for (const auto& [second, score] : series.scores)
      if (second <= seconds.end / 50) early = score;
    low = std::min(low, early);
    high = std::max(high, series.scores.back().second);
  }
  const double room = std::max((high - low) * 0.08, 1.0);
  return {.low = low - room, .high = high + room, .bottom = top + kScoreHeight, .top = top, .whole = true};
}

// The scale starts at 0, unless rates differ so much that it must be logarithmic.
ChartScale rate_scale(const RunPicture& picture, double top) {
  constexpr double kFarApart = 30;
  double low = std::numeric_limits<double>::max(), high = 0;
  for (const RunSeries& series : picture.series) {
    for (const auto& [second, rate] : series.rates) {
      low = std::min(low, rate);
      high = std::max(high, rate);
    }
  }
  if (high == 0) low = high = 1;
  const bool logarithmic = high / low > kFarApart;
  return {.low = logarithmic ? low / 1.5 : 0,
          .high = high * (logarithmic ? 1.5 : 1.1),
          .bottom = top + kRateHeight,
          .top = top,
          .logarithmic = logarithmic};
}

std::string panel(const ChartScale& scale, const std::vector<double>& second_ticks, const Seconds& seconds,
                  std::string_view title, int tick_count) {
  std::string out;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, R"(<text class="tick" x="{}" y="{:.1f}">{}</text>)", kPanelLeft, scale.top - 10,
                 escape_xml(title));
  for (const double tick : ticks_of(scale, tick_count)) {
    fmt::format_to(append, R"(<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>)", kPanelLeft, kPanelRight,
                   scale.y(tick), scale.y(tick));
    fmt::format_to(append, R"(<text class="tick end" x="{}" y="{:.1f}">{}</text>)", kPanelLeft - 8, scale.y(tick) + 4,
                   tick_text(scale, tick));
  }
  for (const double tick : second_ticks)
    fmt::format_to(append, R"(<line class="grid" x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}"/>)",
                   seconds.x(tick), scale.top, scale.bottom);
  fmt::format_to(append, R"(<line class="axis" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)", kPanelLeft, kPanelRight,
                 scale.bottom);
  return out + '\n';
}

std::string foot(const std::vector<double>& ticks, const Seconds& seconds, double bottom) {
  std::string out;
  const auto append = std::back_inserter(out);
  for (const double tick : ticks)
    fmt::format_to(append, R"(<text class="tick middle" x="{:.1f}" y="{:.1f}">{:g}</text>)", seconds.x(tick),
                   bottom + 19, tick);
  fmt::format_to(append, R"(<text class="tick middle" x="{}" y="{:.1f}">seconds</text>)",
                 (kPanelLeft + kPanelRight) / 2, bottom + 40);
  return out + '\n';
}

std::string path(const std::string& points, std::string_view color) {
  return fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="2" stroke-linejoin="round"/>)", points,
                     color) +
         '\n';
}

std::string steps(const RunSeries& series, const ChartScale& scale, const Seconds& seconds, std::string_view color) {
  std::string points;
  const auto append = std::back_inserter(points);
  for (const auto& [second, score] : series.scores)
    fmt::format_to(append, "{}{:.1f}{}{:.1f}", points.empty() ? "M" : "H", seconds.x(second),
                   points.empty() ? " " : "V", scale.y(score));
  fmt::format_to(append, "H{:.1f}", seconds.x(series.seconds));
  return path(points, color);
}

std::string line(const RunSeries& series, const ChartScale& scale, const Seconds& seconds, std::string_view color) {
  std::string points;
  for (const auto& [second, rate] : series.rates)
    fmt::format_to(std::back_inserter(points), "{}{:.1f} {:.1f}", points.empty() ? 'M' : 'L', seconds.x(second),
                   scale.y(rate));
  // A single point would be invisible, so draw it as a line from the start of the run to its end.
  if (series.rates.size() == 1)
    points =
        fmt::format("M{:.1f} {:.1f}H{:.1f}", seconds.x(0), scale.y(series.rates[0].second), seconds.x(series.seconds));
  return points.empty() ? "" : path(points, color);
}

// Cuts a name to fit the picture, without splitting a UTF-8 character.
std::string shortened(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  if (name.size() <= kLongest) return name;
  std::size_t size = kLongest - 3;
  while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80)
    --size;
  return name.substr(0, size) + "...";
}

// Writes the names from the left, in as many lines as needed; returns the y of the line below.
double legend(const RunPicture& picture, std::string& out) {
  double x = kPanelLeft, y = kLegendTop;
  for (std::size_t i = 0; i < picture.series.size(); ++i) {
    const std::string name = shortened(picture.series[i].name);
    const double width = 34 + 7 * static_cast<double>(name.size());  // seven units per letter are ample
    if (x > kPanelLeft && x + width > kPanelRight) {
      x = kPanelLeft;
      y += kLegendLine;
    }
    out += fmt::format(R"(<rect x="{}" y="{}" width="12" height="12" rx="3" fill="{}"/>)"
                       R"(<text class="tick" x="{}" y="{}">{}</text>)",
                       x, y, series_color(i), x + 18, y + 10, escape_xml(name));
    x += width;
  }
  out += '\n';
  return y + kLegendLine;
}

}  // namespace

std::string runs_svg(const RunPicture& picture) {
  Seconds seconds{1e-3};
  for (const RunSeries& series : picture.series)
    seconds.end = std::max(seconds.end, series.seconds);
  std::string body;
  const double top = legend(picture, body) + kPanelTitle;
  const ChartScale scores = score_scale(picture, seconds, top);
  const ChartScale rates = rate_scale(picture, scores.bottom + kPanelTitle + 10);
  const std::vector<double> ticks = straight_ticks(0, seconds.end, 8);
  body += panel(scores, ticks, seconds, picture.score, 6) + panel(rates, ticks, seconds, picture.rate, 4);
  body += foot(ticks, seconds, rates.bottom);
  for (std::size_t i = 0; i < picture.series.size(); ++i)
    body += steps(picture.series[i], scores, seconds, series_color(i)) +
            line(picture.series[i], rates, seconds, series_color(i));
  return chart_head(picture.title, picture.subtitle, rates.bottom + kFoot) + body + "</svg>\n";
}

}  // namespace chainshot::tools
