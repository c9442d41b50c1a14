#include "host/anneal/elites.hpp"

#include <algorithm>
#include <utility>

namespace chainshot::host {

void Elites::exchange(Population& population, const std::vector<game::Cell>& best, const cpu::Heat& heat) {
  int fittest = 0;
  for (int i = 1; i < population.size(); ++i)
    if (population.chain(i).best_score() > population.chain(fittest).best_score()) fittest = i;
  const cpu::Chain& chain = population.chain(fittest);
  const auto moves = chain.best_moves();
  Line own{chain.best_score(), {moves.begin(), moves.end()}};

  const std::size_t welcome = std::min(lines_.size() + 1, static_cast<std::size_t>(population.size()) / 4);
  if (!lines_.empty() && welcome > 0) population.admit(best, heat);
  for (std::size_t i = 1; i < welcome; ++i)
    population.admit(lines_[next_++ % lines_.size()].moves, heat);

  keep(std::move(own));
}

void Elites::keep(Line line) {
  lines_.push_back(std::move(line));
  std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
  if (lines_.size() > kMost) lines_.pop_back();
}

}  // namespace chainshot::host
