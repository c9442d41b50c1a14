// The progress line of `chainshot solve`, drawn on the standard error. It never takes more columns than there are,
// except for the name and the score.
#pragma once

#include <optional>
#include <string>

#include "host/search/search_runner.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// Returns the share of the budget that is spent, from 0 to 1, by the search that has spent the least.
double share_spent(const host::SolveSample& sample, const host::Budget& budget);

// The state of a run while it searches a board.
struct SolveMoment {
  const std::string& board;
  std::size_t place = 1;    // of the board in the run, from 1
  std::size_t boards = 1;   // in the run
  std::optional<int> best;  // empty until a line is found
  const host::SolveSample& sample;
};
// Shortens the line until it fits `width` columns; the least important parts go first.
std::string progress_line(const SolveMoment& moment, const host::Budget& budget, int width);

class SolveProgress {
 public:
  explicit SolveProgress(const host::Budget& budget) : budget_(budget) {}

  // Redraws the line if it is due; may be called at any rate.
  void update(const SolveMoment& moment);
  // Makes room for other output.
  void erase() { line_.erase(); }

 private:
  const host::Budget budget_;
  StatusLine line_;
};

}  // namespace chainshot::tools
