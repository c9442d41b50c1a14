// Searches a game: the whole budget on its first position, or a share for each of its moves, which starts where the
// moves before it have led (Schadd 2012, 4.6; Klein 2015, 6.8).
#pragma once

#include <cstdint>

#include "host/tree/found_lines.hpp"
#include "host/tree/round_loop.hpp"
#include "host/tree/search_context.hpp"
#include "host/tree/search_trees.hpp"

namespace chainshot::host {

class GameSearch {
 public:
  // All of them outlive the search.
  GameSearch(SearchContext& context, FoundLines& lines, SearchTrees& trees, RoundLoop& rounds)
      : context_(context), lines_(lines), trees_(trees), rounds_(rounds), game_{.position = context.task.board} {}

  // Searches a new game with the share of the budget that follows after the share `begin`.
  void search(double begin, double share);
  // Ends the game where the moves have led, by the best line known from there or else by a playout. Returns its score.
  int finish();

 private:
  bool make_move();

  SearchContext& context_;
  FoundLines& lines_;
  SearchTrees& trees_;
  RoundLoop& rounds_;
  PlayedGame game_;
  std::uint64_t finished_by_playout_ = 0;  // games
};

}  // namespace chainshot::host
