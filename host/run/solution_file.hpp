// The solution file of a run is a collection: a run adds lines and replaces a line only by a better one of the same
// board and scoring. Several programs may write to one file at the same time; every write merges what this run found
// with what the file has by then. The best line so far of the board being searched is saved every second, so a program
// that is killed loses at most that. A file that can only be appended to (a pipe, a device) gets each board once, when
// it is finished.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/scoring.hpp"
#include "host/run/solution_collection.hpp"
#include "host/search/incumbent.hpp"

namespace chainshot::host {

// Checks, before long work, that lines of these boards can be added to the file. Throws game::ParseError if the file
// is not one of solutions or has a line of another board of the same name, and std::runtime_error if it cannot be read
// or locked. Accepts an empty path and a file that does not exist yet.
void expect_solutions_fit(const std::string& path, const std::vector<game::NamedBoard>& boards,
                          const game::Scoring& scoring);

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
  struct Line {
    game::NamedBoard board;
    BestLine best;
  };

  void remember(const game::NamedBoard& board, const BestLine& best);
  // Returns false if another program holds the lock of the file for longer than `patience`.
  bool merge(std::chrono::milliseconds patience) const;
  void report(const std::string& problem);

  const std::string path_;
  const game::Scoring scoring_;
  const bool appends_;
  const Notice notice_;
  std::vector<Line> lines_;  // the best line of every board of this run
  std::string problem_;
  std::uint64_t kept_ = 0;  // version of the unfinished board's line in the file; 0: none
  Clock::time_point next_ = Clock::now();
};

}  // namespace chainshot::host
