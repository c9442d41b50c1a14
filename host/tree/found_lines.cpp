#include "host/tree/found_lines.hpp"

#include <algorithm>
#include <utility>

namespace chainshot::host {

void FoundLines::end_round() {
  for (ScoredLine& line : of_round_)
    if (line.score > game_line_.score()) keep(std::move(line));
}

int FoundLines::score_to_beat(std::size_t tree_group) const {
  if (context_.settings.deterministic) return std::max(of_round_[tree_group].score, game_line_.score());
  return best_score();
}

void FoundLines::offer(std::size_t tree_group, int score, const std::vector<game::Cell>& moves) {
  if (context_.settings.deterministic)
    of_round_[tree_group] = {score, moves};
  else
    keep({score, moves});
}

void FoundLines::keep(ScoredLine line) {
  incumbent_.offer(line.score, line.moves, name_);
  game_line_.offer(std::move(line));
}

std::optional<BestLine> FoundLines::next_foreign_line() {
  BestLine best = incumbent_.best();
  if (std::exchange(foreign_version_, best.version) == best.version || best.source == name_) return std::nullopt;
  return best;
}

}  // namespace chainshot::host
