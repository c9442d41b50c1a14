// How a budget is divided among the moves of a game (Klein 2015, 6.8, after Schadd 2012, 4.6): the search of each move
// starts where the moves before it have led. All of it goes to the first 30 moves; or every move gets as much as it
// would if the game took 64.4 moves, the mean of random games (Schadd 2012, 6.4).
#pragma once

#include <vector>

#include "host/tree/settings.hpp"

namespace chainshot::host {

// The share of the whole that is spent when move i is made, for every move that is searched for: the last is 1. Shares
// grow, so that what one move takes too much the later ones have less. `least` is the share no move gets less of, for
// the exponential allocation (Klein: 2^11 resource units).
std::vector<double> spent_after_moves(Allocation allocation, double least);

}  // namespace chainshot::host
