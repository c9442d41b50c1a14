#include "game/policy_choice.hpp"

#include <cctype>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "game/suggest.hpp"

namespace chainshot::game {
namespace {

[[noreturn]] void refuse(const std::string& sentence) {
  throw std::invalid_argument(sentence);
}

int color_from(const std::string& text) {
  for (int color = 0; color < kMaxColors; ++color)
    if (text.size() == 1 && std::toupper(static_cast<unsigned char>(text[0])) == color_letter(color)) return color;
  refuse("--tabu-color " + text + ": not a colour; expected a digit or letter 0-9, A-E");
}

void expect_applies(bool given, bool applies, const std::string& option, const std::string& policy,
                    const std::string& where) {
  if (given && !applies) refuse(option + " does not apply to policy " + policy + "; expected it with " + where);
}

// Each message names the policies that the parameter applies to, so that the user knows what to use instead.
void expect_all_apply(const PolicyChoice& choice, const Policy& policy) {
  const bool roulette = policy.kind == PolicyKind::kRoulette;
  const std::string tabu = "a policy that begins with tabu";
  expect_applies(choice.epsilon.has_value(), policy.has_tabu(), "--epsilon", choice.policy, tabu);
  expect_applies(choice.random_below.has_value(), policy.has_tabu(), "--random-below", choice.policy, tabu);
  expect_applies(choice.tabu_color.has_value(), policy.kind == PolicyKind::kTabuColorRandom, "--tabu-color",
                 choice.policy, "tabu-color-random, tabu-color-weighted or tabu48");
  expect_applies(choice.beta.has_value(), roulette, "--beta", choice.policy, "roulette");
  expect_applies(choice.theta.has_value(), roulette, "--theta", choice.policy, "roulette");
}

// The comparison refuses NaN, too.
void expect_range(double value, double highest, const std::string& option, const std::string& range) {
  if (!(value >= 0 && value <= highest)) refuse(option + " is out of range; expected a number from 0 to " + range);
}

Policy named(const std::string& name) {
  if (const auto policy = policy_named(name)) return *policy;
  std::vector<std::string> names;
  for (const NamedPolicy& known : kPolicies)
    names.emplace_back(known.name);
  refuse(unknown_name("policy", name, names));
}

}  // namespace

Policy policy_from(const PolicyChoice& choice) {
  Policy policy = named(choice.policy);
  expect_all_apply(choice, policy);
  if (choice.epsilon) {
    expect_range(*choice.epsilon, 1, "--epsilon", "1");
    policy.epsilon = epsilon_from(*choice.epsilon);
  }
  if (choice.tabu_color) policy.tabu_color = color_from(*choice.tabu_color);
  if (choice.random_below) {
    expect_range(*choice.random_below, kMaxCells, "--random-below", std::to_string(kMaxCells));
    policy.random_below = *choice.random_below;
  }
  if (choice.beta) {
    expect_range(*choice.beta, RouletteTable::kMostBeta, "--beta", "8");
    policy.beta = *choice.beta;
  }
  if (choice.theta) {
    expect_range(*choice.theta, kMaxCells, "--theta", std::to_string(kMaxCells));
    policy.theta = *choice.theta;
  }
  policy.vs_pruning = choice.vs_pruning;
  return policy;
}

void expect_tabu_color(const std::string& letter, const NamedBoard& board) {
  const auto wanted = static_cast<std::size_t>(color_from(letter));
  const auto counts = board.position.color_counts();
  if (counts[wanted] > 0) return;
  std::string colors;
  for (std::size_t color = 0; color < counts.size(); ++color)
    if (counts[color] > 0) colors += std::string(" ") + color_letter(static_cast<int>(color));
  refuse("--tabu-color " + letter + ": board " + board.name + " has no such colour; expected one of" +
         (colors.empty() ? " none: it is empty" : colors));
}

}  // namespace chainshot::game
