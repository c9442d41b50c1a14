#include "tools/terminal/status_block.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {
namespace {

winsize terminal_size() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    size.ws_col = 80;
    size.ws_row = 24;
  }
  return size;
}

}  // namespace

StatusBlock::StatusBlock() : redraws_(can_redraw()) {}

StatusBlock::~StatusBlock() {
  erase();
}

int StatusBlock::width() const {
  return std::max(1, terminal_size().ws_col - 1);
}

int StatusBlock::height() const {
  return std::max(1, terminal_size().ws_row - 1);
}

void StatusBlock::show(const std::vector<std::string>& lines) {
  if (!redraws_) return;
  std::string text = drawn_ > 0 ? fmt::format("\r\033[{}A\033[J", drawn_) : "\r\033[J";
  const auto columns = static_cast<std::size_t>(width());
  for (const std::string& line : lines)
    text += line.substr(0, columns) + '\n';
  print_error(text);
  drawn_ = static_cast<int>(lines.size());
}

void StatusBlock::erase() {
  if (drawn_ > 0) print_error(fmt::format("\r\033[{}A\033[J", drawn_));
  drawn_ = 0;
}

}  // namespace chainshot::tools
