#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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

// The axis across.
struct Across {
  double low, high;
  bool logarithmic;

  double x(double value) const { return kPanelLeft + share(value) * (kPanelRight - kPanelLeft); }
  double share(double value) const {
    const double clipped = std::clamp(value, low, high);
    return logarithmic ? std::log(clipped / low) / std::log(high / low) : (clipped - low) / (high - low);
  }
  // The value at a share of the axis.
  double at(double share) const { return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low); }
  std::vector<double> ticks() const {
    if (!logarithmic) return straight_ticks(low, high, 8);
    std::vector<double> all;
    const double decades = std::log10(high / low);
    for (int exponent = static_cast<int>(std::floor(std::log10(low))); std::pow(10, exponent) <= high; ++exponent)
      for (const double factor : {1.0, 2.0, 5.0})
        if (const double tick = factor * std::pow(10, exponent);
            (factor == 1 || decades < 3) && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
          all.push_back(tick);
    return all;
  }
};

// A logarithmic axis begins where the first run has a score, but not so early that nothing else is seen.
Across across_of(const RunPicture& picture) {
  constexpr double kWidest = 1e6;
  double end = 1e-3, begin = std::numeric_limits<double>::max();
  for (const RunSeries& series : picture.series)
    end = std::max(end, series.end);
  for (const RunSeries& series : picture.series)
    for (const auto& [x, score] : series.scores)
      if (x > 0) {
        begin = std::min(begin, x);
        break;
      }
  if (!picture.logarithmic) return {.low = 0, .high = end, .logarithmic = false};
  return {.low = std::clamp(begin, end / kWidest, end / 10), .high = end, .logarithmic = true};
}

// A search climbs steeply in its first moments; a scale that included them would flatten the rest. The scale starts at
// the score after a fiftieth of the axis.
ChartScale score_scale(const RunPicture& picture, const Across& across, double top) {
  constexpr double kStart = 0.02;
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  const double start = across.at(kStart);
  for (const RunSeries& series : picture.series) {
    double early = series.scores.front().second;
    for (const auto& [x, score] : series.scores)
      if (x <= start) early = score;
    low = std::min(low, early);
    high = std::max(high, series.scores.back().second);
    for (const RunSeries::Band& band : series.band)
      if (band.x >= start) {
        low = std::min(low, band.low);
        high = std::max(high, band.high);
      }
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

std::string panel(const ChartScale& scale, const std::vector<double>& across_ticks, const Across& across,
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
  for (const double tick : across_ticks)
    fmt::format_to(append, R"(<line class="grid" x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}"/>)",
                   across.x(tick), scale.top, scale.bottom);
  fmt::format_to(append, R"(<line class="axis" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)", kPanelLeft, kPanelRight,
                 scale.bottom);
  return out + '\n';
}

// 0.5, 200, 20 k, 1.5 M
std::string across_text(double tick) {
  constexpr std::array<const char*, 5> kLetters = {"", " k", " M", " G", " T"};
  std::size_t letter = 0;
  for (; tick >= 1000 * (1 - 1e-9) && letter + 1 < kLetters.size(); ++letter)
    tick /= 1000;
  return fmt::format("{:g}{}", tick, kLetters[letter]);
}

std::string foot(const RunPicture& picture, const std::vector<double>& ticks, const Across& across, double bottom) {
  std::string out;
  const auto append = std::back_inserter(out);
  for (const double tick : ticks)
    fmt::format_to(append, R"(<text class="tick middle" x="{:.1f}" y="{:.1f}">{}</text>)", across.x(tick), bottom + 19,
                   across_text(tick));
  fmt::format_to(append, R"(<text class="tick middle" x="{}" y="{:.1f}">{}</text>)", (kPanelLeft + kPanelRight) / 2,
                 bottom + 40, escape_xml(picture.across));
  return out + '\n';
}

std::string path(const std::string& points, std::string_view stroke) {
  return fmt::format(R"(<path d="{}" fill="none" {} stroke-linejoin="round"/>)", points, stroke) + '\n';
}

std::string steps(const RunSeries& series, const ChartScale& scale, const Across& across, std::string_view stroke) {
  std::string points;
  const auto append = std::back_inserter(points);
  for (const auto& [x, score] : series.scores)
    fmt::format_to(append, "{}{:.1f}{}{:.1f}", points.empty() ? "M" : "H", across.x(x), points.empty() ? " " : "V",
                   scale.y(score));
  fmt::format_to(append, "H{:.1f}", across.x(series.end));
  return path(points, stroke);
}

// Along the upper edge to the right, and along the lower one back.
std::string band(const RunSeries& series, const ChartScale& scale, const Across& across, std::string_view color) {
  if (series.band.empty()) return {};
  std::string points = fmt::format("{:.1f},{:.1f}", across.x(series.band.front().x), scale.y(series.band.front().high));
  const auto append = [&](double x, double y) {
    fmt::format_to(std::back_inserter(points), " {:.1f},{:.1f}", across.x(x), scale.y(y));
  };
  for (std::size_t i = 0; i < series.band.size(); ++i) {
    append(series.band[i].x, series.band[i].high);
    append(i + 1 < series.band.size() ? series.band[i + 1].x : series.end, series.band[i].high);
  }
  for (std::size_t i = series.band.size(); i-- > 0;) {
    append(i + 1 < series.band.size() ? series.band[i + 1].x : series.end, series.band[i].low);
    append(series.band[i].x, series.band[i].low);
  }
  return fmt::format(R"(<polygon points="{}" fill="{}" fill-opacity=".18"/>)", points, color) + '\n';
}

std::string line(const RunSeries& series, const ChartScale& scale, const Across& across, std::string_view stroke) {
  std::string points;
  for (const auto& [x, rate] : series.rates)
    fmt::format_to(std::back_inserter(points), "{}{:.1f} {:.1f}", points.empty() ? 'M' : 'L', across.x(x),
                   scale.y(rate));
  // A single point would be invisible, so draw it as a line from the start of the run to its end.
  if (series.rates.size() == 1)
    points = fmt::format("M{:.1f} {:.1f}H{:.1f}", across.x(0), scale.y(series.rates[0].second), across.x(series.end));
  return points.empty() ? "" : path(points, stroke);
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

// Writes the names from the left, in as many lines as needed, each after a piece of its line; returns the y of the line
// below. Many names stand in columns.
double legend(const RunPicture& picture, std::string& out) {
  constexpr double kSample = 26;
  constexpr std::size_t kFew = 6;
  double x = kPanelLeft, y = kLegendTop, widest = 0;
  const auto width_of = [](const std::string& name) {
    return kSample + 20 + 7 * static_cast<double>(name.size());  // seven units per letter are ample
  };
  for (const RunSeries& series : picture.series)
    widest = std::max(widest, width_of(shortened(series.name)));
  for (std::size_t i = 0; i < picture.series.size(); ++i) {
    const std::string name = shortened(picture.series[i].name);
    const double width = picture.series.size() > kFew ? widest : width_of(name);
    if (x > kPanelLeft && x + width > kPanelRight) {
      x = kPanelLeft;
      y += kLegendLine;
    }
    out += fmt::format(R"(<line x1="{}" x2="{}" y1="{}" y2="{}" {}/><text class="tick" x="{}" y="{}">{}</text>)", x,
                       x + kSample, y + 6, y + 6, series_stroke(i), x + kSample + 6, y + 10, escape_xml(name));
    x += width;
  }
  out += '\n';
  return y + kLegendLine;
}

}  // namespace

std::string runs_svg(const RunPicture& picture) {
  const Across across = across_of(picture);
  std::string body;
  const double top = legend(picture, body) + kPanelTitle;
  const ChartScale scores = score_scale(picture, across, top);
  const ChartScale rates = rate_scale(picture, scores.bottom + kPanelTitle + 10);
  const std::vector<double> ticks = across.ticks();
  const bool has_rates = !picture.rate.empty();
  const double bottom = has_rates ? rates.bottom : scores.bottom;
  body += panel(scores, ticks, across, picture.score, 6);
  if (has_rates) body += panel(rates, ticks, across, picture.rate, 4);
  body += foot(picture, ticks, across, bottom);
  for (std::size_t i = 0; i < picture.series.size(); ++i)
    body += band(picture.series[i], scores, across, series_color(i));
  for (std::size_t i = 0; i < picture.series.size(); ++i) {
    body += steps(picture.series[i], scores, across, series_stroke(i));
    if (has_rates) body += line(picture.series[i], rates, across, series_stroke(i));
  }
  return chart_head(picture.title, picture.subtitle, bottom + kFoot) + body + "</svg>\n";
}

}  // namespace chainshot::tools
