// NMCS as a search: searches of the whole board one after the other, each with random numbers of its own, until the
// budget is spent. Every thread leads searches of its own: it opens calls, fills batches with their playouts, and takes
// the next search where the older ones have nothing to send. The best playout of all is kept as a line at once.
//
// With --deterministic one thread leads, batches have a fixed size, and answers are taken in the order of submission,
// so that a counted budget ends at the same playout on every machine.
#pragma once

#include <memory>
#include <vector>

#include "game/engine.hpp"
#include "host/nested/settings.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/registry.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

// Returns how many threads lead searches.
int nmcs_leaders(const CommonSettings& common, int threads);

// The engines and the incumbent outlive the search.
std::unique_ptr<Search> make_nmcs_search(const SearchTask& task, const NmcsSettings& settings, const Budget& budget,
                                         const std::vector<game::Engine*>& engines, int threads,
                                         const CommonSettings& common, Incumbent& incumbent);

}  // namespace chainshot::host
