// A run of searches as its log (host/log/run_log.hpp) tells it: what was found and how much was done, over time.
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
  double seconds = 0;  // of the last line about it
  bool ended = false;
};

struct LoggedRun {
  std::string preset;
  std::string scoring;
  std::string seed;  // as it is written
  std::vector<LoggedBoard> boards;
};

// Reads a log. Events and fields it does not know are passed over, and so is a last line that was cut off. Throws
// game::ParseError with file, line and column.
LoggedRun parse_run_log(std::string_view text, std::string_view source);

}  // namespace chainshot::host
