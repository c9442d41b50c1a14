// Reads logs (host/log/run_log.hpp): the scores, the lines and the work of each board of each run over time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/position.hpp"

namespace chainshot::host {

struct LoggedScore {
  double seconds = 0;
  int score = 0;
  std::string source = {};             // the search that found the line; empty if the log does not say
  std::vector<game::Cell> moves = {};  // as the log has them, not replayed; empty in old logs
};

struct LoggedCount {
  double seconds = 0;
  std::string search;
  double done = 0;  // playouts and evaluations since the start of the board
  double playouts = 0;
  double evaluations = 0;
  std::optional<double> busy_share = {};  // share of the time in which the engines computed
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
  std::string date;  // ISO 8601; empty in old logs, as are the next fields
  std::string engine;
  std::string host;
  std::string processor;
  std::string program;                                             // its version
  std::vector<std::string> command;                                // the command line
  std::vector<std::pair<std::string, std::string>> settings = {};  // by name; also what limits the budget
  std::vector<LoggedBoard> boards;
};

// Parses the log of one or more runs, which follow one another. Skips unknown events and fields, and a line that was
// cut off: the last line of the file, or the last one before another run. Throws game::ParseError with file, line and
// column.
std::vector<LoggedRun> parse_run_log(std::string_view text, std::string_view source);

}  // namespace chainshot::host
