#include "tools/options/policy_argument.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "game/scoring_text.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

void add_policy_parameters(CLI::App& command, PolicyArguments& a) {
  std::string names;
  for (const game::NamedPolicy& named : game::kPolicies)
    names += (names.empty() ? "" : ", ") + std::string(named.name);
  command.add_option("--policy", a.policy, "how playouts pick a move: " + names + " (default " + a.policy + ")")
      ->type_name("NAME");
  command.add_option("--epsilon", a.epsilon, "probability that a move ignores the tabu")
      ->type_name("P")
      ->transform(real_number(0, 1));
  command.add_option("--tabu-color", a.tabu_color, "colour to keep for last (default the most frequent one)")
      ->type_name("C");
  command.add_option("--random-below", a.random_below, "lift the tabu once this many blocks or fewer are left")
      ->type_name("X")
      ->transform(whole_number(0, game::kMaxCells));
  command.add_option("--beta", a.beta, "roulette: alpha = 1 + beta x blocks left / blocks at the start (default 4)")
      ->type_name("B")
      ->transform(real_number(0, game::RouletteTable::kMostBeta));
  command.add_option("--theta", a.theta, "roulette: subtracted from every colour's count (default 1)")
      ->type_name("T")
      ->transform(real_number(0, game::kMaxCells));
}

game::Scoring scoring_of_formula(const std::string& formula) {
  try {
    return game::parse_scoring(formula);
  } catch (const game::ScoringError& error) {
    throw InputError(fmt::format("--scoring {}: character {}: {}", formula, error.offset() + 1, error.what()));
  }
}

}  // namespace

std::string scoring_choices() {
  std::string names;
  for (const game::Scoring& known : game::kScorings)
    names += known.name() + ", ";
  return names + "or a formula such as 'points=n^2-n; bonus=500'";
}

void add_policy_arguments(CLI::App& command, PolicyArguments& a) {
  add_policy_parameters(command, a);
  command.add_flag("--vs-pruning", a.vs_pruning, "prune moves in vertical segments that nothing rests on (Klein 2015)");
  add_scoring_argument(command, a.scoring);
}

void add_scoring_argument(CLI::App& command, std::string& scoring) {
  command.add_option("--scoring", scoring, "scoring: " + scoring_choices() + " (default standard)")->type_name("NAME");
}

game::Policy policy_named(const std::string& name) {
  try {
    return game::policy_from({.policy = name});
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

game::Policy policy_from(const PolicyArguments& a) try {
  return game::policy_from(a);
} catch (const std::invalid_argument& error) {
  throw InputError(error.what());
}

void expect_tabu_color(const std::string& letter, const std::vector<game::NamedBoard>& boards) try {
  for (const game::NamedBoard& board : boards)
    game::expect_tabu_color(letter, board);
} catch (const std::invalid_argument& error) {
  throw InputError(error.what());
}

game::Scoring scoring_from(const std::string& name) {
  if (game::is_formula(name)) return scoring_of_formula(name);
  if (const auto scoring = game::scoring_named(name)) return *scoring;
  std::vector<std::string> names;
  for (const game::Scoring& scoring : game::kScorings)
    names.push_back(scoring.name());
  const std::string sentence = unknown_name("scoring", name, names);
  throw InputError(sentence + (sentence.ends_with('?') ? "" : ", or a formula like 'points=n^2-n; bonus=500'"));
}

void expect_scores_fit(const game::Scoring& scoring, const std::vector<game::NamedBoard>& boards, std::int64_t most,
                       const std::string& what) {
  for (const game::NamedBoard& board : boards) {
    const std::string objection = game::score_objection(scoring, board.position, "board " + board.name, most);
    if (!objection.empty()) throw InputError(objection + (what.empty() ? "" : " for " + what));
  }
}

std::string policy_text(const PolicyArguments& a) {
  std::string text = a.policy;
  if (a.epsilon) text += fmt::format(", epsilon {}", *a.epsilon);
  if (a.tabu_color) text += fmt::format(", tabu colour {}", *a.tabu_color);
  if (a.random_below) text += fmt::format(", random below {}", *a.random_below);
  if (a.beta) text += fmt::format(", beta {}", *a.beta);
  if (a.theta) text += fmt::format(", theta {}", *a.theta);
  if (a.vs_pruning) text += ", VS-pruning";
  return text;
}

}  // namespace chainshot::tools
