// Makes curves from the log of a run. Seconds, and playouts and evaluations, count from the start of each board, so a
// run over several boards has one curve: its value at t is the sum of the scores that the boards had at t.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/log/run_log_reader.hpp"

namespace chainshot::tools {

using Curve = std::vector<std::pair<double, double>>;  // (seconds or work, value), from the left

// What runs to the right in a picture.
enum class RunAxis { kSeconds, kWork };

// The boards of a run to draw. If a run solved a board twice, only the first time is drawn.
using LoggedBoards = std::vector<const host::LoggedBoard*>;

// Returns the names of the boards that have a score in every run, in the order of the first run.
std::vector<std::string> common_boards(const std::vector<host::LoggedRun>& runs);
LoggedBoards boards_named(const host::LoggedRun& run, const std::vector<std::string>& names);

// Returns the sum of the best scores, starting when every board has one.
Curve score_curve(const LoggedBoards& boards, RunAxis axis = RunAxis::kSeconds);
// Returns the playouts and evaluations per second of all searches, averaged over the boards still being searched.
Curve rate_curve(const LoggedBoards& boards);
// Returns the end of the longest search; 0 if the log has not counted any work.
double longest(const LoggedBoards& boards, RunAxis axis = RunAxis::kSeconds);

// How far a band reaches from the mean.
enum class RunBand { kError, kDeviation, kRange };

struct BandPoint {
  double x = 0;
  double low = 0;
  double high = 0;
};
// The mean of several curves, and a band around it.
struct MeanCurve {
  Curve mean;
  std::vector<BandPoint> band;
};
// Of scores, whose values hold until the next one, at the places given, which are sorted. Begins where all curves have.
MeanCurve mean_steps(const std::vector<Curve>& curves, const std::vector<double>& places, RunBand band);
// Of rates, which change evenly between their points; a place counts the curves that reach it.
Curve mean_line(const std::vector<Curve>& curves, const std::vector<double>& places);

}  // namespace chainshot::tools
