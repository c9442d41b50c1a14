// A tree search on one or several engines: trees (host/tree/core/tree.hpp) choose leaves, the scheduler
// (host/tree/parallel/scheduler.hpp) keeps the engines full, an allocation divides the budget among moves and restarts.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "game/engine.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

// `engines` and `incumbent` outlive the search, and `name` the incumbent; `threads` work on the trees. Lines of
// searches with other names that appear in the incumbent become paths of the tree.
std::unique_ptr<Search> make_tree_search(const SearchTask& task, const TreeSettings& settings, const Budget& budget,
                                         const std::vector<game::Engine*>& engines, int threads, Incumbent& incumbent,
                                         std::string_view name = "tree");

// How many of the threads have trees of their own to search; the others can only play.
int threads_with_trees(const TreeSettings& settings, int threads);

}  // namespace chainshot::host
