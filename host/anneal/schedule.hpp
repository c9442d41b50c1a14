// How a round of population annealing spends its evaluations: temperatures fall geometrically, the population shrinks,
// and the bonus for a cleared board hardens. Figures from trials on random boards (docs/annealing.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "host/anneal/annealing.hpp"

namespace chainshot::host {

class CoolingSchedule {
 public:
  // The population is a multiple of `together` at every step, so that threads which share the members end together.
  CoolingSchedule(const AnnealSettings& settings, int members, int together = 1)
      : settings_(settings), members_(members), together_(together) {}

  int steps() const { return settings_.steps; }
  double temperature(int step) const { return between(settings_.hot, settings_.cold, step); }
  // Blocks left over which the bonus for a cleared board is spread.
  double soft(int step) const { return between(settings_.soft_start, settings_.soft_end, step); }
  int members(int step) const {
    const double exact = between(members_, std::min(members_, settings_.last_members), step);
    return std::max(1, static_cast<int>(std::lround(exact / together_))) * together_;
  }
  // Members added up over the steps from this one on: what the evaluations left are divided by.
  std::uint64_t turns_from(int step) const {
    std::uint64_t turns = 0;
    for (; step < steps(); ++step)
      turns += static_cast<std::uint64_t>(members(step));
    return turns;
  }

 private:
  double between(double first, double last, int step) const {
    return steps() == 1 ? last : first * std::pow(last / first, static_cast<double>(step) / (steps() - 1));
  }

  AnnealSettings settings_;
  int members_;
  int together_;
};

}  // namespace chainshot::host
