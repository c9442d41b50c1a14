// The open positions of a set-based search: all that can be reached by a number of moves, each by its best way (Klein
// 2015, A.6: a complete breadth-first search up to a certain layer). Every line of the game leads through one of them,
// or ends before.
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
  std::vector<OpenPosition> ended;  // games that are over sooner; points with what the end brings
};

// How large a set is to be.
struct SetSize {
  std::size_t wanted;
  std::size_t most;
};

// The first layer of as many positions as are wanted; or the last one that has any, and no more than `most`. When it is
// halted, the last one that was whole.
OpenSet open_positions(const game::Position& root, int points, SetSize size, const TreeSettings& settings,
                       const game::Scoring& scoring, const std::function<bool()>& halted);

}  // namespace chainshot::host
