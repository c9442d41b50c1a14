// The best lines of earlier rounds of annealing, one of each round, for later rounds to go on from.
#pragma once

#include <cstddef>
#include <vector>

#include "game/chain.hpp"
#include "game/position.hpp"
#include "host/anneal/population.hpp"

namespace chainshot::host {

class Elites {
 public:
  // For a round that has cooled. Keeps the best line of its members, before any of them descends from another round.
  // Then up to a quarter of the members give their places to `best`, the best line of all, and to the lines that were
  // kept, which take turns.
  void exchange(Population& population, const std::vector<game::Cell>& best, const game::AcceptanceTable& table);

  std::size_t size() const { return lines_.size(); }
  const std::vector<game::Cell>& moves(std::size_t i) const { return lines_[i].moves; }  // the best first

 private:
  static constexpr std::size_t kMost = 16;

  struct Line {
    int score;
    std::vector<game::Cell> moves;
  };

  void keep(Line line);

  std::vector<Line> lines_;
  std::size_t next_ = 0;  // to be admitted
};

}  // namespace chainshot::host
