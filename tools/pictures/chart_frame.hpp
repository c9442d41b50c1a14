// The frame that all charts share: size, style, colours of series, and the title lines.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "tools/pictures/svg.hpp"

namespace chainshot::tools {

inline constexpr double kChartWidth = 720, kChartHeight = 360;
inline constexpr double kChartLeft = 76, kChartRight = 20;

inline constexpr std::array<std::string_view, 10> kSeriesColors = {
    "#3b7ff0", "#f5832a", "#2f9e6e", "#9a5bd6", "#e5484d", "#1fb5c4", "#8c6a4a", "#ec5fa4", "#6f7787", "#a6cf38"};

inline std::string_view series_color(std::size_t i) {
  return kSeriesColors[i % kSeriesColors.size()];
}

// What tells the line of a series from the others: its colour, and where there are more series than colours, its dashes
// and then its width. Fifty lines differ by the first two.
inline std::string series_stroke(std::size_t i) {
  constexpr std::array<std::string_view, 5> kDashes = {"", "7 4", "2 3", "11 3 2 3", "4 2"};
  const std::size_t round = i / kSeriesColors.size();
  const std::string_view dashes = kDashes[round % kDashes.size()];
  const std::size_t thicker = round / kDashes.size();
  return fmt::format(R"(stroke="{}" stroke-width="{}"{})", series_color(i), 2 + 1.5 * static_cast<double>(thicker),
                     dashes.empty() ? "" : fmt::format(R"( stroke-dasharray="{}")", dashes));
}

inline constexpr std::string_view kChartStyle = R"(<style>
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1d2129; }
.background { fill: #ffffff; }
.title { font-size: 16px; font-weight: 600; }
.subtitle { font-size: 13px; fill: #5a6270; }
.tick { font-size: 12px; fill: #5a6270; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.grid { stroke: #e2e5ea; }
.axis { stroke: #8a919e; }
@media (prefers-color-scheme: dark) {
text { fill: #eceef2; } .background { fill: #14171c; } .subtitle, .tick { fill: #a3abb8; } .grid { stroke: #2b303a; }
}
</style>
)";

// Returns everything that precedes the chart's own drawing; the caller adds the closing `</svg>`.
inline std::string chart_head(std::string_view title, std::string_view subtitle, double height = kChartHeight) {
  std::string out =
      fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}">)",
                  kChartWidth, height) +
      '\n' + std::string(kChartStyle);
  out += fmt::format(R"(<rect class="background" width="{}" height="{}" rx="8"/>)", kChartWidth, height);
  out += fmt::format(R"(<text class="title" x="{0}" y="24">{1}</text><text class="subtitle" x="{0}" y="42">{2}</text>)",
                     kChartLeft, escape_xml(title), escape_xml(subtitle));
  return out + '\n';
}

}  // namespace chainshot::tools
