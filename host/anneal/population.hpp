// The lines of population annealing and their descent: after a step of temperature each line is copied as often as its
// fitness deserves (systematic resampling with weights exp(fitness d(1/T))), so that the population follows the
// equilibrium of the temperature without each chain having to find it (Hukushima and Iba 2003).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cpu/chain/chain.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

// How often each of the members is to be copied so that `size` remain, by their weights; `offset` in [0, 1) is the
// draw. Each gets its share of `size`, rounded down or up.
std::vector<int> systematic_copies(const std::vector<double>& weights, int size, double offset);

class Population {
 public:
  // Room for `members`. A chain takes time and memory: each is made on its own, so that whoever makes them can stop.
  Population(const SearchTask& task, int members, std::vector<int> tabu_colors, std::uint64_t seed,
             cpu::Isa isa = cpu::best_isa());

  // A member starts from a random line, its tabu colour taken in turn. Members may be made at the same time.
  void make(int member);
  bool is_made(int member) const { return chains_[member] != nullptr; }
  // Those that were not made are left out, and as many more as it takes for a multiple of `together` to remain.
  void close(int together);

  int size() const { return static_cast<int>(chains_.size()); }
  cpu::Chain& chain(int member) { return *chains_[member]; }
  const cpu::Chain& chain(int member) const { return *chains_[member]; }

  // A member goes on from a line. Members may be started at the same time.
  void start(int member, const std::vector<game::Cell>& moves);
  // Resamples to `size` members, no more than there are, on the way from one temperature to a lower one. A member that
  // becomes a copy does so when it is settled, before anything else is asked of it.
  void resample(const cpu::Heat& heat, double from_temperature, double to_temperature, int size);
  // Members may be settled at the same time.
  void settle(int member);
  // A line from elsewhere takes the place of the least fit member.
  void admit(const std::vector<game::Cell>& moves, const cpu::Heat& heat);

 private:
  // A line that a chain is to go on from.
  struct Copy {
    std::size_t line;  // of lines_
    int tabu_color;
    std::uint64_t seed;
    int fitness;
  };

  std::uint64_t seed_of(std::uint64_t draw) const;
  std::uint64_t next_seed() { return seed_of(++draws_); }

  const SearchTask task_;
  std::vector<int> tabu_colors_;
  std::vector<std::unique_ptr<cpu::Chain>> chains_;
  std::vector<std::optional<Copy>> copies_;  // by member; empty where it is settled
  std::vector<std::vector<cpu::Block>> lines_;
  std::uint64_t seed_;
  cpu::Isa isa_;
  std::uint64_t draws_;
};

}  // namespace chainshot::host
