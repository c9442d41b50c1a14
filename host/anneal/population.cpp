#include "host/anneal/population.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

Population::Population(const SearchTask& task, int members, std::vector<int> taboo_colors, std::uint64_t seed)
    : board_(task.board), seed_(seed) {
  for (int i = 0; i < members; ++i) {
    chains_.push_back(cpu::make_chain(task.board, task.scoring));
    chains_.back()->restart({}, taboo_colors[static_cast<std::size_t>(i) % taboo_colors.size()], next_seed());
  }
}

void Population::start(int member, const std::vector<game::Cell>& moves) {
  cpu::Chain& chain = *chains_[static_cast<std::size_t>(member)];
  chain.restart(cpu::blocks_of(board_, moves), chain.taboo_color(),
                game::mix64(~seed_ ^ game::mix64(static_cast<std::uint64_t>(member))));
}

std::uint64_t Population::next_seed() {
  return game::mix64(seed_ ^ game::mix64(++draws_));
}

void Population::resample(const cpu::Heat& heat, double from_temperature, double to_temperature, int size) {
  std::vector<double> weights;
  double greatest = -HUGE_VAL;
  for (const auto& chain : chains_) {
    weights.push_back(chain->fitness(heat) * (1 / to_temperature - 1 / from_temperature));
    greatest = std::max(greatest, weights.back());
  }
  for (double& weight : weights)
    weight = std::exp(weight - greatest);
  const double offset = static_cast<double>(next_seed() >> 11) * 0x1p-53;
  std::vector<int> copies = systematic_copies(weights, size, offset);

  // A line stays in its chain; further copies go to chains whose own line ends here.
  std::vector<std::unique_ptr<cpu::Chain>> kept, spare;
  std::vector<std::pair<std::size_t, int>> wanted;  // of `kept`, further copies
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    if (copies[i] > 1) wanted.emplace_back(kept.size(), copies[i] - 1);
    (copies[i] > 0 ? kept : spare).push_back(std::move(chains_[i]));
  }
  std::array<cpu::Block, cpu::kMaxLine> line;
  for (const auto& [source, count] : wanted) {
    const auto length = static_cast<std::size_t>(kept[source]->line(line));
    for (int i = 0; i < count; ++i) {
      spare.back()->restart({line.data(), length}, kept[source]->taboo_color(), next_seed());
      kept.push_back(std::move(spare.back()));
      spare.pop_back();
    }
  }
  chains_ = std::move(kept);
}

void Population::admit(const std::vector<game::Cell>& moves, const cpu::Heat& heat) {
  const auto least = std::min_element(chains_.begin(), chains_.end(), [&](const auto& a, const auto& b) {
    return a->fitness(heat) < b->fitness(heat);
  });
  (*least)->restart(cpu::blocks_of(board_, moves), (*least)->taboo_color(), next_seed());
}

}  // namespace chainshot::host
