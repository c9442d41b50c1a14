// The members of population annealing and their descent, on one island or on many that do not meet. After a step of
// temperature each line of an island is copied as often as its fitness deserves (systematic resampling with weights
// exp(fitness d(1/T))), so that the island follows the equilibrium of the temperature without each chain having to find
// it (Hukushima and Iba 2003).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "game/chain_engine.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

class Population {
 public:
  // Room for islands of `members`, none of which is made yet. The engine outlives the population.
  Population(const SearchTask& task, game::ChainEngine& engine, int islands, int members, std::vector<int> tabu_colors,
             std::uint64_t seed);

  // Makes the members from `first` to before `last` of every island, each from a random line of its own; they take the
  // tabu colours in turn. A stop leaves out some of them.
  void make(int first, int last, game::ChainObserver& observer);
  // Keeps the first members of each island: as many as were made in all of them, down to a multiple of `together`.
  void keep_made(int together);

  int islands() const { return islands_; }
  int members() const { return chains_->members(); }  // of each island
  int size() const { return islands() * members(); }
  std::uint64_t slice() const { return chains_->slice(); }
  double busy_seconds() const { return chains_->busy_seconds(); }

  // Resamples each island to `members`, no more than there are, on the way from one temperature to a lower one.
  void resample(const game::AcceptanceTable& table, double from_temperature, double to_temperature, int members);
  // Lines from elsewhere take the places of the least fit members of their islands. An island gets no more lines than
  // it has members.
  struct Newcomer {
    int island;
    const std::vector<game::Cell>* moves;
  };
  void admit(const std::vector<Newcomer>& newcomers, const game::AcceptanceTable& table);
  void advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each, game::ChainObserver& observer);

  // By chain: the members that live.
  std::vector<int> fitness(const game::AcceptanceTable& table) const { return chains_->fitness(table); }
  // By chain: all that were ever made. A chain may have followed other members' lines before.
  std::vector<int> best_scores() const { return chains_->best_scores(); }
  std::vector<game::Cell> best_moves(int chain) const { return chains_->best_moves(chain); }
  // The best line of an island so far.
  int best_chain(const std::vector<int>& best_scores, int island) const;

 private:
  std::uint64_t next_seed();
  int next_tabu_color();

  const int islands_;
  const int room_;  // members of each island at the start
  const std::vector<int> tabu_colors_;
  const std::uint64_t seed_;
  std::uint64_t draws_ = 0;
  std::unique_ptr<game::ChainSet> chains_;
};

}  // namespace chainshot::host
