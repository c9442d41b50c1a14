// The answer of `--explain` about the rules of playouts and scores: how a policy draws its moves, and the formulas of a
// scoring, as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "game/policy.hpp"
#include "game/scoring.hpp"
#include "host/run/run_plan.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// A playout policy with its parameters.
struct PolicyInForce {
  std::string name;
  game::Policy policy;
};
// Returns nothing if the search plays no random games.
std::optional<PolicyInForce> policy_of(const host::RunPlan& plan);

std::string policy_rules_text(const PolicyInForce& policy, const Terminal& terminal);
std::string scoring_rules_text(const game::Scoring& scoring, const Terminal& terminal);

Json policy_rules_json(const PolicyInForce& policy);
Json scoring_rules_json(const game::Scoring& scoring);

}  // namespace chainshot::tools
