// The members of population annealing and their descent. After a step of temperature each line is copied as often as
// its fitness deserves (systematic resampling with weights exp(fitness d(1/T))), so that the population follows the
// equilibrium of the temperature without each chain having to find it (Hukushima and Iba 2003).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "game/chain_engine.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

// How often each of the members is copied so that `size` remain, by their weights; `offset` in [0, 1) is the draw. Each
// gets its share of `size`, rounded down or up.
std::vector<int> systematic_copies(const std::vector<double>& weights, int size, double offset);

class Population {
 public:
  // Room for `members`, none of which is made yet. The engine outlives the population.
  Population(const SearchTask& task, game::ChainEngine& engine, int members, std::vector<int> tabu_colors,
             std::uint64_t seed);

  // Makes members from `first` to before `last`, each from a random line of its own; they take the tabu colours in
  // turn. A stop leaves out some of them.
  void make(int first, int last, game::ChainObserver& observer);
  void leave_out_unmade();
  // Leaves out the last members, so that a multiple of `together` remains.
  void trim(int together);

  int size() const { return static_cast<int>(members_.size()); }
  int tabu_color(int member) const { return members_[static_cast<std::size_t>(member)].tabu_color; }
  std::uint64_t slice() const { return chains_->slice(); }

  // Every second member goes on from the line that `line_for` makes for it, if there is one.
  void start_every_second(const std::function<std::optional<std::vector<game::Cell>>(int member)>& line_for,
                          game::ChainObserver& observer);
  // Resamples to `size` members, no more than there are, on the way from one temperature to a lower one.
  void resample(const game::AcceptanceTable& table, double from_temperature, double to_temperature, int size,
                game::ChainObserver& observer);
  // A line from elsewhere takes the place of the least fit member.
  void admit(const std::vector<game::Cell>& moves, const game::AcceptanceTable& table);
  void advance(const game::AcceptanceTable& table, std::uint64_t evaluations, game::ChainObserver& observer);

  // By member. The best line of a member is that of its chain, which may have followed other members' lines before.
  std::vector<int> fitness(const game::AcceptanceTable& table) const;
  std::vector<int> best_scores() const;
  std::vector<game::Cell> best_moves(int member) const;

 private:
  struct Member {
    int chain;
    int tabu_color;
  };

  std::vector<int> chains() const;
  std::uint64_t seed_of(std::uint64_t draw) const;
  std::uint64_t next_seed() { return seed_of(++draws_); }

  std::unique_ptr<game::ChainSet> chains_;
  std::vector<Member> members_;
  const std::uint64_t seed_;
  std::uint64_t draws_;
};

}  // namespace chainshot::host
