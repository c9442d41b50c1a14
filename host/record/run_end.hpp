// When a record run ends: after a number of seconds, which no change of the clock touches, or at a time of day, which
// follows the clock of the system.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace chainshot::host {

class RunEnd {
 public:
  using Steady = std::chrono::steady_clock;
  using System = std::chrono::system_clock;

  RunEnd(std::optional<double> seconds, std::optional<System::time_point> until);

  double seconds_so_far() const { return std::chrono::duration<double>(Steady::now() - started_).count(); }
  // Returns nothing if the run has no end; never less than 0.
  std::optional<double> seconds_left() const;
  bool is_reached() const { return seconds_left().value_or(1) <= 0; }
  // Compares the clock of the system with the steady one. Returns a sentence if it was set by more than a minute since
  // the last call; else an empty string. Call it about once per second.
  std::string clock_jump();

 private:
  const Steady::time_point started_ = Steady::now();
  const std::optional<double> seconds_;
  const std::optional<System::time_point> until_;
  Steady::time_point steady_ = Steady::now();
  System::time_point system_ = System::now();
};

}  // namespace chainshot::host
