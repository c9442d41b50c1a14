// The lines of population annealing and their descent: after a step of temperature each line is copied as often as its
// fitness deserves (systematic resampling with weights exp(fitness d(1/T))), so that the population follows the
// equilibrium of the temperature without each chain having to find it (Hukushima and Iba 2003).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/chain.hpp"
#include "host/search.hpp"

namespace chainshot::host {

// How often each of the members is to be copied so that `size` remain, by their weights; `offset` in [0, 1) is the
// draw. Each gets its share of `size`, rounded down or up.
std::vector<int> systematic_copies(const std::vector<double>& weights, int size, double offset);

class Population {
 public:
  // Members start from random lines, their taboo colours taken in turn from `taboo_colors`.
  Population(const SearchTask& task, int members, std::vector<int> taboo_colors, std::uint64_t seed);

  int size() const { return static_cast<int>(chains_.size()); }
  cpu::Chain& chain(int member) { return *chains_[member]; }
  const cpu::Chain& chain(int member) const { return *chains_[member]; }

  // A member goes on from a line. Members may be started at the same time.
  void start(int member, const std::vector<game::Cell>& moves);
  // Resamples to `size` members on the way from one temperature to a lower one.
  void resample(const cpu::Heat& heat, double from_temperature, double to_temperature, int size);
  // A line from elsewhere takes the place of the least fit member.
  void admit(const std::vector<game::Cell>& moves, const cpu::Heat& heat);

 private:
  std::uint64_t next_seed();

  game::Position board_;
  std::vector<std::unique_ptr<cpu::Chain>> chains_;
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
};

}  // namespace chainshot::host
