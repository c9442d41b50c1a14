// What the program may assume about where its output goes: colour, width, and whether a line can be redrawn.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace chainshot::tools {

enum class ColorMode { kAuto, kAlways, kNever };

// The standard output.
class Terminal {
 public:
  explicit Terminal(ColorMode mode = ColorMode::kAuto);

  bool is_terminal() const { return is_terminal_; }
  // Colour is on for a terminal unless NO_COLOR is set or TERM is `dumb`; --color always or never decides otherwise.
  bool color() const { return color_; }
  int width() const { return width_; }  // columns; 80 where there is no terminal

  // `text` in bold or dim letters, or as it is without colour.
  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
  // A colour of the board as the background of `text`, the foreground chosen to be readable.
  std::string block(int color, std::string_view text) const;

 private:
  bool is_terminal_ = false;
  bool color_ = false;
  int width_ = 80;
};

// A line on the standard error about work that takes longer than two seconds: redrawn in place on a terminal, a plain
// line every ten seconds elsewhere. Erased when the object goes.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether it is time for a new line.
  bool due() const { return Clock::now() >= next_; }
  int width() const;  // columns that a line may take
  void show(std::string line);
  // Before something else is printed.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point next_;
  bool redraws_;
  bool drawn_ = false;
};

// To the standard error, whether or not anyone reads it.
void print_error(const std::string& text);

// A sentence on the standard error that does not end the work. From any thread, also while a line of progress is drawn.
void print_note(const std::string& sentence);

// After an interrupt.
void tell_nothing_is_done();

// Such a line for work whose share that is done is known.
class Progress {
 public:
  // `what` starts the line: `playing`.
  explicit Progress(std::string what) : what_(std::move(what)), start_(Clock::now()) {}

  // Call as often as you like. `share` of the work is done (0 to 1); `note` is the caller's part: `best 2931, 2.0 M/s`.
  void update(double share, std::string_view note);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  Clock::time_point start_;
  StatusLine line_;
};

// Seconds for people: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`.
std::string duration_text(double seconds);

}  // namespace chainshot::tools
