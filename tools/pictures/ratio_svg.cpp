#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tools/pictures/chart_frame.hpp"
#include "tools/pictures/svg.hpp"

namespace chainshot::tools {
namespace {

constexpr double kRatioLine = 17, kRatioTitle = 30, kRatioTop = 62, kRatioFoot = 34;
constexpr double kRatioLeft = 300, kRatioRight = kChartWidth - kChartRight;
constexpr double kLeastRatio = 1.25, kMostRatio = 2;  // of the axis

double ratio_height(const RatioPicture& picture) {
  double height = kRatioTop + kRatioFoot;
  for (const RatioGroup& group : picture.groups)
    height += kRatioTitle + kRatioLine * static_cast<double>(group.ratios.size());
  return height;
}

double last_ratio(const RatioPicture& picture) {
  double end = kLeastRatio;
  for (const RatioGroup& group : picture.groups)
    for (const RatioDot& ratio : group.ratios)
      end = std::max(end, ratio.ratio + ratio.error);
  return std::min(kMostRatio, std::ceil(end * 4) / 4);
}

class RatioChart {
 public:
  explicit RatioChart(const RatioPicture& picture)
      : end_(last_ratio(picture)), bottom_(ratio_height(picture) - kRatioFoot) {}

  std::string grid() const {
    std::string out;
    for (int quarter = 0; quarter <= static_cast<int>(std::round(end_ * 4)); ++quarter) {
      const double value = quarter / 4.0;
      out += fmt::format(R"(<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="{}" y2="{}"/>)",
                         quarter == 4 ? "axis" : "grid", x(value), x(value), kRatioTop - 8, bottom_);
      out += fmt::format(R"(<text class="tick middle" x="{:.1f}" y="{}">{:g}</text>)", x(value), bottom_ + 18, value);
    }
    return out + '\n';
  }

  std::string group(const RatioGroup& group) {
    y_ += kRatioTitle;
    std::string out = fmt::format(R"(<text class="subtitle" x="{}" y="{:.1f}" font-weight="600">{}</text>)", 16, y_ - 8,
                                  escape_xml(group.title));
    for (const RatioDot& ratio : group.ratios) {
      y_ += kRatioLine;
      out += line(ratio);
    }
    return out + '\n';
  }

 private:
  double x(double value) const { return kRatioLeft + std::clamp(value / end_, 0.0, 1.0) * (kRatioRight - kRatioLeft); }

  std::string line(const RatioDot& ratio) const {
    const std::string_view color = ratio.is_good ? series_color(2) : series_color(1);
    const double middle = y_ - 6;
    std::string out = fmt::format(R"(<text class="tick end" x="{}" y="{:.1f}">{}</text>)", kRatioLeft - 10, y_ - 2,
                                  escape_xml(ratio.name));
    if (ratio.error > 0)
      out += fmt::format(R"(<line x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="2"/>)",
                         x(ratio.ratio - ratio.error), x(ratio.ratio + ratio.error), middle, middle, color);
    // An arrow at the end of the axis stands for what lies beyond it.
    if (ratio.ratio > end_)
      return out + fmt::format(R"(<text class="tick end" x="{}" y="{:.1f}" fill="{}">{:.2f} →</text>)", kRatioRight,
                               y_ - 2, color, ratio.ratio);
    return out + fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="{}"/>)", x(ratio.ratio), middle, color);
  }

  double end_;
  double bottom_;
  double y_ = kRatioTop - 8;
};

}  // namespace

std::string ratio_svg(const RatioPicture& picture) {
  RatioChart chart(picture);
  std::string out = chart_head(picture.title, picture.subtitle, ratio_height(picture)) + chart.grid();
  for (const RatioGroup& group : picture.groups)
    out += chart.group(group);
  return out + "</svg>\n";
}

}  // namespace chainshot::tools
