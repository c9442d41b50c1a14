// The best line known of a game that is searched move by move. It always begins with the moves made so far: the search
// forgets it when it makes another move.
#pragma once

#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "game/position.hpp"
#include "host/search/search.hpp"
#include "host/tree/moves/move_choice.hpp"

namespace chainshot::host {

inline constexpr int kNoScore = std::numeric_limits<int>::min();

class GameLine {
 public:
  // From any thread.
  int score() const { return score_.load(std::memory_order_relaxed); }
  void offer(ScoredLine line) {
    const std::lock_guard lock(mutex_);
    if (line.score <= line_.score) return;
    line_ = std::move(line);
    score_ = line_.score;
  }

  // These only while nobody offers a line.
  bool is_known() const { return score() != kNoScore; }
  void forget() {
    line_ = {};
    score_ = kNoScore;
  }
  // How the line goes on after its first `moves` moves, if it does.
  std::optional<KnownLine> after(std::size_t moves) const {
    if (line_.moves.size() <= moves) return std::nullopt;
    return KnownLine{line_.moves[moves], line_.score};
  }

 private:
  std::mutex mutex_;
  ScoredLine line_;
  std::atomic<int> score_ = kNoScore;
};

}  // namespace chainshot::host
