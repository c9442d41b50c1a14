// Many playouts of one position, in batches short enough that progress can be shown and Ctrl-C obeyed. How they are
// split into batches changes nothing in the result.
#pragma once

#include <cstdint>
#include <functional>

#include "game/engine.hpp"
#include "tools/reports/histogram.hpp"

namespace chainshot::tools {

struct PlayoutTask {
  game::Request request;  // its number of playouts is the whole task's
  std::uint64_t seed = 0;
  game::Scoring scoring = game::kStandardScoring;
};

struct PlayoutReport {
  game::Result result;
  game::HistogramSpec bins;
  double seconds = 0;
  bool complete = false;  // false if the run was halted; the result counts what was played by then

  Distribution distribution() const { return {.bins = bins, .counts = result.histogram}; }
};

// Called after every batch with what is done so far.
using PlayoutWatcher = std::function<void(const game::Result& so_far, double seconds)>;

// Once `halted` returns true, no further batch is sent; those in flight are finished and counted.
// Throws std::runtime_error if the engine fails.
PlayoutReport run_playouts(game::Engine& engine, const PlayoutTask& task, const PlayoutWatcher& watcher,
                           const std::function<bool()>& halted);

}  // namespace chainshot::tools
