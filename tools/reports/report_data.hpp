// The data of `chainshot report` and of the live page: boards with their best lines and the history of their scores,
// and the runs that found them. Lines come from archives and logs in any order; `finished` sorts them by time. Lines
// with moves were replayed by the reference rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/position.hpp"
#include "host/archive/archive_rows.hpp"
#include "host/log/run_log_reader.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::host {
class Archive;
}

namespace chainshot::tools {

using Milliseconds = std::int64_t;  // since 1970, in UTC

Milliseconds now_in_milliseconds();

// Reads ISO 8601 in UTC: 2026-11-18T07:00:00Z, with or without decimals of the second.
std::optional<Milliseconds> parse_time(const std::string& text);

struct ReportLine {
  std::optional<Milliseconds> at;
  int score = 0;
  std::vector<game::Cell> moves;
  host::LineOrigin origin;
  std::optional<std::size_t> run;  // its place in Report::runs
};

struct ReportBoard {
  std::string name;
  std::string scoring;
  std::optional<game::Position> position;  // a log has no cells
  std::vector<ReportLine> lines;           // `finished` keeps the improvements, so the last one is the best
  int gain = 0;                            // by the last run, since the line before it or its own first line
};

// The mean rates of a stretch of a run.
struct ReportRate {
  Milliseconds at = 0;  // its end
  double playouts_per_second = 0;
  double evaluations_per_second = 0;
  std::optional<double> busy;  // share of the time in which the engines computed
};

struct ReportRun {
  std::string source;  // the file
  std::string state;
  std::optional<Milliseconds> started;
  double seconds = 0;
  std::string host;
  std::string processor;
  std::string preset;
  std::string version;  // of the program
  std::string command;  // the command line
  std::size_t improvements = 0;
  int gain = 0;
  std::vector<ReportRate> rates;
};

struct Report {
  Milliseconds made = 0;
  std::string scoring = "standard";  // of the sum: that of most boards
  std::vector<ReportBoard> boards;
  std::vector<ReportRun> runs;
  std::optional<std::size_t> last_run;  // the one that began last

  std::int64_t sum() const;
  int gain() const;  // of the last run
};

// Collects the data of several files. A board of a log is the board of the same name that its lines replay on: one of
// an archive added before, one of `known` (also by its long name), or a standard board. Else the report shows its
// scores without a replay.
class ReportBuilder {
 public:
  explicit ReportBuilder(std::vector<game::NamedBoard> known = {}) : known_(std::move(known)) {}

  void add(const host::Archive& archive);
  void add(const std::vector<host::LoggedRun>& runs, const std::string& source);
  Report finished(Milliseconds now) &&;

 private:
  ReportBoard& board_of(const std::string& name, const std::string& scoring,
                        const std::optional<game::Position>& position);
  std::optional<game::Position> position_of(const host::LoggedBoard& board, const std::string& scoring) const;
  void add_board(const host::LoggedBoard& board, const host::LoggedRun& run, std::size_t number,
                 std::optional<Milliseconds> start);

  std::vector<game::NamedBoard> known_;
  Report report_;
};

Json report_json(const Report& report);

// Returns the data of the live page as text. A run that is watched opens its archive a second time, for reading only,
// so that the page does not keep the run from writing.
std::string archive_report_text(const host::Archive& archive);

}  // namespace chainshot::tools
