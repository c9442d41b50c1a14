// What every search has in common: a task, a budget, the best line it shares with other searches, a way to be stopped,
// and what it tells of itself while it runs.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::host {

struct SearchTask {
  game::Position board;
  game::Scoring scoring = game::kStandardScoring;
  std::uint64_t seed = 0;
};

// Limits of a search; 0 is none. The first one reached ends it.
struct Budget {
  double seconds = 0;
  std::uint64_t playouts = 0;  // of a tree search, and evaluations of annealing
  std::uint64_t nodes = 0;     // visited for the first time
  std::uint64_t resource_units =
      0;  // Klein 2015, 5.2: a position whose moves are listed is one, a step down the tree 1/8
};

// Counters since the start. What a search does not have stays 0.
struct SearchStatus {
  std::uint64_t playouts = 0;
  std::uint64_t evaluations = 0;  // lines annealing proposed
  std::uint64_t nodes = 0;        // in memory now
  std::uint64_t nodes_visited = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t resource_units = 0;
  double mean_depth = 0;  // of the leaves visited
  int depth = 0;          // the deepest one
  double busy_share = 0;  // of its engines, since the start
  double batch_fill = 0;  // mean, of the recommended batch
  double in_flight = 0;   // batches, mean
  int leaf_playouts = 0;  // playouts a leaf, now
  double temperature = 0;
  bool proven = false;                   // no line scores more than the best one found
  std::optional<int> played_score = {};  // of the game a search that moves on has played: its line may not be the best
};

class Search {
 public:
  virtual ~Search() = default;

  // Returns when the budget is spent, the best score is proven, or a stop is asked for. Lines go to the incumbent the
  // search was made with. Throws std::runtime_error with one sentence if an engine fails.
  virtual void run(std::stop_token stop) = 0;
  // Some time after a stop was asked for, and again until `run` returns: what is under way is not to be waited for.
  // From any thread.
  virtual void cancel_pending() {}
  // From any thread, also while it runs.
  virtual SearchStatus status() const = 0;
};

}  // namespace chainshot::host
