#include "tools/pictures/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "game/board_text.hpp"
#include "tools/pictures/palette.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

// Sizes in user units. A cell is kCell wide, including its share of the gap.
constexpr int kCell = 24;
constexpr int kPadding = 10;   // around the cells, inside the panel
constexpr int kMargin = 16;    // around panels
constexpr int kTitle = 26;     // height of the line above a panel
constexpr int kCaption = 24;   // height of the line below a panel
constexpr int kWidest = 1600;  // width at which boards continue in a new row

struct PanelSize {
  int width;
  int height;
};

PanelSize panel_size(const game::Position& position) {
  return {position.columns() * kCell + 2 * kPadding, position.rows() * kCell + 2 * kPadding};
}

// Returns a width at which title and caption do not overlap the next panel; seven units per letter are ample.
int width_of(const BoardPicture& picture) {
  const std::size_t letters = std::max(picture.title.size(), picture.caption.size());
  return std::max(panel_size(picture.position).width, static_cast<int>(letters) * 7);
}

void append_cell(std::string& out, const BoardPicture& picture, int column, int row) {
  const int x = kPadding + column * kCell;
  const int y = kPadding + (picture.position.rows() - 1 - row) * kCell;
  const int color = picture.position.color_at(column, row);
  if (color == game::kEmpty) {
    fmt::format_to(std::back_inserter(out), R"(<circle class="empty" cx="{}" cy="{}" r="1.5"/>)", x + kCell / 2,
                   y + kCell / 2);
    return;
  }
  const BlockColor& style = block_color(color);
  const bool marked = picture.highlighted[static_cast<std::size_t>(row)] >> column & 1u;
  fmt::format_to(std::back_inserter(out), R"(<rect x="{}" y="{}" width="{}" height="{}" rx="5" fill="{}"{}/>)", x + 1,
                 y + 1, kCell - 2, kCell - 2, style.fill, marked ? R"( class="marked")" : "");
  fmt::format_to(std::back_inserter(out), R"(<text class="letter" x="{}" y="{}" fill="{}">{}</text>)", x + kCell / 2,
                 y + kCell / 2 + 4, style.ink, game::color_letter(color));
}

std::string panel(const BoardPicture& picture, int x, int y) {
  const PanelSize size = panel_size(picture.position);
  std::string out = fmt::format(R"svg(<g transform="translate({} {})">)svg"
                                R"svg(<text class="title" x="2" y="18">{}</text><g transform="translate(0 {})">)svg"
                                R"svg(<rect class="panel" width="{}" height="{}" rx="10"/>)svg",
                                x, y, escape_xml(picture.title), kTitle, size.width, size.height);
  for (int r = picture.position.rows() - 1; r >= 0; --r) {
    for (int c = 0; c < picture.position.columns(); ++c)
      append_cell(out, picture, c, r);
    out += '\n';
  }
  if (!picture.caption.empty())
    out +=
        fmt::format(R"(<text class="caption" x="2" y="{}">{}</text>)", size.height + 18, escape_xml(picture.caption));
  return out + "</g></g>\n";
}

constexpr std::string_view kStyle = R"(<style>
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
.title { font-size: 15px; font-weight: 600; fill: #1d2129; }
.caption { font-size: 13px; fill: #5a6270; }
.letter { font-size: 11px; font-weight: 600; text-anchor: middle; opacity: .85; }
.panel { fill: #eef0f3; }
.empty { fill: #c3c8d1; }
.marked { stroke: #16181d; stroke-width: 2.5; }
@media (prefers-color-scheme: dark) {
.title { fill: #eceef2; } .caption { fill: #a3abb8; } .panel { fill: #1e222a; } .empty { fill: #3d4450; }
.marked { stroke: #ffffff; }
}
</style>
)";

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  for (char c : printable_text(text)) {  // XML has no control characters, either
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string board_svg(const BoardPicture& picture) {
  return boards_svg({picture});
}

std::string boards_svg(const std::vector<BoardPicture>& pictures) {
  std::string body;
  int x = kMargin, y = kMargin, line_height = 0, width = 0;
  for (const BoardPicture& picture : pictures) {
    const int wide = width_of(picture);
    const int high = kTitle + panel_size(picture.position).height + (picture.caption.empty() ? 0 : kCaption);
    if (x > kMargin && x + wide + kMargin > kWidest) {
      x = kMargin;
      y += line_height + kMargin;
      line_height = 0;
    }
    body += panel(picture, x, y);
    x += wide + kMargin;
    width = std::max(width, x);
    line_height = std::max(line_height, high);
  }
  const int height = y + line_height + kMargin;
  return fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}">)",
                     width, height) +
         '\n' + std::string(kStyle) + body + "</svg>\n";
}

}  // namespace chainshot::tools
