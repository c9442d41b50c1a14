#include "host/anneal/elites.hpp"

#include <algorithm>
#include <utility>

namespace chainshot::host {

void Elites::exchange(Population& population, const std::vector<game::Cell>& best, const game::AcceptanceTable& table) {
  const std::vector<int> scores = population.best_scores();
  const auto fittest = std::max_element(scores.begin(), scores.end());
  Line own{*fittest, population.best_moves(static_cast<int>(fittest - scores.begin()))};

  const std::size_t welcome = std::min(lines_.size() + 1, static_cast<std::size_t>(population.size()) / 4);
  if (!lines_.empty() && welcome > 0) population.admit(best, table);
  for (std::size_t i = 1; i < welcome; ++i)
    population.admit(lines_[next_++ % lines_.size()].moves, table);

  keep(std::move(own));
}

void Elites::keep(Line line) {
  lines_.push_back(std::move(line));
  std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
  if (lines_.size() > kMost) lines_.pop_back();
}

}  // namespace chainshot::host
