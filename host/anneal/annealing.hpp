// Population annealing on lines whose moves are named by blocks: many chains of small changes to a line, cooled
// together; after each step of temperature the better lines are copied over the worse. Chains run on all threads; for a
// budget of evaluations the result depends on the seed alone.
#pragma once

#include <cstdint>
#include <memory>

#include "host/incumbent.hpp"
#include "host/search.hpp"

namespace chainshot::host {

struct AnnealSettings {
  int threads = 0;  // 0: one per processor
  int members = 0;  // of the first population; 0: chosen from the budget
  double hot = 40;  // temperatures in points
  double cold = 12;
  int steps = 60;  // geometric, from hot to cold
};

// `incumbent` outlives the search. Lines of other searches that appear in it become members.
std::unique_ptr<Search> make_annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget,
                                       Incumbent& incumbent);

}  // namespace chainshot::host
