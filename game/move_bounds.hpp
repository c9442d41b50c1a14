// Upper bounds of the positions after each move, computed from the colour counts alone: the same numbers as
// Position::upper_bound, the over-estimator of Schadd 2012, section 3, without making the positions.
#pragma once

#include <array>

#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

class MoveBounds {
 public:
  MoveBounds(const Position& position, const Scoring& scoring) : scoring_(scoring), counts_(position.color_counts()) {
    for (const int n : counts_) {
      sum_ += n >= 2 ? scoring.group_points(n) : 0;
      singles_ += n == 1;
    }
  }
  int most_frequent_color() const { return most_frequent(counts_); }
  // The bound of the position after a move that takes `size` blocks of `color`.
  int after(int color, int size) const {
    const int before = counts_[static_cast<std::size_t>(color)], left = before - size;
    const int sum = sum_ - scoring_.group_points(before) + (left >= 2 ? scoring_.group_points(left) : 0);
    return sum + (singles_ + (left == 1) == 0 ? scoring_.clear_bonus : 0);
  }

 private:
  const Scoring& scoring_;
  std::array<int, kMaxColors> counts_;
  int sum_ = 0;
  int singles_ = 0;
};

}  // namespace chainshot::game
