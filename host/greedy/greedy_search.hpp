// One game in which every move removes the largest group: the simplest baseline. Of groups of the same size it removes
// the one whose lowest row is lowest, and of those the leftmost, so there is nothing random in it.
#pragma once

#include <memory>

#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

struct GreedySettings {
  bool keep_tabu = false;  // the tabu colour is for last (Schadd 2012, 4.3)
  int tabu_color = -1;     // -1: the most frequent one of the board
};

// The incumbent outlives the search.
std::unique_ptr<Search> make_greedy_search(const SearchTask& task, const GreedySettings& settings,
                                           Incumbent& incumbent);

}  // namespace chainshot::host
