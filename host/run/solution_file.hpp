// The solution file of a run. It holds the solution of every finished board and the best line so far of the board being
// searched, so a program that is killed loses at most the last second. A file that can only be appended to (a pipe, a
// device) gets each board once, when it is finished.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/scoring.hpp"
#include "host/search/incumbent.hpp"

namespace chainshot::host {

// Formats a line for a solution file.
std::string saved_line(const game::NamedBoard& board, const game::Scoring& scoring, int score,
                       const std::vector<game::Cell>& moves);

class SolutionFile {
 public:
  using Notice = std::function<void(const std::string& sentence)>;

  // Calls `notice` when the first write fails. Writes nothing if `path` is empty.
  SolutionFile(std::string path, const game::Scoring& scoring, Notice notice);

  // Adds the solution of a finished board.
  void add(const game::NamedBoard& board, const BestLine& best);
  // Saves the best line of the board being searched, at most once per second.
  void keep(const game::NamedBoard& board, const BestLine& best);
  // Returns why a solution could not be saved; empty if all were.
  const std::string& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;

  void save(const std::string& text);

  const std::string path_;
  const game::Scoring scoring_;
  const bool appends_;
  const Notice notice_;
  std::string done_;
  std::string problem_;
  std::uint64_t kept_ = 0;  // version of the unfinished board's line in the file; 0: none
  Clock::time_point next_ = Clock::now();
};

}  // namespace chainshot::host
