// NRPA as a search: independent runs one after the other and side by side (root parallelism: Negrevergne and Cazenave
// 2017, 3.1), until the budget is spent. A counted budget is divided among the jobs. With --deterministic the number of
// jobs does not depend on the threads, and lines are offered in the order of the jobs.
#pragma once

#include <memory>

#include "host/nrpa/player.hpp"
#include "host/nrpa/settings.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/registry.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

// The incumbent outlives the search.
std::unique_ptr<Search> make_nrpa_search(const SearchTask& task, const NrpaSettings& settings, const Budget& budget,
                                         int threads, const CommonSettings& common, Incumbent& incumbent);

nrpa::PlayerRules nrpa_player_rules(const SearchTask& task, const NrpaSettings& settings);

}  // namespace chainshot::host
