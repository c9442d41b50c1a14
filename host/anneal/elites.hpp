// The best lines of earlier rounds of annealing, one of each, for later rounds to go on from.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu/chain/chain.hpp"
#include "game/position.hpp"
#include "host/anneal/population.hpp"

namespace chainshot::host {

class Elites {
 public:
  // For a round that is cool. Keeps the best line of its members, before any of them descends from another round's.
  // Then a quarter of its places at most go to `best`, the best line of all, and, in turn, to those that were kept.
  void exchange(Population& population, const std::vector<game::Cell>& best, const cpu::Heat& heat);

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
