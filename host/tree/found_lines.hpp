// The lines a tree search finds: they go to the incumbent, and the best one of the game that is played is kept.
// In a deterministic round lines wait for its end, so that the first of equal lines does not depend on threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "host/search/incumbent.hpp"
#include "host/tree/moves/game_line.hpp"
#include "host/tree/search_context.hpp"

namespace chainshot::host {

class FoundLines {
 public:
  // `context` and `incumbent` outlive this; `name` outlives the incumbent.
  FoundLines(const SearchContext& context, Incumbent& incumbent, std::string_view name)
      : context_(context), incumbent_(incumbent), name_(name) {}

  void begin_round(std::size_t tree_groups) { of_round_.assign(tree_groups, {}); }
  void end_round();

  // The score that a line of this tree group must beat to be worth a replay. From the thread that searches the group.
  int score_to_beat(std::size_t tree_group) const;
  // Takes a line that does. From the same thread.
  void offer(std::size_t tree_group, int score, const std::vector<game::Cell>& moves);
  // Takes a line at once. From any thread.
  void keep(ScoredLine line);

  // The score that a better line of this search must beat; kNoScore if there is none.
  int best_score() const { return context_.makes_moves() ? game_line_.score() : incumbent_.score(); }
  // The best line that begins with the moves of the game.
  GameLine& game_line() { return game_line_; }

  // The incumbent's line if another search found it and it was not asked for before, or not since `forget_foreign`.
  std::optional<BestLine> next_foreign_line();
  void forget_foreign() { foreign_version_ = 0; }

 private:
  const SearchContext& context_;
  Incumbent& incumbent_;
  const std::string_view name_;
  GameLine game_line_;
  std::vector<ScoredLine> of_round_;  // by tree group; used in deterministic rounds
  std::uint64_t foreign_version_ = 0;
};

}  // namespace chainshot::host
