// IDA* (Korf 1985) for a game that is scored, with the over-estimator of Schadd 2012, section 3: every colour's blocks
// in one group, and the bonus for a cleared board unless a colour has one block left (game/move_bounds.hpp; for
// scorings under which that earns less than other ways, game/scoring_bounds.hpp).
//
//   f = points earned + over-estimator of the position          no line through the position scores more
//
//   threshold = f of the board
//   repeat
//     search depth-first, in order of f, all positions with f >= threshold
//     if the best line scores at least every f that was cut off, it is proven
//     threshold = a lower one
//
// The paper says only that the threshold changes when a search returns without a result. We chose:
//
//   - The next threshold is the highest one under which at least `deepening` times as many positions were cut off as
//     the iteration expanded (IDA*_CR: Sarkar et al. 1991). Falling to the highest f that was cut off, as Korf does,
//     searches nearly the same positions again each time, because sums of squares take so many values. A threshold
//     may then fall below the best score; so within an iteration the best line so far is a threshold, too.
//   - Bounds that a search has lowered are remembered by position (bound_table.hpp), because moves that do not disturb
//     each other lead to the same position in any order.
//   - Large boards never reach the end of a line, so positions are played to their ends now and then
//     (bounded_budget.hpp, game/greedy.hpp).
//
// There is no chance in it: the seed changes nothing. It runs on one thread.
#pragma once

#include <cstdint>
#include <memory>

#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

struct IdaStarSettings {
  double deepening = 2;
  bool transpositions = true;

  std::uint64_t memory_bytes = 0;  // of the table; 0: kDefaultBoundTable
};

inline constexpr std::uint64_t kDefaultBoundTable = std::uint64_t{64} << 20;

// The incumbent outlives the search.
std::unique_ptr<Search> make_ida_star(const SearchTask& task, const IdaStarSettings& settings, const Budget& budget,
                                      Incumbent& incumbent);

}  // namespace chainshot::host
