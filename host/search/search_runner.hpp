// Runs the searches of a board side by side until all have returned. Only the runner enforces the deadline and passes
// on a stop; a search sees a stop token and a clock for planning.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"
#include "host/search/search_clock.hpp"

namespace chainshot::host {

// The source of lines that the task has as starts.
inline constexpr std::string_view kStartSource = "start";

// Makes the searches of a board; the incumbent outlives them.
using SearchMaker = std::function<std::vector<NamedSearch>(const SearchTask&, Incumbent&)>;

struct NamedStatus {
  std::string name;
  std::string title;
  SearchStatus status;
};

// The status of all searches at one moment.
struct SolveSample {
  double seconds = 0;  // since the start
  std::vector<NamedStatus> searches;

  // Adds up the counters. `figures` are those of all searches; if names are equal, the first one counts.
  SearchStatus total() const;
};

struct SolveWatcher {
  // Called from the thread of the search that found the line, one call at a time, in order of score.
  std::function<void(const BestLine&, double seconds)> improved;
  // Called from the thread that called `solve`, every `interval` seconds and once at the end.
  std::function<void(const SolveSample&)> sampled;
  double interval = 0.1;
};

struct SolveResult {
  BestLine best;  // always set
  SolveSample last;
  std::vector<ScoredLine> elites = {};  // of all searches, replayed by the reference rules
  bool proven = false;                  // no line scores more
  bool complete = false;                // the searches ended by themselves or by the deadline
  std::string error;                    // empty, or the sentence of the first search that failed
};

// Stops all searches after `seconds` (0: never), when `stop` is requested, when one of them has a proof, and when one
// of them fails. Starts no search on a board without moves. The incumbent has the best start of the task before the
// searches are made, so the result is never worse; a start that does not replay is an error, and nothing is searched.
SolveResult solve(const SearchTask& task, const SearchMaker& make, double seconds, const SolveWatcher& watcher,
                  const std::stop_token& stop = {});

// Runs one search without an audience, as benchmarks and tests do. Throws std::runtime_error if it fails.
void run_alone(Search& search, double seconds, const std::stop_token& stop = {});

}  // namespace chainshot::host
