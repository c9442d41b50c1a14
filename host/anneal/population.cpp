#include "host/anneal/population.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "game/random.hpp"

namespace chainshot::host {

Population::Population(const SearchTask& task, game::ChainEngine& engine, int islands, int members,
                       std::vector<int> tabu_colors, std::uint64_t seed)
    : islands_(islands),
      room_(members),
      tabu_colors_(std::move(tabu_colors)),
      seed_(seed),
      chains_(engine.make_chains(task.board, task.scoring, {.islands = islands, .members = members})) {}

void Population::make(int first, int last, game::ChainObserver& observer) {
  std::vector<game::ChainStart> starts;
  for (int member = first; member < last; ++member)
    for (int island = 0; island < islands_; ++island) {
      const int chain = island * room_ + member;
      starts.push_back(
          {.chain = chain,
           .tabu_color = tabu_colors_[static_cast<std::size_t>(member) % tabu_colors_.size()],
           .seed = static_cast<std::uint32_t>(game::mix64(seed_ ^ game::mix64(chain + std::uint64_t{1})))});
    }
  chains_->start(starts, observer);
}

void Population::keep_made(int together) {
  int made = room_;
  for (int island = 0; island < islands_; ++island) {
    int here = 0;
    while (here < made && chains_->exists(island * room_ + here))
      ++here;
    made = here;
  }
  chains_->keep(made < together ? made : made - made % together);
}

void Population::resample(const game::AcceptanceTable& table, double from_temperature, double to_temperature,
                          int members) {
  chains_->resample(table, game::ResampleTable(from_temperature, to_temperature), members, next_seed());
}

void Population::admit(const std::vector<Newcomer>& newcomers, const game::AcceptanceTable& table) {
  if (newcomers.empty()) return;
  const std::vector<int> fitness = chains_->fitness(table);
  const auto members = static_cast<std::size_t>(this->members());
  std::vector<std::vector<int>> least_fit(static_cast<std::size_t>(islands_));  // slots, the least fit last
  std::vector<game::ChainStart> starts;
  for (const Newcomer& newcomer : newcomers) {
    const auto island = static_cast<std::size_t>(newcomer.island);
    std::vector<int>& slots = least_fit[island];
    if (slots.empty()) {
      slots.resize(members);
      std::iota(slots.begin(), slots.end(), 0);
      std::stable_sort(slots.begin(), slots.end(), [&, here = island * members](int a, int b) {
        return fitness[here + static_cast<std::size_t>(a)] > fitness[here + static_cast<std::size_t>(b)];
      });
    }
    starts.push_back({.chain = newcomer.island * room_ + slots.back(),
                      .tabu_color = next_tabu_color(),
                      .seed = static_cast<std::uint32_t>(next_seed()),
                      .moves = *newcomer.moves});
    slots.pop_back();
  }
  game::ChainObserver unwatched;
  chains_->start(starts, unwatched);
}

void Population::advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each,
                         game::ChainObserver& observer) {
  chains_->advance(table, evaluations_each, observer);
}

int Population::best_chain(const std::vector<int>& best_scores, int island) const {
  const auto first = best_scores.begin() + static_cast<std::ptrdiff_t>(island) * room_;
  return static_cast<int>(std::max_element(first, first + room_) - best_scores.begin());
}

std::uint64_t Population::next_seed() {
  return game::mix64(~seed_ ^ game::mix64(++draws_));
}

int Population::next_tabu_color() {
  return tabu_colors_[static_cast<std::size_t>(next_seed() % tabu_colors_.size())];
}

}  // namespace chainshot::host
