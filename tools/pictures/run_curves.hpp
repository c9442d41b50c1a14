// Curves from the log of a run. Seconds count from the start of each board, so that a run over several boards has one
// curve: the sum of their scores after as many seconds of each.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/log/run_log_reader.hpp"

namespace chainshot::tools {

using Curve = std::vector<std::pair<double, double>>;  // (seconds, value), from the left

// The boards of a run that are drawn. A board that a run solved twice counts as its first time.
using LoggedBoards = std::vector<const host::LoggedBoard*>;

// Names of the boards that have a score in every run, in the order of the first.
std::vector<std::string> common_boards(const std::vector<host::LoggedRun>& runs);
LoggedBoards boards_named(const host::LoggedRun& run, const std::vector<std::string>& names);

// Sums of the best scores, from the moment on at which every board has one.
Curve score_curve(const LoggedBoards& boards);
// Playouts and evaluations a second of all searches, the mean over the boards that were still searched.
Curve rate_curve(const LoggedBoards& boards);
// How long the longest search was.
double longest(const LoggedBoards& boards);

}  // namespace chainshot::tools
