#include "host/anneal/population.hpp"

#include <algorithm>
#include <cmath>

#include "game/random.hpp"

namespace chainshot::host {

std::vector<int> systematic_copies(const std::vector<double>& weights, int size, double offset) {
  double sum = 0;
  for (const double weight : weights)
    sum += weight;
  std::vector<int> copies(weights.size());
  double reached = 0;
  int given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    reached += weights[i] / sum * size;
    for (; given < size && given + offset < reached; ++given)
      ++copies[i];
  }
  copies.back() += size - given;  // rounding
  return copies;
}

Population::Population(const SearchTask& task, game::ChainEngine& engine, int members, std::vector<int> tabu_colors,
                       std::uint64_t seed)
    : chains_(engine.make_chains(task.board, task.scoring, members)),
      seed_(seed),
      draws_(static_cast<std::uint64_t>(members)) {
  for (int i = 0; i < members; ++i)
    members_.push_back({i, tabu_colors[static_cast<std::size_t>(i) % tabu_colors.size()]});
}

void Population::make(int first, int last, game::ChainObserver& observer) {
  std::vector<game::ChainStart> starts;
  for (int i = first; i < last; ++i)
    starts.push_back({i, tabu_color(i), seed_of(static_cast<std::uint64_t>(i) + 1)});
  chains_->start(
      starts, [](std::size_t) { return std::vector<game::Cell>(); }, observer);
}

void Population::leave_out_unmade() {
  std::erase_if(members_, [&](const Member& member) { return !chains_->exists(member.chain); });
}

void Population::trim(int together) {
  members_.resize(members_.size() - members_.size() % static_cast<std::size_t>(together));
}

void Population::start_every_second(const std::function<std::optional<std::vector<game::Cell>>(int)>& line_for,
                                    game::ChainObserver& observer) {
  std::vector<game::ChainStart> starts;
  for (int i = 1; i < size(); i += 2)
    starts.push_back({members_[static_cast<std::size_t>(i)].chain, tabu_color(i),
                      game::mix64(~seed_ ^ game::mix64(static_cast<std::uint64_t>(i)))});
  chains_->start(
      starts, [&](std::size_t start) { return line_for(static_cast<int>(2 * start + 1)); }, observer);
}

std::uint64_t Population::seed_of(std::uint64_t draw) const {
  return game::mix64(seed_ ^ game::mix64(draw));
}

void Population::resample(const game::AcceptanceTable& table, double from_temperature, double to_temperature, int size,
                          game::ChainObserver& observer) {
  std::vector<double> weights;
  double greatest = -HUGE_VAL;
  for (const int fitness : this->fitness(table)) {
    weights.push_back(fitness * (1 / to_temperature - 1 / from_temperature));
    greatest = std::max(greatest, weights.back());
  }
  for (double& weight : weights)
    weight = std::exp(weight - greatest);
  const double offset = static_cast<double>(next_seed() >> 11) * 0x1p-53;
  const std::vector<int> wanted = systematic_copies(weights, size, offset);

  // A line stays in its chain; further copies go to chains whose own line ends here.
  std::vector<Member> kept, ended, copied;
  std::vector<game::ChainCopy> copies;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    (wanted[i] > 0 ? kept : ended).push_back(members_[i]);
    copied.insert(copied.end(), static_cast<std::size_t>(std::max(0, wanted[i] - 1)), members_[i]);
  }
  for (const Member& parent : copied) {
    copies.push_back({.from = parent.chain, .to = ended.back().chain, .seed = next_seed()});
    kept.push_back({ended.back().chain, parent.tabu_color});
    ended.pop_back();
  }
  members_ = std::move(kept);
  chains_->copy(copies, observer);
}

void Population::admit(const std::vector<game::Cell>& moves, const game::AcceptanceTable& table) {
  const std::vector<int> fitness = this->fitness(table);
  const auto least = static_cast<std::size_t>(std::min_element(fitness.begin(), fitness.end()) - fitness.begin());
  const game::ChainStart start{members_[least].chain, members_[least].tabu_color, next_seed()};
  game::ChainObserver unwatched;
  chains_->start(
      {&start, 1}, [&](std::size_t) { return moves; }, unwatched);
}

void Population::advance(const game::AcceptanceTable& table, std::uint64_t evaluations, game::ChainObserver& observer) {
  chains_->advance(chains(), table, evaluations, observer);
}

std::vector<int> Population::chains() const {
  std::vector<int> numbers;
  for (const Member& member : members_)
    numbers.push_back(member.chain);
  return numbers;
}

std::vector<int> Population::fitness(const game::AcceptanceTable& table) const {
  return chains_->fitness(chains(), table);
}

std::vector<int> Population::best_scores() const {
  return chains_->best_scores(chains());
}

std::vector<game::Cell> Population::best_moves(int member) const {
  return chains_->best_moves(members_[static_cast<std::size_t>(member)].chain);
}

}  // namespace chainshot::host
