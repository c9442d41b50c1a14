// The plan of a record run: the search, the boards, and how the time is divided.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/record/round_planner.hpp"
#include "host/run/run_plan.hpp"

namespace chainshot::host {

// A board with what the world knows of it.
struct RecordBoard {
  game::NamedBoard board;
  std::optional<int> known;  // the best score that others published or that ships with the program
};

struct RecordPlan {
  RunPlan search;  // its budget and seed are set for each turn
  std::vector<RecordBoard> boards;
  TurnBudgets budgets;
  std::optional<double> seconds;                               // the run ends after so many seconds of its own, or
  std::optional<std::chrono::system_clock::time_point> until;  // at this time of day, or
  int rounds = 0;                                              // after so many rounds; 0: without end
  int elites = 16;                                             // lines that a turn starts from at most
  double distance = 0.3;                                       // by which they differ at least
  int side_by_side = 0;               // boards searched at the same time; 0: chosen from the machine
  std::optional<std::uint64_t> seed;  // of the run; without it, the number of the run in the archive
  bool on_network = false;            // the archive lies on a network file system
};

// Returns how many boards to search at the same time: as the plan asks, else one per thread where the search runs on
// the processors alone, so that no thread waits for another; else one.
int boards_side_by_side(const RecordPlan& plan, int threads, bool has_device);

// Returns the threads of worker `worker` of `workers`, which share `threads` among them.
int threads_of_worker(int threads, int workers, int worker);

}  // namespace chainshot::host
