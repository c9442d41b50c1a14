// Tracks what a tree search has spent of its budget, and tells how many walks the rest is worth. A tree search
// reads the time nowhere else.
#pragma once

#include <cstdint>

#include "host/search/search.hpp"

namespace chainshot::host {

class BudgetTracker {
 public:
  BudgetTracker(const Budget& budget, int blocks) : budget_(budget), units_per_playout_(kUnitsPerBlock * blocks) {}

  // From now on time is read from this clock.
  void begin(const SearchClock& clock) { clock_ = clock; }

  // Counts the work of the search since the start.
  struct Used {
    std::uint64_t walks = 0;
    std::uint64_t playouts = 0;
    std::uint64_t nodes = 0;
    std::uint64_t resource_units = 0;
  };
  void set_used(const Used& used) { used_ = used; }
  const Used& used() const { return used_; }

  // The share of the budget that is spent, by the limit that is nearest; 0 if there is no limit.
  double share() const;
  // Walks until that share of the budget is spent, by what walks have cost so far; 0 if it is spent.
  std::uint64_t walks_until(double share, double playouts_per_walk) const;
  // Whether only experience tells what walks cost. Then a round has few walks, so that it does not overspend.
  bool is_rough() const { return budget_.resource_units > 0; }
  // Playouts until that share is spent. The last walk, of `of_last_walk` playouts, may take more resource units than
  // are left.
  std::uint64_t playouts_until(double share, std::uint32_t of_last_walk) const;
  // Playouts that the whole budget is worth; infinity if it limits neither playouts nor resource units.
  double playouts_of_budget() const;
  // Walks that the whole budget is worth, leaving its time aside.
  double walks_of_budget(double playouts_per_walk) const;
  // Infinity if time is not limited.
  double seconds_of_budget() const;
  // The share of the budget that this many resource units are; 0 if the budget does not tell.
  double share_of_units(double units) const;

 private:
  // Resource units of a playout, per block of the board, until walks have been counted: a game of 225 blocks has 64
  // moves (Klein 2015, 2.5.1).
  static constexpr double kUnitsPerBlock = 64.0 / 225;

  double units_until(double share) const;
  // Resource units per walk or playout, of which `made` were made; before the first, those of `playouts` playouts.
  double units_per_item(std::uint64_t made, double playouts) const;

  const Budget budget_;
  const double units_per_playout_;
  Used used_;
  SearchClock clock_;
};

}  // namespace chainshot::host
