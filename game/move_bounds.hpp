// Upper bounds of the positions after each move, computed from the colour counts alone: the same numbers as
// Position::upper_bound, the over-estimator of game/scoring_bounds.hpp, without making the positions.
#pragma once

#include <algorithm>
#include <array>

#include "game/position.hpp"
#include "game/scoring.hpp"
#include "game/scoring_bounds.hpp"

namespace chainshot::game {

class MoveBounds {
 public:
  MoveBounds(const Position& position, const Scoring& scoring)
      : bounds_(ScoringBounds::of(scoring)), clear_bonus_(scoring.clear_bonus), counts_(position.color_counts()) {
    for (const int n : counts_) {
      sum_ += bounds_.most_of_color(n);
      singles_ += n == 1;
      blocks_ += n;
    }
  }
  int most_frequent_color() const { return most_frequent(counts_); }
  // The bound of the position itself.
  int now() const { return bound(sum_, singles_, blocks_); }
  // The bound of the position after a move that takes `size` blocks of `color`.
  int after(int color, int size) const {
    const int before = counts_[static_cast<std::size_t>(color)], left = before - size;
    return bound(sum_ - bounds_.most_of_color(before) + bounds_.most_of_color(left), singles_ + (left == 1),
                 blocks_ - size);
  }

 private:
  // A colour with a single block left keeps the board from being cleared.
  int bound(int sum, int singles, int blocks) const {
    const int end = bounds_.most_at_end(blocks);
    return sum + (singles == 0 ? std::max(end, clear_bonus_) : end);
  }

  const ScoringBounds& bounds_;  // of this thread: a MoveBounds is used at once and by one thread
  const int clear_bonus_;
  std::array<int, kMaxColors> counts_;
  int sum_ = 0;
  int singles_ = 0;
  int blocks_ = 0;
};

}  // namespace chainshot::game
