// The reports of `chainshot speedtest`: a table of 80 columns for people and JSON for scripts.
#pragma once

#include <string>
#include <vector>

#include "tools/measure/chain_speed.hpp"
#include "tools/measure/speed.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// The runs of one case on one engine. Run i of every row was made in the same round, so ratios compare runs of the same
// round.
struct SpeedRow {
  SpeedCase speed_case;
  int threads = 1;    // 0: not on the CPU
  int in_flight = 1;  // batches that the engine has at a time
  std::vector<SpeedRun> runs;
};

struct EngineSpeed {
  std::string engine;  // as the user named it
  std::string isa;     // empty: not on the CPU
  std::string name;    // as the engine names itself
  std::vector<SpeedRow> rows;
};

// The runs of so many annealing chains on one engine, again one for each round.
struct ChainRow {
  std::string engine;  // as the engine names itself
  int chains = 1;
  bool on_cpu = true;
  std::vector<ChainRun> runs;
};

struct SpeedTest {
  std::string policy;
  std::string board;  // as titles call it
  double seconds_a_run = 0;
  std::vector<SpeedRun> reference;  // empty if the reference does not play the policy
  std::vector<EngineSpeed> engines;
  std::vector<ChainRow> annealing;
};

std::string speed_text(const SpeedTest& test, const Terminal& terminal);
Json speed_json(const SpeedTest& test);

}  // namespace chainshot::tools
