// Keeps the best line of a board, whichever search found it. The reference rules replay every line before it is
// accepted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <string_view>
#include <vector>

#include "game/position.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

struct BestLine {
  int score = std::numeric_limits<int>::min();
  std::vector<game::Cell> moves;
  std::string_view source;    // the search that found it
  std::uint64_t version = 0;  // counts improvements; 0: no line yet
};

class Incumbent {
 public:
  // Called for every improvement, one at a time, in order of score.
  using Watcher = std::function<void(const BestLine&)>;

  explicit Incumbent(const SearchTask& task, Watcher watcher = {});

  // Returns the best score so far without taking a lock.
  int score() const { return score_.load(std::memory_order_relaxed); }
  BestLine best() const;
  // Accepts a line if it scores more than the best one and returns true. `source` must outlive the incumbent. Throws
  // std::logic_error if the reference rules find another score, which means that the search has a bug.
  bool offer(int score, const std::vector<game::Cell>& moves, std::string_view source);

 private:
  const SearchTask task_;
  Watcher watcher_;
  std::atomic<int> score_{std::numeric_limits<int>::min()};
  mutable std::mutex mutex_;
  BestLine best_;
};

}  // namespace chainshot::host
