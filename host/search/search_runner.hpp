// Searches of one board at the same time: each on a thread of its own, all sharing the best line. The clock, a stop
// from outside, a proof or an error ends them; what was found by then is never lost.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

struct NamedSearch {
  std::string name;
  std::unique_ptr<Search> search;
};

// Makes the searches of a board; the incumbent outlives them.
using SearchMaker = std::function<std::vector<NamedSearch>(const SearchTask&, Incumbent&)>;

struct NamedStatus {
  std::string name;
  SearchStatus status;
};

// What all searches tell of themselves at one moment.
struct SolveSample {
  double seconds = 0;  // since the start
  std::vector<NamedStatus> searches;

  // Counters added up; of depths the largest, of shares and means those of the search with the most playouts.
  SearchStatus total() const;
};

struct SolveWatcher {
  // From the thread of the search that found the line, one at a time, in order of score.
  std::function<void(const BestLine&, double seconds)> improved;
  // From the thread that called `solve`, every `interval` seconds and once at the end.
  std::function<void(const SolveSample&)> sampled;
  double interval = 0.1;
};

struct SolveResult {
  BestLine best;  // there always is one
  SolveSample last;
  bool proven = false;    // no line scores more
  bool complete = false;  // the searches ended by themselves or by the clock
  std::string error;      // empty, or the sentence of the first search that failed
};

// Runs the searches until all have returned. They are asked to stop after `seconds` (0: never), when `stop` is
// requested, when one of them has a proof, and when one fails. A board without moves is solved by looking at it.
SolveResult solve(const SearchTask& task, const SearchMaker& make, double seconds, const SolveWatcher& watcher,
                  const std::stop_token& stop = {});

}  // namespace chainshot::host
