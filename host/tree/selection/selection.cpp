#include "host/tree/selection/selection.hpp"

#include <stdexcept>

#include "host/tree/selection/sp_mcts.hpp"
#include "host/tree/selection/third_average.hpp"
#include "host/tree/selection/third_average_plus.hpp"
#include "host/tree/selection/third_top.hpp"
#include "host/tree/selection/top_score.hpp"
#include "host/tree/selection/ucb1_tuned.hpp"
#include "host/tree/selection/uct.hpp"

namespace chainshot::host {
namespace {

constexpr std::array kSelectionRules = std::to_array<SelectionRule>({
    {"uct", "average and the width of its confidence", "Kocsis 2006; Klein 2015, 6.1", uct_value, nullptr},
    {"sp-mcts", "uct with a term for the deviation", "Schadd 2012, 4.2", sp_mcts_value, nullptr},
    {"ucb1-tuned", "uct with a width that follows the variance", "Auer 2002; Klein 2015, 6.5", uct_value,
     ucb1_tuned_score},
    {"third-average", "uct with the average below the move added", "Klein 2015, 6.3", third_average_value, nullptr},
    {"third-average+", "uct with the average through the move added again", "Klein 2015, 6.10.1",
     third_average_plus_value, nullptr},
    {"top-score", "uct on the best score instead of the average", "Klein 2015, 6.5", top_score_value, nullptr},
    {"third-top", "top-score with the best score below the move added", "Klein 2015, 6.10.2", third_top_value, nullptr},
});

}  // namespace

std::span<const SelectionRule> selection_rules() {
  return kSelectionRules;
}

const SelectionRule* selection_rule_named(std::string_view name) {
  for (const SelectionRule& rule : kSelectionRules)
    if (rule.name == name) return &rule;
  return nullptr;
}

const SelectionRule& selection_rule(std::string_view name) {
  if (const SelectionRule* rule = selection_rule_named(name)) return *rule;
  throw std::invalid_argument("there is no selection rule '" + std::string(name) + "'; expected one of " +
                              selection_rule_names());
}

std::string selection_rule_names() {
  std::string names;
  for (const SelectionRule& rule : kSelectionRules)
    names += (names.empty() ? "" : ", ") + std::string(rule.name);
  return names;
}

}  // namespace chainshot::host
