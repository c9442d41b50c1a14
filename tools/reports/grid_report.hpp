// The reports of `chainshot solve` over several seeds and combinations of settings: a table for people, CSV and JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/analysis/paired_scores.hpp"
#include "host/run/board_run.hpp"
#include "tools/options/search_combinations.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// A run of the grid. One that was stopped early counts for the best lines alone.
struct GridRun {
  std::size_t combination = 0;
  std::size_t board = 0;
  std::uint64_t seed = 0;
  host::BoardSolution solution;
};

struct GridReport {
  std::vector<SearchCombination> combinations;
  std::vector<host::RunPlan> plans;  // of the combinations
  std::vector<std::uint64_t> seeds;
  std::vector<game::NamedBoard> boards;
  std::string engine;
  bool default_budget = false;
  std::vector<GridRun> runs = {};

  std::size_t wanted_runs() const { return combinations.size() * seeds.size() * boards.size(); }
  std::size_t finished_runs() const;
  bool is_complete() const { return finished_runs() == wanted_runs(); }
  host::PairedScores scores() const;
  // Of all runs of the board; null if there is none.
  const GridRun* best_of(std::size_t board) const;
};

std::string grid_text(const GridReport& report, const Terminal& terminal);
// A row for each combination and board, and one for each combination over all boards if there are several.
std::string grid_csv(const GridReport& report);
// A row for each run.
std::string grid_runs_csv(const GridReport& report);
Json grid_json(const GridReport& report);
// The best line of every board.
std::vector<host::BoardSolution> best_solutions(const GridReport& report);

}  // namespace chainshot::tools
