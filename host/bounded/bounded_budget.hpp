// The counted budget of a search led by bounds: `nodes` are positions expanded, again counted each time, and
// `evaluations` are moves whose bound was computed. The search never counts more than the budget allows.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <utility>

#include "host/search/search.hpp"

namespace chainshot::host {

// Large boards never reach the end of a line, so one in so many of the positions that are expanded, the first included,
// is played to its end greedily. Those games are not counted; they take some 3 % of the time.
inline constexpr std::uint64_t kNodesPerGame = 256;

class BoundedBudget {
 public:
  explicit BoundedBudget(const Budget& budget) : budget_(budget) {}
  void begin(std::stop_token stop) { stop_ = std::move(stop); }

  // Counts the expansion of a position with so many moves. Returns false, and counts nothing, if the budget does not
  // allow it or a stop was requested.
  bool expand(int moves) {
    const std::uint64_t nodes = nodes_ + 1, evaluations = evaluations_ + static_cast<std::uint64_t>(moves);
    if (budget_.nodes > 0 && nodes > budget_.nodes) return false;
    if (budget_.playouts > 0 && evaluations > budget_.playouts) return false;
    if (stop_.stop_requested()) return false;
    nodes_ = nodes;
    evaluations_ = evaluations;
    return true;
  }
  // Whether the position just counted is to be played to its end.
  bool is_game_due() const { return nodes_ % kNodesPerGame == 1; }
  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  const Budget budget_;
  std::stop_token stop_;
  std::atomic<std::uint64_t> nodes_ = 0, evaluations_ = 0;  // one thread writes, another may read
};

}  // namespace chainshot::host
