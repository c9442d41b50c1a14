#include "host/anneal/population.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

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

Population::Population(const SearchTask& task, int members, std::vector<int> tabu_colors, std::uint64_t seed,
                       cpu::Isa isa)
    : task_(task),
      tabu_colors_(std::move(tabu_colors)),
      chains_(static_cast<std::size_t>(members)),
      copies_(chains_.size()),
      seed_(seed),
      isa_(isa),
      draws_(chains_.size()) {}

void Population::make(int member) {
  const auto i = static_cast<std::size_t>(member);
  chains_[i] = cpu::make_chain(task_.board, task_.scoring, isa_);
  chains_[i]->restart({}, tabu_colors_[i % tabu_colors_.size()], seed_of(i + 1));
}

void Population::close(int together) {
  std::erase(chains_, nullptr);
  chains_.resize(chains_.size() - chains_.size() % static_cast<std::size_t>(together));
  copies_.resize(chains_.size());
}

void Population::start(int member, const std::vector<game::Cell>& moves) {
  cpu::Chain& chain = *chains_[static_cast<std::size_t>(member)];
  chain.restart(cpu::blocks_of(task_.board, moves), chain.tabu_color(),
                game::mix64(~seed_ ^ game::mix64(static_cast<std::uint64_t>(member))));
}

std::uint64_t Population::seed_of(std::uint64_t draw) const {
  return game::mix64(seed_ ^ game::mix64(draw));
}

void Population::resample(const cpu::Heat& heat, double from_temperature, double to_temperature, int size) {
  std::vector<int> fitness;
  std::vector<double> weights;
  double greatest = -HUGE_VAL;
  for (const auto& chain : chains_) {
    fitness.push_back(chain->fitness(heat));
    weights.push_back(fitness.back() * (1 / to_temperature - 1 / from_temperature));
    greatest = std::max(greatest, weights.back());
  }
  for (double& weight : weights)
    weight = std::exp(weight - greatest);
  const double offset = static_cast<double>(next_seed() >> 11) * 0x1p-53;
  const std::vector<int> copies = systematic_copies(weights, size, offset);

  // A line stays in its chain; further copies go to chains whose own line ends here.
  std::vector<std::unique_ptr<cpu::Chain>> kept, spare;
  std::vector<Copy> wanted;
  lines_.clear();
  std::array<cpu::Block, cpu::kMaxLine> room;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    if (copies[i] > 1) {
      for (int further = 1; further < copies[i]; ++further)
        wanted.push_back({lines_.size(), chains_[i]->tabu_color(), next_seed(), fitness[i]});
      lines_.emplace_back(room.begin(), room.begin() + chains_[i]->line(room));
    }
    (copies[i] > 0 ? kept : spare).push_back(std::move(chains_[i]));
  }
  copies_.assign(kept.size(), std::nullopt);
  for (const Copy& copy : wanted) {
    copies_.emplace_back(copy);
    kept.push_back(std::move(spare.back()));
    spare.pop_back();
  }
  chains_ = std::move(kept);
}

void Population::settle(int member) {
  std::optional<Copy>& copy = copies_[static_cast<std::size_t>(member)];
  if (!copy) return;
  chains_[static_cast<std::size_t>(member)]->restart(lines_[copy->line], copy->tabu_color, copy->seed);
  copy.reset();
}

void Population::admit(const std::vector<game::Cell>& moves, const cpu::Heat& heat) {
  std::size_t least = 0;
  int least_fitness = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const int fitness = copies_[i] ? copies_[i]->fitness : chains_[i]->fitness(heat);
    if (fitness >= least_fitness) continue;
    least = i;
    least_fitness = fitness;
  }
  const int tabu_color = copies_[least] ? copies_[least]->tabu_color : chains_[least]->tabu_color();
  copies_[least].reset();
  chains_[least]->restart(cpu::blocks_of(task_.board, moves), tabu_color, next_seed());
}

}  // namespace chainshot::host
