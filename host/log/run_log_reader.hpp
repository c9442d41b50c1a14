// Reads the log of a run (host/log/run_log.hpp): the scores and the work of each board over time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace chainshot::host {

struct LoggedScore {
  double seconds = 0;
  int score = 0;
};

struct LoggedCount {
  double seconds = 0;
  std::string search;
  double done = 0;  // playouts and evaluations since the start of the board
};

struct LoggedBoard {
  std::string name;
  std::vector<LoggedScore> scores;
  std::vector<LoggedCount> counts;
  double seconds = 0;  // of its last line
  bool ended = false;
};

struct LoggedRun {
  std::string preset;
  std::string scoring;
  std::string seed;  // its digits, which may exceed a double's precision
  std::vector<LoggedBoard> boards;
};

// Parses a log. Skips unknown events and fields, and a last line that was cut off. Throws game::ParseError with file,
// line and column.
LoggedRun parse_run_log(std::string_view text, std::string_view source);

}  // namespace chainshot::host
