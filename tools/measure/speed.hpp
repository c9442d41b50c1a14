// Measures how many playouts an engine, or the reference implementation, makes per second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/engine.hpp"

namespace chainshot::tools {

struct SpeedCase {
  std::string id;         // for machines
  std::string title;      // for people
  game::Batch batch;      // submitted again and again; its playouts are numbered on
  int blocks = 0;         // on the board at the start of a playout
  bool is_fixed = false;  // the batch keeps its size

  std::uint64_t playouts() const;  // of the batch
};

// One position, that of the board; 512 positions of 32 playouts each, as a search asks for them, of random boards like
// it; roulette, unless that is the policy; a wide board.
std::vector<SpeedCase> speed_cases(const game::Policy& policy, const game::NamedBoard& board);
// The board as titles call it: `board 1` for the first standard board.
std::string board_title(const game::NamedBoard& board);

// One run. Wall time is what a user waits for; CPU time does not count what other programs took.
struct SpeedRun {
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double busy_seconds = 0;  // in which the engine computed, by its own count
  std::uint64_t playouts = 0;
  std::uint64_t moves = 0;

  double per_second() const { return static_cast<double>(playouts) / wall_seconds; }
  double per_cpu_second() const { return static_cast<double>(playouts) / cpu_seconds; }
  double busy_share() const { return busy_seconds / wall_seconds; }
};

// Keeps the engine busy with the batches of a case for about this long, then waits for those in flight.
// Throws std::runtime_error if the engine fails.
SpeedRun measure(game::Engine& engine, const SpeedCase& speed_case, double seconds);
// The slow implementation of the rules on the first position of a case, in the calling thread.
SpeedRun measure_reference(const SpeedCase& speed_case, double seconds);

// Chooses the batch of a case with one position: as many playouts as take a twentieth of a run, but no fewer than a
// device recommends.
void fit_batch(game::Engine& engine, SpeedCase& speed_case, double seconds);

struct Spread {
  double median = 0;
  double low = 0;
  double high = 0;
};
Spread spread_of(std::vector<double> values);  // of at least one value

}  // namespace chainshot::tools
