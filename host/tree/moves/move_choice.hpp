// Which move a move-by-move search makes when the move's share of the budget is spent (Schadd 2012, 4.6 and table 4;
// Klein 2015, 6.8). The statistics may come from one tree, from the trees of a set, or from independent trees.
#pragma once

#include <optional>
#include <span>

#include "game/position.hpp"
#include "game/scoring.hpp"
#include "host/tree/parallel/tree_group.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

// A line that is known beside the trees: no move of a root counts the playouts from the root itself.
struct KnownLine {
  game::Cell move;  // the next move of the line
  int score = 0;
};

// `played` moves led to `position`, and the way to the root of every tree begins with them. Among equals the move of
// `line` wins. Returns nothing if no move was visited.
std::optional<game::Cell> choose_move(std::span<const RootedTree* const> rooted_trees, std::size_t played,
                                      const game::Position& position, const game::Scoring& scoring, MoveChoice choice,
                                      std::optional<KnownLine> line = {});

}  // namespace chainshot::host
