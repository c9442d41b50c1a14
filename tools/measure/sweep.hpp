// Measures an engine with batches of different sizes: playouts per second by the playouts of a batch and the positions
// they are spread over. A search needs batches that are large enough for the engine and no larger.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/engine.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

struct SweepPoint {
  std::uint64_t playouts = 0;  // of a batch
  std::uint32_t positions = 0;
  double per_second = 0;
  double busy_share = 0;
};

struct Sweep {
  std::string engine;
  std::string policy;
  int in_flight = 1;
  double seconds_a_point = 0;
  bool complete = false;           // false after Ctrl-C
  std::vector<SweepPoint> points;  // by playouts, then by positions
};

// Batch sizes are powers of four from 1,024 on, up to what the engine plays in half a second and at least up to what it
// recommends. Ends early, with the points it has, once interrupted() is true.
Sweep run_sweep(game::Engine& engine, const game::Policy& policy, const std::string& policy_name, double seconds);

// Different positions, all eight random moves away from one of the standard boards; the same ones every time.
std::vector<game::Position> sweep_positions(std::uint32_t count);

// The smallest batch within 5 % of the best rate; of several such settings of one size, the fastest. There are points.
const SweepPoint& recommended(const Sweep& sweep);

std::string sweep_text(const Sweep& sweep, const Terminal& terminal);
Json sweep_json(const Sweep& sweep);
std::string sweep_csv(const Sweep& sweep);
std::string sweep_svg(const Sweep& sweep);

}  // namespace chainshot::tools
