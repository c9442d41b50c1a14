// How a move-by-move search divides its budget among the moves of a game (Klein 2015, 6.8, after Schadd 2012, 4.6).
// Most allocations give all of it to the first 30 moves; kEveryMove gives each move as much as it would get if the game
// took 64.4 moves, the mean of random games (Schadd 2012, 6.4).
#pragma once

#include <vector>

#include "host/tree/settings.hpp"

namespace chainshot::host {

// Entry i is the share of the whole budget that is spent when the search makes move i; the last entry is 1. The entries
// are cumulative, so that a move that overruns its share takes from the later ones. `least` is the smallest share of a
// move in the exponential allocation (Klein: 2^11 resource units).
std::vector<double> spent_after_moves(Allocation allocation, double least);

// The share of the whole budget that one of several searches gets, and what is spent before it begins.
struct SearchShare {
  double begin;
  double share;
};
// A search that is made of others, of which the best counts (Klein 2015, 3.7.1, "meta-search"): `first` searches of
// equal shares. With `second` > 0 these have one half of the budget, and so many further ones the other.
std::vector<SearchShare> search_shares(int first, int second);

}  // namespace chainshot::host
