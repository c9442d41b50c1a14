// The live line of `chainshot solve`, on the standard error.
#pragma once

#include <optional>
#include <string>

#include "host/search/search_runner.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// Share of the budget that is spent, from 0 to 1: of the search that has spent the least.
double share_spent(const host::SolveSample& sample, const host::Budget& budget);

// The line, as much of it as `width` columns hold; what matters least goes first. `place` is the board's among those
// of the run, from 1.
struct SolveMoment {
  const std::string& board;
  std::size_t place = 1;
  std::size_t boards = 1;
  std::optional<int> best;  // none is found yet
  const host::SolveSample& sample;
};
std::string progress_line(const SolveMoment& moment, const host::Budget& budget, int width);

class SolveProgress {
 public:
  explicit SolveProgress(const host::Budget& budget) : budget_(budget) {}

  // Call as often as you like.
  void update(const SolveMoment& moment);
  // Before something else is printed.
  void erase() { line_.erase(); }

 private:
  const host::Budget budget_;
  StatusLine line_;
};

}  // namespace chainshot::tools
