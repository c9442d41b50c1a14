// Scorings for tests that must hold for all of them: the built-in ones, and formulas that break what those share. Under
// them many small groups may earn more than a large one, groups may cost points, blocks that are left may pay, and
// clearing the board may cost.
#pragma once

#include <vector>

#include "game/scoring.hpp"
#include "game/scoring_text.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::tests {

inline const std::vector<game::Scoring>& scoring_cases() {
  static const std::vector<game::Scoring> kCases = [] {
    std::vector<game::Scoring> cases(game::kScorings.begin(), game::kScorings.end());
    for (const char* const formula : {
             "points=(n-2)^3; left-per-color=n; bonus=500",
             "points=12-n; left=n^2; bonus=-30",
             "points=-n^2; left-per-color=3-n",
             "points=n^2; left=20-n^2; left-per-color=n^2-5n; bonus=7",
             "points=7",
         })
      cases.push_back(game::parse_scoring(formula));
    return cases;
  }();
  return kCases;
}

// Goes through the cases again and again.
inline const game::Scoring& scoring_case(int number) {
  return scoring_cases()[static_cast<std::size_t>(number) % scoring_cases().size()];
}

inline game::Polynomial random_polynomial(Dice& dice, int degree) {
  game::Polynomial polynomial;
  for (int power = 0; power <= degree; ++power)
    polynomial.set(power, dice.between(-5, 5));
  return polynomial;
}

// A case, or a scoring of random polynomials whose scores fit into 32 bits on every board.
inline game::Scoring random_scoring(Dice& dice) {
  if (dice.one_in(2)) return scoring_case(dice.below(static_cast<int>(scoring_cases().size())));
  game::Scoring scoring;
  scoring.points = random_polynomial(dice, dice.below(3));
  if (dice.one_in(3)) scoring.points.set(3, dice.between(-1, 1));
  if (dice.one_in(2)) scoring.left = random_polynomial(dice, dice.below(3));
  if (dice.one_in(2)) scoring.left_per_color = random_polynomial(dice, dice.below(3));
  if (dice.one_in(2)) scoring.clear_bonus = dice.between(-2000, 2000);
  return scoring;
}

}  // namespace chainshot::tests
