// A* (Hart, Nilsson and Raphael 1968) for a game that is scored, with the over-estimator of Schadd 2012, section 3:
// every colour's blocks in one group, and the bonus for a cleared board unless a colour has one block left
// (game/move_bounds.hpp; for scorings under which that earns less than other ways, game/scoring_bounds.hpp).
//
//   f = points earned + over-estimator of the position          no line through the position scores more
//
//   while the highest f of an open position exceeds the best score
//     expand an open position with the highest f: list its moves, open the positions after them
//
// Equal positions are one, with the most points. Among positions with the same f the newest comes first, so that
// the search is deep among equals. The paper is silent on all that follows:
//
//   - A full memory: positions without open ones below them are forgotten first, then the open ones with the lowest f,
//     until an eighth of the memory is free. The search goes on like a beam. The highest f that was dropped stays a
//     bound: the best line is proven only if it scores as much.
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

struct AStarSettings {
  std::uint64_t memory_bytes = 0;  // 0: kDefaultAStarMemory
};

inline constexpr std::uint64_t kDefaultAStarMemory = std::uint64_t{1} << 30;

// The incumbent outlives the search.
std::unique_ptr<Search> make_a_star(const SearchTask& task, const AStarSettings& settings, const Budget& budget,
                                    Incumbent& incumbent);

}  // namespace chainshot::host
