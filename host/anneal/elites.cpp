#include "host/anneal/elites.hpp"

#include <algorithm>
#include <utility>

#include "game/reference.hpp"

namespace chainshot::host {
namespace {

ScoredLine best_line_of(const Population& population) {
  const std::vector<int> scores = population.best_scores();
  const auto fittest = std::max_element(scores.begin(), scores.end());
  return {*fittest, population.best_moves(static_cast<int>(fittest - scores.begin()))};
}

}  // namespace

Elites::Elites(const SearchTask& task) : board_(task.board) {
  for (const std::vector<game::Cell>& start : task.starts)
    keep(lines_, {game::replay(task.board, start, task.scoring).score, start});
}

void Elites::exchange(Population& population, const std::vector<game::Cell>& best, const game::AcceptanceTable& table) {
  ScoredLine own = best_line_of(population);

  const std::size_t welcome = std::min(lines_.size() + 1, static_cast<std::size_t>(population.size()) / 4);
  if (!lines_.empty() && welcome > 0) population.admit(best, table);
  for (std::size_t i = 1; i < welcome; ++i)
    population.admit(lines_[next_++ % lines_.size()].moves, table);

  keep(found_, own);
  keep(lines_, std::move(own));
}

void Elites::finish_round(const Population& population) {
  keep(found_, best_line_of(population));
}

void Elites::keep(std::vector<ScoredLine>& lines, ScoredLine line) const {
  lines.push_back(std::move(line));
  std::vector<ScoredLine> kept;
  for (const std::size_t i : choose_apart(board_, lines, kMost, kApart))
    kept.push_back(std::move(lines[i]));
  lines = std::move(kept);
}

}  // namespace chainshot::host
