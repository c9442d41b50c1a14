// Scoring variants as data: polynomials for the points of a group and for what is deducted at the end of a game, and
// the bonus for a cleared board. Five have names; game/scoring_text.hpp reads others from formulas. Scores are exact
// where game/scoring_bounds.hpp has no objection to the scoring on a board.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "game/geometry.hpp"
#include "game/polynomial.hpp"

namespace chainshot::game {

struct Scoring {
  Polynomial points = {};          // of a group of n blocks
  Polynomial left = {};            // deducted at the end for n > 0 blocks left in all
  Polynomial left_per_color = {};  // deducted at the end for every colour of which n > 0 blocks are left
  std::int32_t clear_bonus = 0;    // added at the end instead if no block is left

  constexpr bool scores_groups() const { return !points.is_zero(); }

  CHAINSHOT_HD constexpr int group_points(int n) const { return points.at(n); }

  // Returns the points that the end of the game adds with `blocks` left on the board, `by_color` being left_per_color
  // added up over the colours left.
  CHAINSHOT_HD constexpr int final_points(int blocks, int by_color) const {
    return blocks == 0 ? clear_bonus : -left.at(blocks) - by_color;
  }
  // The same, given the blocks left of every colour.
  CHAINSHOT_HD constexpr int final_points(std::span<const int> left_by_color) const {
    int blocks = 0, by_color = 0;
    for (const int n : left_by_color) {
      blocks += n;
      if (n > 0) by_color += left_per_color.at(n);
    }
    return final_points(blocks, by_color);
  }

  // The name of a built-in scoring, else the formula.
  std::string name() const;
  // A sentence without its period: of a built-in scoring in words, else the formula.
  std::string summary() const;
  // `points=(n-2)^2; left-per-color=(n-2)^2; bonus=1000`. Equal scorings have equal formulas.
  std::string formula() const;

  bool operator==(const Scoring&) const = default;
};

inline constexpr Polynomial kSquareLessTwo = {4, -4, 1};  // (n - 2)^2

// standard, total, bubble-breaker, clickomania and points.
inline constexpr std::array<Scoring, 5> kScorings = {{
    {.points = kSquareLessTwo, .left_per_color = kSquareLessTwo, .clear_bonus = 1000},
    {.points = kSquareLessTwo, .left = kSquareLessTwo, .clear_bonus = 1000},
    {.points = {0, -1, 1}},
    {.left = {0, 1}},
    {.points = kSquareLessTwo},
}};
inline constexpr const Scoring& kStandardScoring = kScorings[0];

// A built-in scoring.
std::optional<Scoring> scoring_named(std::string_view name);

}  // namespace chainshot::game
