#include "tools/terminal/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "host/files/broken_pipe.hpp"
#include "tools/pictures/palette.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

constexpr int kDefaultWidth = 80;
constexpr const char* kErase = "\r\x1b[K";  // erases the current line

int width_of(int descriptor) {
  winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kDefaultWidth;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* const kind = std::getenv("TERM");
  return kind == nullptr || std::string_view(kind) == "dumb";
}

bool wants_color(ColorMode mode, bool is_terminal) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  return is_terminal && !is_set("NO_COLOR") && !is_dumb();
}

}  // namespace

bool can_redraw() {
  return ::isatty(STDERR_FILENO) == 1 && !is_dumb();
}

Terminal::Terminal(ColorMode mode)
    : is_terminal_(::isatty(STDOUT_FILENO) == 1),
      color_(wants_color(mode, is_terminal_)),
      width_(is_terminal_ ? width_of(STDOUT_FILENO) : kDefaultWidth) {}

std::string Terminal::bold(std::string_view text) const {
  return color_ ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

std::string Terminal::dim(std::string_view text) const {
  return color_ ? fmt::format("\x1b[2m{}\x1b[0m", text) : std::string(text);
}

std::string Terminal::block(int color, std::string_view text) const {
  if (!color_) return std::string(text);
  const BlockColor& c = block_color(color);
  return fmt::format("\x1b[48;5;{};38;5;{}m{}\x1b[0m", c.terminal_fill, c.terminal_ink, text);
}

StatusLine::StatusLine() : next_(Clock::now() + std::chrono::seconds(2)), redraws_(can_redraw()) {}

StatusLine::~StatusLine() {
  erase();
}

// Leaves the last column free: some terminals wrap when it is written.
int StatusLine::width() const {
  return std::max(1, width_of(STDERR_FILENO) - 1);
}

void StatusLine::show(std::string line) {
  next_ = Clock::now() + (redraws_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10));
  if (redraws_) {
    line.resize(std::min(line.size(), static_cast<std::size_t>(width())));
    print_error(kErase + line);
  } else {
    print_error(line + '\n');
  }
  drawn_ = true;
}

void StatusLine::erase() {
  if (drawn_ && redraws_) print_error(kErase);
  drawn_ = false;
}

void Progress::update(double share, std::string_view note) {
  if (!line_.due()) return;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string line = fmt::format("{} {:3.0f} %, {}", what_, 100 * share, duration_text(elapsed));
  if (share > 0 && share < 1) line += fmt::format(", {} left", duration_text(elapsed * (1 - share) / share));
  if (!note.empty()) line += fmt::format(", {}", note);
  line_.show(std::move(line));
}

void print_error(const std::string& text) {
  const host::BrokenPipeGuard guard;
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void print_note(const std::string& sentence) {
  print_error(std::string(can_redraw() ? kErase : "") + "chainshot: note: " + printable_text(sentence) + '\n');
}

void tell_nothing_is_done() {
  print_error("chainshot: interrupted before there was anything to report\n");
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const long long whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace chainshot::tools
