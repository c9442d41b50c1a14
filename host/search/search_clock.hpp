// The clock of a board's searches. A search may read it to plan ahead; only the runner (search_runner.hpp) enforces the
// deadline, by requesting a stop.
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
  // Returns infinity if there is no limit.
  double limit() const { return is_limited() ? limit_ : std::numeric_limits<double>::infinity(); }
  Clock::time_point started() const { return started_; }
  // Returns a time far in the future if there is no limit.
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
