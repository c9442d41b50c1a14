// The options that choose a playout policy, its parameters and a scoring. A parameter that the policy does not have is
// refused.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/policy_choice.hpp"
#include "game/scoring.hpp"
#include "game/scoring_bounds.hpp"

namespace chainshot::tools {

struct PolicyArguments : game::PolicyChoice {
  std::string scoring = "standard";
};

// Adds --policy with its parameters, --vs-pruning and --scoring.
void add_policy_arguments(CLI::App& command, PolicyArguments& arguments);
void add_scoring_argument(CLI::App& command, std::string& scoring);
// What --scoring takes, for the help of an option.
std::string scoring_choices();

// These throw InputError for an unknown name (with a suggestion), a value out of range, or a parameter that the policy
// does not have.
game::Policy policy_named(const std::string& name);
game::Policy policy_from(const PolicyArguments& arguments);
// Throws InputError if a board does not have the colour: the tabu would silently do nothing.
void expect_tabu_color(const std::string& letter, const std::vector<game::NamedBoard>& boards);
game::Scoring scoring_from(const std::string& name);  // or a formula

// Throws InputError if a game of a board could reach a score beyond `most` either way. `what` needs that limit.
void expect_scores_fit(const game::Scoring& scoring, const std::vector<game::NamedBoard>& boards,
                       std::int64_t most = game::kMostScore, const std::string& what = "");

// Describes the policy and the given parameters: `tabu-color-random, epsilon 0.003`.
std::string policy_text(const PolicyArguments& arguments);

}  // namespace chainshot::tools
