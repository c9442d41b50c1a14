// Runs the search of one turn. Lines that it finds are handed over once per second and at the end.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/run/run_engines.hpp"
#include "host/run/run_plan.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot::host {

struct FoundLine {
  int score = 0;
  std::vector<game::Cell> moves;
  std::string search;  // that found it
  std::string found;   // when, ISO 8601 in UTC
};

struct TurnObserver {
  // Called from the thread that runs the turn, about once per second and only with new lines, in order of score.
  std::function<void(std::vector<FoundLine>)> found;
  // Called from the same thread, ten times per second.
  std::function<void(const SolveSample&, std::optional<int> best)> sampled;
};

// The budget and the seed are those of the plan.
SolveResult search_turn(const RunPlan& plan, const RunResources& resources, const game::NamedBoard& board,
                        std::vector<std::vector<game::Cell>> starts, const TurnObserver& observer,
                        const std::stop_token& stop);

}  // namespace chainshot::host
