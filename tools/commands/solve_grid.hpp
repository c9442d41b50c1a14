// `chainshot solve` over several seeds and combinations of settings: every combination searches every board with every
// seed.
#pragma once

#include <stop_token>
#include <string>

#include "game/solution_text.hpp"
#include "tools/commands.hpp"
#include "tools/reports/grid_report.hpp"

namespace chainshot::tools {

struct GridFiles {
  std::string out;   // the best line of every board
  std::string log;   // of all runs
  std::string csv;   // means and differences
  std::string runs;  // a row for each run, as CSV
};

struct GridOutput {
  GridFiles files;
  bool json = false;
  bool prints_lines = false;  // also if a file holds them
  game::Notation notation = game::Notation::kColumnRow;
};

// `report` has everything but the runs and the engine. Seed by seed, so that an interrupted grid has complete pairs;
// after an interrupt it reports the runs that are done. Throws InputError if this machine cannot run one of the plans.
void run_grid(GridReport report, const GridOutput& output, Program& program, const std::stop_token& stop);

}  // namespace chainshot::tools
