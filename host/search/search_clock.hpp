// The clock of a board's search. Searches read it to plan; only the runner (search_runner.hpp) enforces the deadline,
// by requesting a stop.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace chainshot::host {

class SearchClock {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts now, without a limit or with one of `limit` seconds (0: none).
  SearchClock() = default;
  explicit SearchClock(double limit) : limit_(limit) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
  bool is_limited() const { return limit_ > 0; }
  // Infinity without a limit.
  double limit() const { return is_limited() ? limit_ : std::numeric_limits<double>::infinity(); }
  Clock::time_point started() const { return started_; }
  // Far in the future without a limit.
  Clock::time_point deadline() const {
    constexpr double kLongest = 1e8;  // three years; more would overflow the clock
    if (!is_limited()) return Clock::time_point::max();
    return started_ +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(limit_, kLongest)));
  }

 private:
  Clock::time_point started_ = Clock::now();
  double limit_ = 0;
};

}  // namespace chainshot::host
