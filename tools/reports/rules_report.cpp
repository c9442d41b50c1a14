#include "tools/reports/rules_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "game/board_text.hpp"
#include "game/scoring_text.hpp"
#include "host/search/policy_settings.hpp"
#include "host/search/registry.hpp"
#include "tools/reports/label_columns.hpp"

namespace chainshot::tools {
namespace {

// One rule: what it is about, what it says, and where it was published.
struct Rule {
  std::string part;
  std::string text;
  std::string source;
};

// A decimal of a probability that is stored as a share of 2^32.
std::string probability(std::uint32_t share) {
  return fmt::format("{:.4g}", share / 4294967296.0);
}

std::string draw_of(const game::Policy& policy) {
  if (policy.kind == game::PolicyKind::kLargestFirst) return "the group with the most blocks; of equals, any";
  if (policy.kind == game::PolicyKind::kRoulette)
    return "first a colour that has a group, then one of its groups, each with the same chance";
  if (policy.by_points) return "a group of n blocks with a chance in proportion to (n-2)^2+1";
  return "each group with the same chance";
}

std::string tabu_of(const game::Policy& policy) {
  const std::string which = policy.kind == game::PolicyKind::kTabuRandom ? "a colour drawn for each playout"
                            : policy.tabu_color >= 0
                                ? fmt::format("colour {}", game::color_letter(policy.tabu_color))
                                : std::string("the colour with the most blocks at the start of the playout");
  return "groups of " + which + " are drawn only where there is no other";
}

std::vector<Rule> rules_of(const game::Policy& policy) {
  std::vector<Rule> rules = {{"draw", draw_of(policy), policy.by_points ? "Klein 2015, section A.6" : ""}};
  if (policy.kind == game::PolicyKind::kRoulette) {
    rules.push_back(
        {"colour",
         "with w(c) = (f(c) - theta)^alpha for the f(c) blocks of colour c, c has a chance in proportion to "
         "the sum of w over the other colours",
         "Takes 2009, section 4"});
    rules.push_back({"alpha", "1 + beta x blocks left / blocks at the start", ""});
    rules.push_back({"beta", fmt::format("{}", policy.beta), ""});
    rules.push_back({"theta", fmt::format("{}", policy.theta), ""});
  }
  if (policy.has_tabu()) {
    rules.push_back({"tabu", tabu_of(policy), "Schadd 2012, section 4.3"});
    if (policy.epsilon != 0)
      rules.push_back({"epsilon", "each move ignores the tabu with probability " + probability(policy.epsilon),
                       "Schadd 2012, section 4.3"});
    if (policy.random_below > 0)
      rules.push_back({"random-below",
                       fmt::format("the tabu is off once {} blocks or fewer are left", policy.random_below),
                       "Klein 2015, section 7.0.6"});
  }
  if (policy.vs_pruning)
    rules.push_back({"vs-pruning",
                     "vertical groups with a block below and nothing above are left out while there are others",
                     "Klein 2015, section 2.4.2"});
  return rules;
}

std::vector<Rule> rules_of(const game::Scoring& scoring) {
  std::vector<Rule> rules = {
      {"points", game::formula_of(scoring.points) + " for a group of n blocks", ""},
      {"left", game::formula_of(scoring.left) + " deducted at the end for n blocks left in all", ""},
      {"left-per-color",
       game::formula_of(scoring.left_per_color) + " deducted at the end for every colour of which n blocks are left",
       ""},
      {"bonus", fmt::format("{} for a cleared board", scoring.clear_bonus), ""}};
  std::erase_if(rules, [](const Rule& rule) { return rule.text.starts_with("0 "); });
  if (rules.empty()) rules.push_back({"points", "0 for everything", ""});
  rules.push_back({"formula", scoring.formula(), ""});
  return rules;
}

std::string text_of(const std::string& head, const std::string& summary, const std::vector<Rule>& rules,
                    const Terminal& terminal) {
  std::size_t label_width = 0;
  for (const Rule& rule : rules)
    label_width = std::max(label_width, rule.part.size());
  std::string out = terminal.bold(head) + '\n' + in_lines(summary, terminal.width()) + '\n';
  for (const Rule& rule : rules)
    out += labelled(rule.part, label_width, with_source(rule.text, rule.source), terminal.width());
  return out;
}

Json json_of(const std::vector<Rule>& rules) {
  Json parts = Json::array();
  for (const Rule& rule : rules)
    parts.push_back({{"part", rule.part}, {"value", rule.text}, {"source", rule.source}});
  return parts;
}

const game::NamedPolicy& named(std::string_view name) {
  return *std::find_if(game::kPolicies.begin(), game::kPolicies.end(),
                       [&](const game::NamedPolicy& policy) { return policy.name == name; });
}

std::string_view source_of(const game::Scoring& scoring) {
  return scoring == game::kStandardScoring     ? "the game of the papers: Schadd 2012, Takes 2009, Klein 2015"
         : game::scoring_named(scoring.name()) ? "built in"
                                               : "given as a formula";
}

}  // namespace

std::optional<PolicyInForce> policy_of(const host::RunPlan& plan) {
  const auto value = [&](std::string_view name) -> std::optional<host::SettingValue> {
    const host::Setting* const row = host::setting_named(plan.kind->settings(), name);
    if (row == nullptr || !row->applies(plan.settings)) return std::nullopt;
    return row->get(plan.settings);
  };
  const auto name = value("policy");
  if (!name) return std::nullopt;
  PolicyInForce found{std::get<std::string>(*name), named(std::get<std::string>(*name)).policy};
  if (const auto v = value("epsilon")) found.policy.epsilon = game::epsilon_from(std::get<double>(*v));
  if (const auto v = value("random-below")) found.policy.random_below = static_cast<int>(std::get<std::int64_t>(*v));
  if (const auto v = value("tabu-color")) found.policy.tabu_color = host::color_named(std::get<std::string>(*v));
  if (const auto v = value("beta")) found.policy.beta = std::get<double>(*v);
  if (const auto v = value("theta")) found.policy.theta = std::get<double>(*v);
  if (const auto v = value("vs-pruning")) found.policy.vs_pruning = std::get<bool>(*v);
  return found;
}

std::string policy_rules_text(const PolicyInForce& policy, const Terminal& terminal) {
  const game::NamedPolicy& known = named(policy.name);
  return text_of("Policy " + policy.name, with_source(known.summary, known.source), rules_of(policy.policy), terminal);
}

std::string scoring_rules_text(const game::Scoring& scoring, const Terminal& terminal) {
  const bool has_name = game::scoring_named(scoring.name()).has_value();
  const std::string summary = has_name ? scoring.summary() : std::string("a scoring of your own");
  return text_of(has_name ? "Scoring " + scoring.name() : std::string("Scoring"),
                 with_source(summary, source_of(scoring)), rules_of(scoring), terminal);
}

Json policy_rules_json(const PolicyInForce& policy) {
  const game::NamedPolicy& known = named(policy.name);
  return {{"policy", policy.name},
          {"summary", known.summary},
          {"source", known.source},
          {"parts", json_of(rules_of(policy.policy))}};
}

Json scoring_rules_json(const game::Scoring& scoring) {
  return {{"scoring", scoring.name()},
          {"summary", scoring.summary()},
          {"source", source_of(scoring)},
          {"formula", scoring.formula()},
          {"parts", json_of(rules_of(scoring))}};
}

}  // namespace chainshot::tools
