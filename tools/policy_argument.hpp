// The options that name a playout policy, its parameters and a scoring variant.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/policy.hpp"
#include "game/scoring.hpp"

namespace chainshot::tools {

struct PolicyArguments {
  std::string policy = "tabu-color-random";
  std::string scoring = "standard";
  std::optional<double> epsilon;
  std::optional<std::string> tabu_color;
  std::optional<int> random_below;
  std::optional<double> beta;
  std::optional<double> theta;
  bool vs_pruning = false;
};

void add_policy_arguments(CLI::App& command, PolicyArguments& arguments);

// Throw InputError: an unknown name with a suggestion, a value out of range, a parameter the policy does not have.
game::Policy policy_named(const std::string& name);
game::Policy policy_from(const PolicyArguments& arguments);
// A taboo on a colour that a board does not have would be silently none.
void expect_tabu_color(const PolicyArguments& arguments, const std::vector<game::NamedBoard>& boards);
game::Scoring scoring_from(const PolicyArguments& arguments);

// The policy and the parameters that were given: `tabu-color-random, epsilon 0.003`.
std::string policy_text(const PolicyArguments& arguments);

}  // namespace chainshot::tools
