// Selection rules: how the statistics of a move become the score by which a walk chooses among its siblings. A rule is
// a small file and a line in kSelectionRules. All scores are in points, and counted from the parent's position: what
// was earned before it is the same for all siblings.
//
//   score = value + exploration(parent) * width,  width = 1 / sqrt(n),  exploration = range * C * sqrt(ln n(parent))
//
// A value is written when its move is visited and kept beside it (with a range that follows the best score the D of
// SP-MCTS is then that of the last visit), and a choice is one multiplication and one addition for each. The range
// makes C comparable to the values (Tree::range_of): a paper's formula divides the values by it, here it multiplies C,
// which is the same order of moves.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "host/tree/settings.hpp"

namespace chainshot::host {

struct MoveStatistics {
  double mean = 0;        // of all that was scored through it, with its own points
  double local_mean = 0;  // without them: avg_local of Klein 2015, 5.5
  double best = 0;        // with its own points
  double variance = 0;
  double visits = 1;
};

// avg_global of Klein 2015, 5.5, which has the points of the move in it, but with local normalisation avg_local, which
// has not (6.1).
inline double average_of(const MoveStatistics& move, const SelectionSettings& settings) {
  return settings.normalisation == Normalisation::kLocal ? move.local_mean : move.mean;
}

struct SelectionRule {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  double (*value)(const MoveStatistics& move, const SelectionSettings& settings, double range);
  // For rules whose exploration is not C * sqrt(ln n(parent) / n): the whole score. Slower: it reads every node.
  double (*score)(const MoveStatistics& move, const SelectionSettings& settings, double c, double range,
                  double parent_visits);
};

std::span<const SelectionRule> selection_rules();
// nullptr if there is none of that name.
const SelectionRule* selection_rule_named(std::string_view name);
// Throws std::invalid_argument instead.
const SelectionRule& selection_rule(std::string_view name);
std::string selection_rule_names();  // separated by commas

}  // namespace chainshot::host
