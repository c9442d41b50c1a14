// What a scoring can give on a board, whatever its polynomials: upper bounds for searches that prune, and the range of
// scores, by which a scoring is refused that could leave the integers of the engines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

struct PointRange {
  std::int64_t least = 0, most = 0;
  std::int64_t width() const { return most - least; }
};

// The over-estimator of Schadd 2012, section 3, for any polynomials. The paper's joins the blocks of every colour into
// one group, which is the most they can earn only where points grow fast enough; here they form whatever groups earn
// most, and some may stay. Of the deductions it counts only what they give instead of take, because few positions can
// tell early what will be left.
class ScoringBounds {
 public:
  explicit ScoringBounds(const Scoring& scoring);
  // The bounds of a scoring, whatever its bonus. Each thread keeps those of the last few; the reference holds until the
  // thread has asked for several others.
  static const ScoringBounds& of(const Scoring& scoring);

  // No n blocks of one colour add more to the score, but for what is deducted for all blocks together.
  int most_of_color(int n) const { return most_of_color_[static_cast<std::size_t>(n)]; }
  // Nor does the end of a game add more for all blocks together, if up to n > 0 are left. The least of all for n = 0.
  int most_at_end(int n) const { return most_at_end_[static_cast<std::size_t>(n)]; }

  // Ranges for up to n blocks, exact up to 10^15: what groups of one colour earn together at any time of a game, and
  // what is added at the end for blocks left of a colour, and in all.
  const PointRange& earned_of_color(int n) const { return earned_[static_cast<std::size_t>(n)]; }
  const PointRange& left_of_color(int n) const { return left_of_color_[static_cast<std::size_t>(n)]; }
  const PointRange& left_in_all(int n) const { return left_in_all_[static_cast<std::size_t>(n)]; }

 private:
  std::vector<PointRange> earned_, left_of_color_, left_in_all_;
  std::vector<int> most_of_color_, most_at_end_;
};

// Points of a game of this position. No game leaves the ranges; not every value in them can be reached.
PointRange earned_range(const Scoring& scoring, const Position& position);  // by groups, at any time of the game
PointRange score_range(const Scoring& scoring, const Position& position);   // with what the end adds

// The least value of points earned + upper bound that a search can meet.
int least_estimate(const Scoring& scoring, const Position& position);

// What was tuned in points of the built-in scorings is multiplied by this under a scoring by formula: what `blocks`
// blocks of a colour earn, as a multiple of what they earn in the standard scoring. 1 for the built-in ones.
double points_scale(const Scoring& scoring, int blocks);

// Scores stay within this either way, so that sums and differences of them, and what annealing adds for temperature,
// fit into 32 bits.
inline constexpr int kMostScore = 1 << 26;

// Whether neither the points of a game nor its score can go beyond `most` either way.
bool stays_within(std::int64_t most, const Scoring& scoring, const Position& position);
// Returns one sentence if points of a game could go beyond `most` either way; else an empty string.
std::string score_objection(const Scoring& scoring, const Position& position, const std::string& board,
                            std::int64_t most = kMostScore);

}  // namespace chainshot::game
