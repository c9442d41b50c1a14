// A tree search on one or several engines: trees (core/tree.hpp) choose leaves, a scheduler (parallel/scheduler.hpp)
// keeps the engines full, rounds (round_loop.hpp) spend the budget, and games (game_search.hpp) divide it among moves.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "game/engine.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

// `engines` and `incumbent` outlive the search, and `name` the incumbent. `threads` search the trees; 0: one for each
// processor. Lines that searches of other names put into the incumbent become paths of the trees.
std::unique_ptr<Search> make_tree_search(const SearchTask& task, const TreeSettings& settings, const Budget& budget,
                                         const std::vector<game::Engine*>& engines, int threads, Incumbent& incumbent,
                                         std::string_view name = "tree");

// How many of the threads have trees of their own to search; the others can only play playouts.
int threads_with_trees(const TreeSettings& settings, int threads);

}  // namespace chainshot::host
