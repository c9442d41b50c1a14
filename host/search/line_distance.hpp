// How different two lines of a board are, and which of many lines to keep so that they differ from each other. Two
// lines are alike where they remove the same groups, block for block, in whatever order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "game/position.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

// The groups that a line removes, each as a hash of the blocks of the first position that it consists of; sorted.
using LineGroups = std::vector<std::uint64_t>;

// Expects a legal line.
LineGroups groups_of_line(const game::Position& board, const std::vector<game::Cell>& moves);

// Returns 1 - common / larger, from 0 (the same groups) to 1 (no common group): `common` counts the groups that both
// lines remove, `larger` those of the line that removes more.
double line_distance(const LineGroups& a, const LineGroups& b);

// Returns the indices of up to `most` lines, the best first: each at least `distance` away from all better ones that
// were chosen. The first of equal lines counts.
std::vector<std::size_t> choose_apart(const game::Position& board, const std::vector<ScoredLine>& lines,
                                      std::size_t most, double distance);

}  // namespace chainshot::host
