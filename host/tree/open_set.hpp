// The open positions of a set-based search: all that can be reached by a number of moves, each by its best way (Klein
// 2015, A.6: a complete breadth-first search up to a certain layer). Every line of the game leads through one of them,
// or ends before.
#pragma once

#include <cstddef>
#include <vector>

#include "game/position.hpp"
#include "game/scoring.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

struct OpenPosition {
  game::Position position;
  int points = 0;  // earned on the way
  std::vector<game::Cell> way;
};

struct OpenSet {
  std::vector<OpenPosition> open;
  std::vector<OpenPosition> ended;  // games that are over sooner; points with what the end brings
};

// The first layer of at least `size` positions, or the last one that has any.
OpenSet open_positions(const game::Position& root, int points, std::size_t size, const TreeSettings& settings,
                       const game::Scoring& scoring);

}  // namespace chainshot::host
