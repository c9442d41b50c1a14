// The open positions of a set-based search: all that a number of moves can reach, each by the way that earns most
// (Klein 2015, A.6: a complete breadth-first search up to a certain layer). Every line of the game leads through one of
// them or ends before.
#pragma once

#include <cstddef>
#include <functional>
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
  std::vector<OpenPosition> ended;  // games that are over sooner, with the points of their end
};

struct SetSize {
  std::size_t wanted;
  std::size_t most;
};

// Returns the first layer that has as many positions as wanted, but no deeper layer than the last that has any and has
// no more than `most`. Once `halted` returns true, the last complete layer.
OpenSet open_positions(const game::Position& root, int points, SetSize size, const TreeSettings& settings,
                       const game::Scoring& scoring, const std::function<bool()>& halted);

}  // namespace chainshot::host
