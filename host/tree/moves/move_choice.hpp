// The move that is made when its share of the budget is spent (Schadd 2012, 4.6 and table 4; Klein 2015, 6.8), from the
// statistics of one tree, of the trees of a set, or of independent trees.
#pragma once

#include <optional>
#include <span>

#include "game/position.hpp"
#include "game/scoring.hpp"
#include "host/tree/parallel/tree_group.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

// A line that is known beside the trees: playouts of the root itself are in none of its moves.
struct KnownLine {
  game::Cell move;  // its next one
  int score = 0;
};

// `played` moves have been made and led to `position`; a rooted's way begins with them. Of equals the move of `line` is
// chosen. Nothing if no move was visited.
std::optional<game::Cell> choose_move(std::span<const RootedTree* const> rooted_trees, std::size_t played,
                                      const game::Position& position, const game::Scoring& scoring, MoveChoice choice,
                                      std::optional<KnownLine> line = {});

}  // namespace chainshot::host
