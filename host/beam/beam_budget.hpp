// The budget of a beam search in its own units: what a pass of a given width costs, how wide the next one may be, and
// how much narrower one under way must become to end in time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "host/beam/beam_pass.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

class BeamBudget {
 public:
  explicit BeamBudget(const Budget& budget) : budget_(budget) {}
  void begin(const SearchClock& clock) { clock_ = clock; }

  void add(std::uint64_t states, std::uint64_t children) {
    states_ += states;
    children_ += children;
  }
  std::uint64_t states() const { return states_; }
  std::uint64_t children() const { return children_; }
  double seconds() const { return clock_.seconds(); }
  bool is_timed() const { return clock_.is_limited(); }

  // The part of the budget that a pass may use: everything up to `share` of the whole.
  std::uint64_t states_left(double share = 1) const { return left(budget_.nodes, states_, share); }
  std::uint64_t children_left(double share = 1) const { return left(budget_.playouts, children_, share); }
  double seconds_left(double share = 1) const { return std::max(0.0, clock_.limit() * share - seconds()); }
  bool is_spent(double share = 1) const {
    return states_left(share) == 0 || children_left(share) == 0 || (is_timed() && seconds_left(share) <= 0);
  }

 private:
  static std::uint64_t left(std::uint64_t limit, std::uint64_t used, double share) {
    if (limit == 0) return std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t part = share >= 1 ? limit : static_cast<std::uint64_t>(static_cast<double>(limit) * share);
    return part - std::min(part, used);
  }

  const Budget budget_;
  SearchClock clock_;
  std::atomic<std::uint64_t> states_ = 0, children_ = 0;
};

// The cost of the last complete pass per state of its width, and how the work was spread over the buckets.
class PassCost {
 public:
  bool is_known() const { return width_ > 0; }

  void begin(int width, int blocks) {
    now_ = {};
    now_.width = width;
    now_.children_by_blocks.assign(static_cast<std::size_t>(blocks) + 1, 0);
  }
  // Adds what one bucket took.
  void add(int blocks, std::uint64_t states, std::uint64_t children, double seconds) {
    now_.states += states;
    now_.children += children;
    now_.seconds += seconds;
    now_.children_by_blocks[static_cast<std::size_t>(blocks)] += children;
  }
  void complete() {
    width_ = now_.width;
    last_ = now_;
  }

  // How wide a pass may be to take this much; infinity where there is no limit.
  double width_for(std::uint64_t states, std::uint64_t children, double seconds) const {
    const auto share = [](double limit, double cost) {
      return cost > 0 ? limit / cost : std::numeric_limits<double>::infinity();
    };
    constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();
    double factor = seconds / std::max(last_.seconds, 1e-9);
    if (states != kNoLimit)
      factor = std::min(factor, share(static_cast<double>(states), static_cast<double>(last_.states)));
    if (children != kNoLimit)
      factor = std::min(factor, share(static_cast<double>(children), static_cast<double>(last_.children)));
    return factor * width_;
  }

  // The children of buckets with fewer blocks, for each state of the width, by the last complete pass.
  double children_per_width_below(int blocks) const {
    std::uint64_t below = 0;
    for (std::size_t b = 0; b < static_cast<std::size_t>(blocks); ++b)
      below += last_.children_by_blocks[b];
    return static_cast<double>(below) / width_;
  }

 private:
  struct Totals {
    int width = 0;
    std::uint64_t states = 0, children = 0;
    double seconds = 0;
    std::vector<std::uint64_t> children_by_blocks;
  };

  int width_ = 0;
  Totals now_, last_;
};

}  // namespace chainshot::host
