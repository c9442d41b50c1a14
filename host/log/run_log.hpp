// Writes the log of a run: one JSON object per line, each written in one piece, so that the log can be read while the
// run goes on and after it was killed. A file may hold the logs of several runs, one after another. docs/formats.md
// lists the fields; host/log/run_log_reader.hpp reads the log.
//
//   {"version":1,"event":"run", ...}       the first line of a run: date, boards, settings, machine, command line
//   {"event":"best","board":...}           at every improvement
//   {"event":"status","board":...}         for every search, at an interval and at the end: the common counters, then
//                                          the figures of that search
//   {"event":"end","board":...}            when a board is done
//
// Seconds count from the start of the board.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "host/search/search_runner.hpp"

namespace chainshot::host {

// Returns the value of a figure, as an integer if it is whole.
nlohmann::ordered_json figure_json(const Figure& figure);

// All calls may come from any thread.
class RunLog {
 public:
  using Writer = std::function<void(std::string_view line)>;

  // Calls `write` with one line at a time, including its newline. A write that fails must not disturb the searches. At
  // least `interval` seconds lie between two status lines of a search.
  RunLog(Writer write, double interval) : writer_(std::move(write)), interval_(interval) {}

  // Writes the first line; `fields` follow version and event.
  void begin(const nlohmann::ordered_json& fields);
  void best(const std::string& board, const BestLine& line, double seconds);
  // May be called more often than the interval.
  void status(const std::string& board, const SolveSample& sample);
  void end(const std::string& board, const SolveResult& result);

 private:
  struct Counters {
    double seconds = 0;
    std::uint64_t playouts = 0;
    std::uint64_t evaluations = 0;
    std::uint64_t nodes_visited = 0;
  };

  void write(const nlohmann::ordered_json& line);
  void write_status(const std::string& board, const SolveSample& sample);

  const Writer writer_;
  const double interval_;
  std::mutex mutex_;
  std::string board_;                     // the board of the last status line
  double next_status_ = 0;                // seconds
  std::map<std::string, Counters> last_;  // per search, at its last status line
};

}  // namespace chainshot::host
