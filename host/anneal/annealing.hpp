// Population annealing on lines whose moves are named by blocks: many chains of small changes to a line, cooled
// together; after each step of temperature the better lines are copied over the worse. Chains run on all threads; for a
// budget of evaluations the result depends on the seed alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/incumbent.hpp"
#include "host/search.hpp"

namespace chainshot::host {

struct AnnealSettings {
  int threads = 0;       // 0: one per processor
  int members = 0;       // of the population at the start; 0: chosen from the budget
  int last_members = 4;  // at the end
  double hot = 40;       // temperatures, in points
  double cold = 12;
  int steps = 60;          // of temperature, geometric
  double soft_start = 10;  // blocks left over which the bonus for a cleared board is spread, at the start and the end
  double soft_end = 2;
  double tree_share = 0.02;                   // of the budget, for the SP-MCTS that half of the members start from
  std::uint64_t longest_round = 400'000'000;  // evaluations; longer budgets are divided into equal rounds
};

// The colours that members keep for last: the two most frequent, and all that tie with the second.
std::vector<int> annealing_taboo_colors(const game::Position& board);

// `incumbent` outlives the search. Lines of other searches that appear in it become members.
std::unique_ptr<Search> make_annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget,
                                       Incumbent& incumbent);

}  // namespace chainshot::host
