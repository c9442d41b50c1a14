// A playout policy as a user chooses it: by name, with parameters. A parameter that the policy does not have is
// refused.
#pragma once

#include <optional>
#include <string>

#include "game/board_text.hpp"
#include "game/policy.hpp"

namespace chainshot::game {

struct PolicyChoice {
  std::string policy = "tabu-color-random";
  std::optional<double> epsilon = {};
  std::optional<std::string> tabu_color = {};  // as boards write it: a digit or letter
  std::optional<int> random_below = {};
  std::optional<double> beta = {};
  std::optional<double> theta = {};
  bool vs_pruning = false;
};

// These throw std::invalid_argument with one sentence, which calls a parameter by its option: `--epsilon`. The first is
// for an unknown name (with a suggestion), a value out of range, or a parameter that the policy does not have.
Policy policy_from(const PolicyChoice& choice);
// For a board that does not have the colour: the tabu would silently do nothing.
void expect_tabu_color(const std::string& letter, const NamedBoard& board);

}  // namespace chainshot::game
