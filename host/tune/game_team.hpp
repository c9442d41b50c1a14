// Plays the games of a tuning side by side: one search per thread, or one search at a time on all threads if there is a
// device. A game has the same result whoever plays it if its budget is counted.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "game/position.hpp"
#include "host/run/run_engines.hpp"
#include "host/run/run_plan.hpp"

namespace chainshot::host {

// One board to be searched with the settings of one sample.
struct TuningGame {
  std::size_t sample = 0;
  std::size_t board = 0;
};

// The search that a game is played with.
struct GameTask {
  Settings settings;
  game::Position position;
  std::uint64_t seed = 0;
};

struct GameWatcher {
  std::function<GameTask(const TuningGame&)> task;       // called from the threads that play
  std::function<void(const TuningGame&, int)> finished;  // gets the score; called from the threads that play
  std::function<void()> watch;                           // called ten times per second from the thread of `play`
};

class GameTeam {
 public:
  // Preset, budget, scoring and engines are those of the plan; its settings and seed are replaced for each game. Throws
  // std::invalid_argument with one sentence if this machine cannot run the plan.
  GameTeam(const RunPlan& plan, const EngineNotice& notice);

  // Returns how many games are played at the same time.
  int size() const { return static_cast<int>(workers_.size()); }
  bool has_device() const { return workers_.front().resources->has_device(); }

  // Starts the games in order and returns when all have finished, at a stop, or when one fails. A game that is broken
  // off does not count as finished. Returns the sentence of the first failure, or an empty text.
  std::string play(const std::vector<TuningGame>& games, const GameWatcher& watcher, const std::stop_token& stop);

 private:
  struct Worker {
    RunPlan plan;
    std::unique_ptr<RunResources> resources;
  };

  std::vector<Worker> workers_;
};

}  // namespace chainshot::host
