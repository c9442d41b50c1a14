// Describes where the output goes (colour, width, whether a line can be redrawn) and prints progress and notes on the
// standard error.
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
  // Colour is on for a terminal unless NO_COLOR is set or TERM is `dumb`; --color always and never override that.
  bool color() const { return color_; }
  int width() const { return width_; }  // columns; 80 if the output is no terminal

  // Return `text` in bold or dim letters; unchanged if colour is off.
  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
  // Returns `text` on a background of a board's colour, with a readable foreground; unchanged if colour is off.
  std::string block(int color, std::string_view text) const;

 private:
  bool is_terminal_ = false;
  bool color_ = false;
  int width_ = 80;
};

// Whether the standard error is a terminal that can move its cursor, which one with TERM=dumb cannot.
bool can_redraw();

// A line on the standard error about work that takes longer than two seconds. On a terminal that can, it is redrawn in
// place and erased by the destructor; elsewhere it is a plain line every ten seconds.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Returns true if it is time for a new line.
  bool due() const { return Clock::now() >= next_; }
  int width() const;  // columns that a line may take
  void show(std::string line);
  // Call before printing anything else.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point next_;
  bool redraws_;
  bool drawn_ = false;
};

// Prints to the standard error, whether or not anyone reads it.
void print_error(const std::string& text);

// Prints a note on the standard error while the work goes on. May be called from any thread, also while a progress line
// is drawn.
void print_note(const std::string& sentence);

// Tells the user that an interrupt came before the first result.
void tell_nothing_is_done();

// A status line for work with a known share done.
class Progress {
 public:
  // `what` begins the line: `playing`.
  explicit Progress(std::string what) : what_(std::move(what)), start_(Clock::now()) {}

  // May be called at any rate. `share` of the work is done (0 to 1); `note` ends the line: `best 2931, 2.0 M/s`.
  void update(double share, std::string_view note);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  Clock::time_point start_;
  StatusLine line_;
};

// Formats seconds for people: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`.
std::string duration_text(double seconds);

}  // namespace chainshot::tools
