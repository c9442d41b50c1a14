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
  std::string policy = "tabu-color-random";  // empty: that of a preset, which is named elsewhere
  std::string scoring = "standard";
  std::optional<double> epsilon = {};
  std::optional<std::string> tabu_color = {};
  std::optional<int> random_below = {};
  std::optional<double> beta = {};
  std::optional<double> theta = {};
  bool vs_pruning = false;
};

// All of them; or --policy and its parameters, and --scoring, for commands that mean more by --vs-pruning.
void add_policy_arguments(CLI::App& command, PolicyArguments& arguments);
void add_policy_parameters(CLI::App& command, PolicyArguments& arguments);
void add_scoring_argument(CLI::App& command, std::string& scoring);

// Throw InputError: an unknown name with a suggestion, a value out of range, a parameter the policy does not have.
game::Policy policy_named(const std::string& name);
game::Policy policy_from(const PolicyArguments& arguments);
// `policy` with the parameters that were given.
game::Policy with_parameters(game::Policy policy, const PolicyArguments& arguments);
// A tabu on a colour that a board does not have would silently be none.
void expect_tabu_color(const std::string& letter, const std::vector<game::NamedBoard>& boards);
game::Scoring scoring_from(const std::string& name);

// The policy and the parameters that were given: `tabu-color-random, epsilon 0.003`.
std::string policy_text(const PolicyArguments& arguments);

}  // namespace chainshot::tools
