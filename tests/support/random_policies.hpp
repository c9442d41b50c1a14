// Makes policies with random parameters, for comparisons that must hold for all of them.
#pragma once

#include "game/policy.hpp"
#include "game/random.hpp"
#include "game/scoring.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"

namespace chainshot::tests {

inline std::uint32_t random_epsilon(Dice& dice) {
  switch (dice.below(5)) {
    case 0:
      return game::epsilon_from(0.003);
    case 1:
      return static_cast<std::uint32_t>(dice.word());
    case 2:
      return 0xffffffffu;
    default:
      return 0;
  }
}

// Chooses among the policies that play in lanes: the first four kinds. Largest-first, the fifth, does not;
// random_policy adds it.
inline game::Policy random_lane_policy(Dice& dice, const game::Position& position) {
  game::Policy policy;
  policy.kind = static_cast<game::PolicyKind>(dice.below(4));
  policy.epsilon = random_epsilon(dice);
  if (dice.one_in(3)) policy.tabu_color = dice.below(game::kMaxColors);
  if (dice.one_in(3)) policy.random_below = dice.below(position.columns() * position.rows() + 1);
  if (dice.one_in(3)) policy.beta = dice.below(800) / 100.0;
  if (dice.one_in(3)) policy.theta = dice.below(300) / 100.0;
  if (dice.one_in(3)) policy.full_cells = position.columns() * position.rows() + dice.below(20);
  return policy;
}

inline game::Policy random_policy(Dice& dice, const game::Position& position) {
  game::Policy policy = random_lane_policy(dice, position);
  if (dice.one_in(6)) policy.kind = game::PolicyKind::kLargestFirst;
  if (dice.one_in(6)) policy.vs_pruning = true;
  if (dice.one_in(6)) policy.by_points = true;
  return policy;
}

inline game::PlayoutKey random_key(Dice& dice) {
  return {dice.word(), dice.word(), static_cast<std::uint32_t>(dice.word())};
}

}  // namespace chainshot::tests
