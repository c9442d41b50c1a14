// How a round of population annealing cools: temperatures fall geometrically, the population shrinks, and the bonus for
// a cleared board concentrates on cleared boards. The figures are from trials on random boards (docs/lab/annealing.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "host/anneal/annealing.hpp"

namespace chainshot::host {

inline constexpr int kLastMembers = 4;  // of an island, unless the user asks for others or a device runs it

// The number that the population is a multiple of: `usual`, or 1 where members that were asked for would be rounded.
inline int members_together(const AnnealSettings& settings, int usual) {
  return settings.members % usual == 0 && settings.last_members % kLastMembers == 0 ? usual : 1;
}

// Limits the steps asked for so that they leave every member some evaluations in each step, but no fewer than the usual
// number. With more steps all time would go into what happens between them.
inline int steps_served(int asked, std::uint64_t evaluations, int members) {
  constexpr std::uint64_t kLeast = 256;  // evaluations: a tenth of a millisecond or more
  const std::uint64_t served = evaluations / (kLeast * static_cast<std::uint64_t>(members));
  return static_cast<int>(std::min<std::uint64_t>(asked, std::max<std::uint64_t>(AnnealSettings{}.steps, served)));
}

class CoolingSchedule {
 public:
  // At every step the population is a multiple of `together`, so that threads that share the members end together.
  CoolingSchedule(const AnnealSettings& settings, const Temperatures& temperatures, int members, int together = 1)
      : settings_(settings),
        temperatures_(temperatures),
        members_(members),
        together_(together),
        turns_from_(settings.steps + 1) {
    for (int step = steps() - 1; step >= 0; --step)
      turns_from_[step] = turns_from_[step + 1] + static_cast<std::uint64_t>(this->members(step));
  }

  int steps() const { return settings_.steps; }
  int last_members() const { return settings_.last_members; }
  double temperature(int step) const { return between(temperatures_.hot, temperatures_.cold, step); }
  // Blocks left over which the bonus for a cleared board is spread.
  double soft(int step) const { return between(settings_.soft_start, settings_.soft_end, step); }
  int members(int step) const {
    const double exact = between(members_, std::min(members_, settings_.last_members), step);
    return std::max(1, static_cast<int>(std::lround(exact / together_))) * together_;
  }
  // Members summed over the steps from this one on; the evaluations left are divided by it.
  std::uint64_t turns_from(int step) const { return turns_from_[step]; }

 private:
  double between(double first, double last, int step) const {
    return steps() == 1 ? last : first * std::pow(last / first, static_cast<double>(step) / (steps() - 1));
  }

  AnnealSettings settings_;
  Temperatures temperatures_;
  int members_;
  int together_;
  std::vector<std::uint64_t> turns_from_;  // by step, and 0 after the last; each step asks, and there may be a million
};

}  // namespace chainshot::host
