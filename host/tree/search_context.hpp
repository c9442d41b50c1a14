// The parts of a tree search share this: the task, the settings, the budget and the stop.
#pragma once

#include <stop_token>
#include <vector>

#include "game/position.hpp"
#include "host/search/search.hpp"
#include "host/tree/budget_tracker.hpp"
#include "host/tree/parallel/leaf_playouts.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

struct SearchContext {
  const SearchTask task;
  TreeSettings settings;
  const int threads;  // that search trees
  BudgetTracker budget;
  LeafPlayouts leaf_playouts;
  std::stop_token stop = {};

  // From any thread.
  bool is_halted() const { return stop.stop_requested(); }
  // Whether the budget is divided among the moves of a game, or all of it searches the first position.
  bool makes_moves() const { return settings.allocation != Allocation::kPerGame; }
};

// The moves made in a game, and where they have led.
struct PlayedGame {
  game::Position position;
  int points = 0;
  std::vector<game::Cell> moves = {};
};

}  // namespace chainshot::host
