// Shows a tuning while it goes on: a table on a terminal; elsewhere a plain line for each generation, and a status line
// every minute.
#pragma once

#include <chrono>
#include <string>

#include "host/tune/tuning_run.hpp"
#include "tools/terminal/status_block.hpp"

namespace chainshot::tools {

class TuningDisplay {
 public:
  ~TuningDisplay() { erase(); }

  // Says how much there is to do.
  void begin(const host::TuningRun& run, int side_by_side);
  // Call it ten times per second. Also answers SIGUSR1 by a status line, and says when the state cannot be written.
  void update(const host::TuningRun& run);
  void erase() { block_.erase(); }

 private:
  using Clock = std::chrono::steady_clock;

  void say(const std::string& line);

  StatusBlock block_;
  Clock::time_point next_ = Clock::now();
  std::size_t told_ = 0;      // generations
  std::string told_problem_;  // with the state
};

}  // namespace chainshot::tools
