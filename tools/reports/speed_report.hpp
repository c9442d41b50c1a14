// The figures of a speed test, for people at 80 columns and for machines.
#pragma once

#include <string>
#include <vector>

#include "tools/measure/speed.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// The runs of one case on one engine; run i of every row was made in the same round, so ratios are taken round by
// round.
struct SpeedRow {
  SpeedCase speed_case;
  int threads = 1;    // 0: not on the CPU
  int in_flight = 1;  // batches with the engine
  std::vector<SpeedRun> runs;
};

struct EngineSpeed {
  std::string engine;  // as it was asked for
  std::string isa;     // empty: not on the CPU
  std::string name;    // what the engine calls itself
  std::vector<SpeedRow> rows;
};

struct SpeedTest {
  std::string policy;
  double seconds_a_run = 0;
  std::vector<SpeedRun> reference;  // empty for policies it does not play
  std::vector<EngineSpeed> engines;
};

std::string speed_text(const SpeedTest& test, const Terminal& terminal);
Json speed_json(const SpeedTest& test);

}  // namespace chainshot::tools
