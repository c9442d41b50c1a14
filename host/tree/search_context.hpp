// The parts of a tree search share this: the task, the settings, the budget and the stop.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "game/position.hpp"
#include "host/search/search.hpp"
#include "host/tree/budget_tracker.hpp"
#include "host/tree/parallel/leaf_playouts.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

inline game::Scoring tree_scoring_of(game::Scoring scoring, const TreeSettings& settings) {
  scoring.clear_bonus = static_cast<int>(std::lround(settings.bonus_share * scoring.clear_bonus));
  return scoring;
}

struct SearchContext {
  const SearchTask task;
  TreeSettings settings;
  const int threads;  // that search trees
  BudgetTracker budget;
  LeafPlayouts leaf_playouts;
  std::stop_token stop = {};
  // Several searches may share the budget one after the other. This is the one that runs: its part of the budget, and
  // the walks of those before it.
  double first_share = 0;
  double share = 1;
  std::uint64_t walks_before = 0;

  // From any thread.
  bool is_halted() const { return stop.stop_requested(); }
  // The share of the running search's own part that is spent.
  double spent_share() const { return std::max(0.0, budget.share() - first_share) / share; }
  // The scoring by which trees and their playouts count; lines are kept by the game's own.
  game::Scoring tree_scoring() const { return tree_scoring_of(task.scoring, settings); }
  // Points that a cleared board earns beyond those.
  int bonus_left_out() const { return task.scoring.clear_bonus - tree_scoring().clear_bonus; }
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
