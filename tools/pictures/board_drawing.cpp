#include "tools/pictures/board_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "game/board_text.hpp"

namespace chainshot::tools {
namespace {

// Numbers the columns by their last digit, with the tens in a line above.
std::string column_numbers(const BoardDrawing& drawing, const Terminal& terminal) {
  const int first = drawing.notation == game::Notation::kPaper ? 1 : 0;
  const int last = first + drawing.position.columns() - 1;
  std::string tens = "    ", ones = "    ";
  for (int n = first; n <= last; ++n) {
    tens += n >= 10 && (n % 10 == 0 || n == first) ? fmt::format("{} ", n / 10) : "  ";
    ones += fmt::format("{} ", n % 10);
  }
  tens.erase(tens.find_last_not_of(' ') + 1);
  ones.pop_back();
  std::string out = last >= 10 ? terminal.dim(tens) + '\n' : std::string();
  return out + terminal.dim(ones) + '\n';
}

std::string cell_text(const BoardDrawing& drawing, int column, int row, const Terminal& terminal) {
  const int color = drawing.position.color_at(column, row);
  if (color == game::kEmpty) return terminal.dim(". ");
  const char letter = game::color_letter(color);
  if (drawing.marked[static_cast<std::size_t>(row)] >> column & 1u) return terminal.bold(fmt::format("{}*", letter));
  return terminal.block(color, fmt::format("{} ", letter));
}

}  // namespace

std::string draw_board(const BoardDrawing& drawing, const Terminal& terminal) {
  std::string out;
  for (int r = drawing.position.rows() - 1; r >= 0; --r) {
    const int number = drawing.notation == game::Notation::kPaper ? drawing.position.rows() - r : r;
    out += terminal.dim(fmt::format("{:>2}", number)) + "  ";
    for (int c = 0; c < drawing.position.columns(); ++c)
      out += cell_text(drawing, c, r, terminal);
    if (!terminal.color() && out.ends_with(' ')) out.pop_back();
    out += '\n';
  }
  return out + column_numbers(drawing, terminal);
}

std::string describe_board(const game::Position& position, const game::Scoring& scoring, const Terminal& terminal) {
  constexpr std::size_t kColorsPerLine = 8;  // nine characters each
  const auto counts = position.color_counts();
  std::string out;
  std::size_t shown = 0;
  for (int color = 0; color < game::kMaxColors; ++color) {
    const int n = counts[static_cast<std::size_t>(color)];
    if (n == 0) continue;
    if (shown > 0) out += shown % kColorsPerLine == 0 ? "\n" : "  ";
    const char letter = game::color_letter(color);
    const std::string name = terminal.color() ? fmt::format(" {} ", letter) : fmt::format("{}:", letter);
    out += fmt::format("{} {:<3}", terminal.block(color, name), n);
    ++shown;
  }
  if (shown > 0) out = out.substr(0, out.find_last_not_of(' ') + 1) + '\n';
  const auto groups = position.groups();
  int largest = 0;
  for (const game::Group& group : groups)
    largest = std::max<int>(largest, group.size);
  out += fmt::format("{} block{}, {} group{}", position.blocks(), position.blocks() == 1 ? "" : "s", groups.size(),
                     groups.size() == 1 ? "" : "s");
  if (!groups.empty()) out += fmt::format(" (the largest has {} blocks)", largest);
  return out + fmt::format(", at most {} points\n", position.upper_bound(scoring));
}

}  // namespace chainshot::tools
