// Population annealing on lines whose moves are named by blocks: many chains of small changes to a line, cooled
// together; after each step of temperature the better lines are copied over the worse. Chains run on all threads; for a
// budget of evaluations the result depends on the seed alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/engine/cpu_engine.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

struct AnnealSettings {
  int threads = 0;       // 0: one per processor
  int members = 0;       // of the population at the start; 0: chosen from the budget
  int last_members = 4;  // at the end
  double hot = 0;        // temperatures, in points; 0: those that suit the scoring
  double cold = 0;
  int steps = 60;          // of temperature, geometric
  double soft_start = 10;  // blocks left over which the bonus for a cleared board is spread, at the start and the end
  double soft_end = 2;
  double tree_share = 0.02;                   // of the budget, for the SP-MCTS that half of the members start from
  std::uint64_t longest_round = 400'000'000;  // evaluations; longer budgets are divided into equal rounds
  cpu::Isa isa = cpu::best_isa();
};

struct Temperatures {
  double hot, cold;
  double elite;  // above it a line of an earlier round would melt
};

// Found by trials where groups earn points; and where only the blocks that are left count, one point each.
inline constexpr Temperatures kOfPoints{40, 12, 20}, kOfBlocks{2, 0.3, 0.8};

Temperatures temperatures_for(const AnnealSettings& settings, const game::Scoring& scoring);

// The colours that members keep for last: the two most frequent, and all that tie with the second.
std::vector<int> annealing_tabu_colors(const game::Position& board);

// `incumbent` outlives the search. Lines of other searches that appear in it become members.
std::unique_ptr<Search> make_annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget,
                                       Incumbent& incumbent);

}  // namespace chainshot::host
