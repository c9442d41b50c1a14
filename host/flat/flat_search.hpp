// The flat Monte-Carlo solvers of Takes 2009, sections 4 and 5: every move of the position is tried by R playouts of
// the position after it, the best move by those playouts is made, and so on until the game ends.
//
//   MC-Biggest    random playouts, the move with the best playout
//   MC-Avg        random playouts, the move with the highest mean
//   MC-Avg-Bias   the same with playouts that keep the most frequent colour for last
//   MC-RWS        the same with playouts that draw a colour by roulette wheel
//
// We differ from the paper in three ways: the best playout of every move is kept as a line too, further games follow
// while the budget lasts, and a budget that is too short for a game of R playouts per move is spread over the whole
// game.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "game/engine.hpp"
#include "game/policy.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

enum class ChooseBy : std::uint8_t { kBest, kMean };

struct FlatSettings {
  game::Policy policy;
  ChooseBy choose_by = ChooseBy::kMean;
  int child_playouts = 1000;  // R
  int games = 0;              // games at most; 0: as many as the budget allows
};

// The engines and the incumbent outlive the search.
std::unique_ptr<Search> make_flat_search(const SearchTask& task, const FlatSettings& settings, const Budget& budget,
                                         const std::vector<game::Engine*>& engines, Incumbent& incumbent);

}  // namespace chainshot::host
