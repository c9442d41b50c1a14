// Makes curves from the log of a run. Seconds count from the start of each board, so a run over several boards has one
// curve: its value at t is the sum of the scores that the boards had t seconds after their starts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/log/run_log_reader.hpp"

namespace chainshot::tools {

using Curve = std::vector<std::pair<double, double>>;  // (seconds, value), from the left

// The boards of a run to draw. If a run solved a board twice, only the first time is drawn.
using LoggedBoards = std::vector<const host::LoggedBoard*>;

// Returns the names of the boards that have a score in every run, in the order of the first run.
std::vector<std::string> common_boards(const std::vector<host::LoggedRun>& runs);
LoggedBoards boards_named(const host::LoggedRun& run, const std::vector<std::string>& names);

// Returns the sum of the best scores, starting when every board has one.
Curve score_curve(const LoggedBoards& boards);
// Returns the playouts and evaluations per second of all searches, averaged over the boards still being searched.
Curve rate_curve(const LoggedBoards& boards);
// Returns the seconds of the longest search.
double longest(const LoggedBoards& boards);

}  // namespace chainshot::tools
