// The state of a record run at one moment, for the terminal, the status line and the live page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/search/search.hpp"

namespace chainshot::host {

struct RecordedBoard {
  std::int64_t id = 0;  // in the archive
  std::string name;
  std::optional<int> best = {};    // in the archive
  std::optional<int> before = {};  // the best when the run began (before it was resumed, too)
  std::optional<int> known = {};   // the best score that others published, if there is one
  int turns = 0;                   // finished
  std::string improved_at = {};    // when the run found its best line, ISO 8601; empty if it did not improve the board

  int gain() const { return best && before ? *best - *before : 0; }
};

// A turn under way.
struct RunningTurn {
  std::size_t board = 0;  // its place in RecordStatus::boards
  int number = 0;
  std::optional<int> best = {};  // found by this turn
  double seconds = 0;
  double share = 0;          // of its budget that is spent, from 0 to 1
  SearchStatus status = {};  // of its searches together
};

struct RecordStatus {
  std::string run;                     // its unique name
  std::string state;                   // running, stopping, stopped, finished
  std::string strategy;                // in one sentence
  double seconds = 0;                  // since the run began, without the time between its parts
  std::optional<double> seconds_left;  // if the end is known
  int round = 0;                       // from 1
  int rounds = 0;                      // that were asked for; 0: until the time is up
  int turns_of_round = 0, turns_done_of_round = 0;
  std::vector<RecordedBoard> boards;
  std::vector<RunningTurn> turns;
  double playouts_per_second = 0, evaluations_per_second = 0;  // of all turns under way, over the last seconds
  double busy = 0;                 // share of the processors or devices that played over the last seconds
  std::vector<std::string> notes;  // sentences for the user, the latest last
};

}  // namespace chainshot::host
