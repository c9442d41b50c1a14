// How playouts and annealing grow with the number of threads or of devices.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/policy.hpp"
#include "host/engines/engines.hpp"
#include "tools/measure/chain_speed.hpp"
#include "tools/measure/speed.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// An engine with so many workers. All steps take turns, and run i of every step was made in the same round.
struct ScalingStep {
  std::string engine;  // cpu or cuda
  host::EngineChoice choice;
  int workers = 1;           // threads, or devices
  std::string workers_text;  // `4 threads`, `device 1`, `devices 0, 1`
  SpeedCase speed_case = {};
  std::vector<SpeedRun> playouts = {};
  std::vector<ChainRun> chains = {};
};

struct Scaling {
  std::string policy;
  std::string board;
  double seconds_a_run = 0;
  std::size_t rounds = 0;  // that were measured in full
  bool complete = false;
  std::vector<ScalingStep> steps = {};
};

struct ScalingPlan {
  game::Policy policy;
  game::NamedBoard board;
  std::size_t rounds = 1;
  // Opens an engine of playouts; throws if it cannot.
  std::function<std::unique_ptr<game::Engine>(const host::EngineChoice&)> open;
};

// 1, 2, 4, ... up to the number of processors, which is always among them.
std::vector<int> usual_thread_counts(int processors);

// Measures the steps, which have no runs yet. An engine is opened for every run and closed after it, so that no other
// holds its processors or memory. Ends early, without the runs of an incomplete round, once interrupted() is true.
void measure_scaling(const ScalingPlan& plan, Scaling& scaling);

std::string scaling_text(const Scaling& scaling, const Terminal& terminal);
std::string scaling_csv(const Scaling& scaling);
Json scaling_json(const Scaling& scaling);
std::string scaling_svg(const Scaling& scaling);

}  // namespace chainshot::tools
