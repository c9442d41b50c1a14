// How long random games of random boards are, and among how many moves they choose (Schadd 2008, by Klein 2015, section
// 2.5.1). The engine plays for the lengths; it cannot count moves to choose from, so games on single positions, with
// the same boards, give the branching.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "game/engine.hpp"
#include "game/position.hpp"
#include "host/analysis/statistics.hpp"
#include "host/analysis/work_sharing.hpp"

namespace chainshot::host {

struct RandomPlayTask {
  std::uint64_t boards = 0;
  std::function<game::Position(std::uint64_t)> board;  // called from several threads
  std::uint32_t games = 1;                             // of each board and kind
  std::uint64_t seed = 0;
  int threads = 1;  // that play on single positions
  std::stop_token stop = {};
  WorkWatcher watcher = {};
};

// Boards are the independent samples: games of one board are alike.
struct RandomPlayResult {
  bool complete = false;            // false if it was stopped
  Moments length;                   // mean length of each board's games on the engine
  Moments length_by_position;       // the same of the games on single positions
  RatioMoments branching;           // moves to choose from per position that has one
  RatioMoments branching_with_end;  // the same with the end of each game as a position of none (Klein 2015, D.3.2)
};

// Throws std::runtime_error if the engine fails.
RandomPlayResult measure_random_play(game::Engine& engine, const RandomPlayTask& task);

}  // namespace chainshot::host
