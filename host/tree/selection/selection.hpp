// Selection rules: how the statistics of a move become the score by which a walk chooses among sibling moves. A rule is
// a small file and a line in kSelectionRules. All scores are in points that count from the parent's position: what was
// earned before it is the same for all siblings.
//
//   score = value + exploration(parent) * width,  width = 1 / sqrt(n),  exploration = range * C * sqrt(ln n(parent))
//
// The tree computes a value when it visits the move and keeps it beside the move, so that a choice costs one
// multiplication and one addition per sibling. (Where the range follows the best score, a value keeps the range of the
// last visit.) The range makes C comparable to the values: the papers' formulas divide the values by it, here it
// multiplies C, which gives the same order of moves.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "host/tree/settings.hpp"

namespace chainshot::host {

struct MoveStatistics {
  double mean = 0;        // of all playouts through the move, with the points of the move itself
  double local_mean = 0;  // without them: avg_local of Klein 2015, 5.5
  double best = 0;        // with the points of the move itself
  double variance = 0;
  double visits = 1;
};

// avg_global of Klein 2015, 5.5, which includes the points of the move; with local normalisation avg_local, which does
// not (6.1).
inline double average_of(const MoveStatistics& move, const SelectionSettings& settings) {
  return settings.normalisation == Normalisation::kLocal ? move.local_mean : move.mean;
}

struct SelectionRule {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  double (*value)(const MoveStatistics& move, const SelectionSettings& settings, double range);
  // The whole score, for rules whose exploration is not C * sqrt(ln n(parent) / n), or nullptr. Slower, because the
  // tree then reads every child.
  double (*score)(const MoveStatistics& move, const SelectionSettings& settings, double c, double range,
                  double parent_visits);
};

std::span<const SelectionRule> selection_rules();
// nullptr if no rule has that name.
const SelectionRule* selection_rule_named(std::string_view name);
// Throws std::invalid_argument if no rule has that name.
const SelectionRule& selection_rule(std::string_view name);
std::string selection_rule_names();  // separated by commas

}  // namespace chainshot::host
