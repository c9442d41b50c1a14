// What a tree search has spent of its budget, and how many walks the rest is worth.
#pragma once

#include <chrono>
#include <cstdint>

#include "host/search/search.hpp"

namespace chainshot::host {

class BudgetTracker {
 public:
  BudgetTracker(const Budget& budget, int blocks) : budget_(budget), units_of_playout_(kUnitsOfBlock * blocks) {}

  // The clock starts.
  void begin() { started_ = std::chrono::steady_clock::now(); }

  // What was used since the start.
  struct Used {
    std::uint64_t walks = 0;
    std::uint64_t playouts = 0;
    std::uint64_t nodes = 0;
    std::uint64_t resource_units = 0;
  };
  void set_used(const Used& used) { used_ = used; }
  const Used& used() const { return used_; }

  double seconds() const;
  bool is_out_of_time() const { return budget_.seconds > 0 && seconds() >= budget_.seconds; }
  // Of the limit that is nearest; 0 if there is none.
  double share() const;
  // Walks of so many playouts until that share is spent, by what walks have cost so far. 0: it is spent.
  std::uint64_t walks_until(double share, double playouts_a_walk) const;
  // What walks cost is known by experience alone: a few at a time, lest they overspend.
  bool is_rough() const { return budget_.resource_units > 0; }
  // Playouts until that share is spent. The last walk may take more resource units than are left.
  std::uint64_t playouts_until(double share, std::uint32_t of_last_walk) const;
  // Playouts that the whole budget is worth; infinity if it counts neither them nor resource units.
  double playouts_of_budget() const;
  // Walks that the whole budget is worth as far as it is counted; time is not.
  double walks_of_budget(double playouts_a_walk) const;
  // Infinity if time is no limit.
  double seconds_of_budget() const;
  // The share of the budget that so many resource units are, as far as that can be said.
  double share_of_units(double units) const;

 private:
  // Resource units: a game of 225 blocks has 64 moves (Klein 2015, 2.5.1). A guess, before walks have been counted.
  static constexpr double kUnitsOfBlock = 64.0 / 225;

  double units_until(double share) const;
  double units_each(std::uint64_t made, double playouts) const;

  const Budget budget_;
  const double units_of_playout_;
  Used used_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace chainshot::host
