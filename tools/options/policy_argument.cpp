#include "tools/options/policy_argument.hpp"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

int color_from(const std::string& text) {
  for (int color = 0; color < game::kMaxColors; ++color)
    if (text.size() == 1 && std::toupper(static_cast<unsigned char>(text[0])) == game::color_letter(color))
      return color;
  throw InputError(fmt::format("--tabu-color {}: not a colour; expected a digit or letter 0-9, A-E", text));
}

void expect_applies(bool given, bool applies, std::string_view option, const std::string& policy,
                    std::string_view where) {
  if (given && !applies)
    throw InputError(fmt::format("{} does not apply to policy {}; expected it with {}", option, policy, where));
}

// Each message names the policies that the parameter applies to, so that the user knows what to use instead.
void expect_all_apply(const PolicyArguments& a, const game::Policy& policy) {
  const bool roulette = policy.kind == game::PolicyKind::kRoulette;
  constexpr std::string_view kTabu = "a policy that begins with tabu";
  expect_applies(a.epsilon.has_value(), policy.has_tabu(), "--epsilon", a.policy, kTabu);
  expect_applies(a.random_below.has_value(), policy.has_tabu(), "--random-below", a.policy, kTabu);
  expect_applies(a.tabu_color.has_value(), policy.kind == game::PolicyKind::kTabuColorRandom, "--tabu-color", a.policy,
                 "tabu-color-random, tabu-color-weighted or tabu48");
  expect_applies(a.beta.has_value(), roulette, "--beta", a.policy, "roulette");
  expect_applies(a.theta.has_value(), roulette, "--theta", a.policy, "roulette");
}

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

// Returns `policy` with the parameters that were given.
game::Policy with_parameters(game::Policy policy, const PolicyArguments& a) {
  expect_all_apply(a, policy);
  if (a.epsilon) policy.epsilon = game::epsilon_from(*a.epsilon);
  if (a.tabu_color) policy.tabu_color = color_from(*a.tabu_color);
  if (a.random_below) policy.random_below = *a.random_below;
  if (a.beta) policy.beta = *a.beta;
  if (a.theta) policy.theta = *a.theta;
  return policy;
}

}  // namespace

void add_policy_arguments(CLI::App& command, PolicyArguments& a) {
  add_policy_parameters(command, a);
  command.add_flag("--vs-pruning", a.vs_pruning, "prune moves in vertical segments that nothing rests on (Klein 2015)");
  add_scoring_argument(command, a.scoring);
}

void add_scoring_argument(CLI::App& command, std::string& scoring) {
  std::string names;
  for (const game::Scoring& known : game::kScorings)
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  command.add_option("--scoring", scoring, "scoring: " + names + " (default standard)")->type_name("NAME");
}

game::Policy policy_named(const std::string& name) {
  if (const auto policy = game::policy_named(name)) return *policy;
  std::vector<std::string> names;
  for (const game::NamedPolicy& named : game::kPolicies)
    names.emplace_back(named.name);
  throw InputError(unknown_name("policy", name, names));
}

game::Policy policy_from(const PolicyArguments& a) {
  game::Policy policy = with_parameters(policy_named(a.policy), a);
  policy.vs_pruning = a.vs_pruning;
  return policy;
}

void expect_tabu_color(const std::string& letter, const std::vector<game::NamedBoard>& boards) {
  const auto wanted = static_cast<std::size_t>(color_from(letter));
  for (const game::NamedBoard& board : boards) {
    const auto counts = board.position.color_counts();
    if (counts[wanted] > 0) continue;
    std::string colors;
    for (std::size_t color = 0; color < counts.size(); ++color)
      if (counts[color] > 0) colors += std::string(" ") + game::color_letter(static_cast<int>(color));
    throw InputError(fmt::format("--tabu-color {}: board {} has no such colour; expected one of{}", letter, board.name,
                                 colors.empty() ? " none: it is empty" : colors));
  }
}

game::Scoring scoring_from(const std::string& name) {
  if (const auto scoring = game::scoring_named(name)) return *scoring;
  std::vector<std::string> names;
  for (const game::Scoring& scoring : game::kScorings)
    names.emplace_back(scoring.name);
  throw InputError(unknown_name("scoring", name, names));
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
