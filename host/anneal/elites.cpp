#include "host/anneal/elites.hpp"

#include <algorithm>
#include <utility>

#include "game/random.hpp"
#include "game/reference.hpp"

namespace chainshot::host {

std::vector<ScoredLine> best_lines_of(const Population& population, std::size_t most) {
  const std::vector<int> scores = population.best_scores();
  std::vector<int> chains;
  for (int island = 0; island < population.islands(); ++island)
    chains.push_back(population.best_chain(scores, island));
  const auto score_of = [&](int chain) { return scores[static_cast<std::size_t>(chain)]; };
  std::stable_sort(chains.begin(), chains.end(), [&](int a, int b) { return score_of(a) > score_of(b); });
  chains.resize(std::min(chains.size(), most));
  std::vector<ScoredLine> lines;
  for (const int chain : chains)
    lines.push_back({score_of(chain), population.best_moves(chain)});
  return lines;
}

Elites::Elites(const SearchTask& task, const ElitePaths& paths) : board_(task.board), paths_(paths) {
  for (const std::vector<game::Cell>& start : task.starts)
    keep(lines_, {{game::replay(task.board, start, task.scoring).score, start}});
}

void Elites::exchange(Population& population, const std::vector<game::Cell>& best, const game::AcceptanceTable& table) {
  const std::vector<ScoredLine> own = best_lines_of(population, kMost);
  std::vector<ScoredLine> lines;  // a copy: the pool may be shared, and the newcomers point into it
  std::vector<Population::Newcomer> newcomers;
  const std::vector<ScoredLine> received =
      paths_.neighbours == nullptr ? std::vector<ScoredLine>() : paths_.neighbours->take();
  {
    const std::lock_guard lock(mutex_);
    if (!received.empty()) keep(lines_, received);
    lines = lines_;
    const std::size_t welcome = std::min(lines.size() + 1, static_cast<std::size_t>(population.members()) / 4);
    for (int island = 0; !lines.empty() && island < population.islands(); ++island)
      for (std::size_t i = 0; i < welcome; ++i)
        newcomers.push_back({island, i == 0 ? &best : &lines[next_++ % lines.size()].moves});
    keep(found_, own);
    keep(lines_, own);
    send(own);
  }
  population.admit(newcomers, table);
}

void Elites::finish_round(const Population& population) {
  const std::vector<ScoredLine> own = best_lines_of(population, kMost);
  const std::lock_guard lock(mutex_);
  keep(found_, own);
}

void Elites::rescue(const std::vector<ScoredLine>& lines) {
  const std::lock_guard lock(mutex_);
  keep(found_, lines);
  keep(lines_, lines);
}

std::vector<ScoredLine> Elites::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

std::vector<ScoredLine> Elites::found() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

// Sends only lines of this round: what came from elsewhere has its own way round.
void Elites::send(const std::vector<ScoredLine>& own) {
  Neighbours* const to = paths_.neighbours;
  if (to == nullptr || to->ranks() < 2) return;
  const auto others = static_cast<std::uint64_t>(to->ranks() - 1);
  const std::uint64_t any =
      game::mix64(board_.hash() ^ game::mix64(static_cast<std::uint64_t>(to->rank()) + (++sent_ << 32)));
  const int step = paths_.is_ring ? 1 : 1 + static_cast<int>(any % others);
  std::vector<ScoredLine> migrants;
  for (const std::size_t i : choose_apart(board_, own, kMigrants, kApart))
    migrants.push_back(own[i]);
  to->send((to->rank() + step) % to->ranks(), migrants);
}

void Elites::keep(std::vector<ScoredLine>& lines, const std::vector<ScoredLine>& more) const {
  lines.insert(lines.end(), more.begin(), more.end());
  std::vector<ScoredLine> kept;
  for (const std::size_t i : choose_apart(board_, lines, kMost, kApart))
    kept.push_back(std::move(lines[i]));
  lines = std::move(kept);
}

}  // namespace chainshot::host
