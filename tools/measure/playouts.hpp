// Many playouts of one position: split into batches, as many of them with the engine as keep it busy, so that progress
// can be shown and Ctrl-C obeyed. How they are split changes nothing in the result.
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
  bool complete = false;  // false after Ctrl-C; the result counts what was done by then

  Distribution distribution() const { return {.bins = bins, .counts = result.histogram}; }
};

// Called after every batch with what is done so far.
using PlayoutWatcher = std::function<void(const game::Result& so_far, double seconds)>;

// Throws std::runtime_error if the engine fails.
PlayoutReport run_playouts(game::Engine& engine, const PlayoutTask& task, const PlayoutWatcher& watcher);

}  // namespace chainshot::tools
