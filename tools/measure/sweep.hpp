// Measures an engine with batches of different sizes: playouts per second by the playouts of a batch and the positions
// they are spread over. A search needs batches that are large enough for the engine and no larger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/engine.hpp"
#include "tools/measure/speed.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

struct SweepPoint {
  std::uint64_t playouts = 0;  // of a batch
  std::uint32_t positions = 0;
  std::vector<double> rates = {};  // playouts per second, one for each round
  double busy_share = 0;           // the mean

  Spread per_second() const { return spread_of(rates); }
};

struct Sweep {
  std::string engine;
  std::string policy;
  int in_flight = 1;
  double seconds_a_run = 0;
  std::size_t rounds = 0;          // that were measured in full
  bool complete = false;           // false after Ctrl-C
  std::vector<SweepPoint> points;  // by playouts, then by positions
};

// How a sweep measures.
struct SweepPlan {
  game::Policy policy;
  std::string policy_name;
  std::vector<game::NamedBoard> boards;  // that the positions come from
  double seconds_a_run = 0;
  double longest_batch = 0.5;  // in seconds
  std::size_t rounds = 1;      // in which all batch sizes take turns
};

// Batch sizes are powers of four from 1,024 on, up to what the engine plays in `longest_batch` and at least up to what
// it recommends; the first round finds the last size. Ends early once interrupted() is true, without the runs of a
// later round that is not complete.
Sweep run_sweep(game::Engine& engine, const SweepPlan& plan);

// Different positions, all up to eight random moves away from one of the boards; the same ones every time. Boards with
// few positions have some of them twice.
std::vector<game::Position> sweep_positions(std::uint32_t count, const std::vector<game::NamedBoard>& boards);
// A batch of so many playouts, spread over so many of these positions.
SpeedCase batch_case(const std::vector<game::Position>& positions, const game::Policy& policy, std::uint64_t playouts,
                     std::uint32_t count);

// The setting with the highest median. There are points.
const SweepPoint& fastest(const Sweep& sweep);
// The smallest batch that the samples cannot tell from the fastest one; of several such settings of one size, the
// fastest. A batch whose median is 10 % lower is never taken, however much the samples vary.
const SweepPoint& recommended(const Sweep& sweep);

// How `speedtest --batch` takes the batch of a point: `65536x16`.
std::string batch_text(const SweepPoint& point);
std::string sweep_text(const Sweep& sweep, const Terminal& terminal);
Json sweep_json(const Sweep& sweep);
std::string sweep_csv(const Sweep& sweep);
std::string sweep_svg(const Sweep& sweep);

}  // namespace chainshot::tools
