// The share of boards of one size and number of colours that can be cleared (Takes 2009, section 2.3): every board
// where that is little work, else random boards. Boards that differ by a permutation of colours or by a mirror image
// are alike and counted by one of them: columns close in whatever direction they like.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "host/analysis/statistics.hpp"
#include "host/analysis/work_sharing.hpp"

namespace chainshot::host {

struct ShareTask {
  int columns = 1;
  int rows = 1;
  int colors = 2;
  std::uint64_t count_up_to = 0;  // count every board if there are at most so many
  std::uint64_t samples = 0;      // of random boards otherwise; sample i is board i + 1 of `chainshot generate`
  std::uint64_t nodes = 0;        // limit of the search of a sampled board
  std::uint64_t seed = 1;
  int threads = 1;
  std::stop_token stop = {};
  WorkWatcher watcher = {};
};

// Boards of the size, which for a count are all there are.
struct ShareResult {
  bool counted = false;
  bool complete = false;  // false if it was stopped; a count that was stopped says nothing
  std::uint64_t boards = 0;
  std::uint64_t solvable = 0;
  std::uint64_t undecided = 0;  // the search reached its limit
  std::uint64_t searched = 0;   // boards that were searched, after symmetries
  std::uint64_t nodes = 0;

  // The lowest share; undecided boards may add to it.
  double share() const { return boards == 0 ? 0 : static_cast<double>(solvable) / static_cast<double>(boards); }
  // 95 % confidence. Undecided boards count as unsolvable at the low end and as solvable at the high end.
  Interval interval() const;
};

// colors^(columns rows), or nothing if there are 2^63 or more.
std::optional<std::uint64_t> number_of_boards(int columns, int rows, int colors);

ShareResult solvable_share(const ShareTask& task);

}  // namespace chainshot::host
