#include "host/record/run_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace chainshot::host {

RunEnd::RunEnd(std::optional<double> seconds, std::optional<System::time_point> until)
    : seconds_(seconds), until_(until) {}

std::optional<double> RunEnd::seconds_left() const {
  std::optional<double> left;
  if (seconds_) left = *seconds_ - seconds_so_far();
  if (until_) {
    const double to_go = std::chrono::duration<double>(*until_ - System::now()).count();
    left = std::min(left.value_or(to_go), to_go);
  }
  if (left) left = std::max(0.0, *left);
  return left;
}

std::string RunEnd::clock_jump() {
  constexpr double kJump = 60;  // seconds; smaller steps are corrections of the clock
  const auto steady = Steady::now();
  const auto system = System::now();
  const double jump =
      std::chrono::duration<double>(system - system_).count() - std::chrono::duration<double>(steady - steady_).count();
  steady_ = steady;
  system_ = system;
  if (std::abs(jump) < kJump) return {};
  return fmt::format("the clock was set {} by {:.0f} s; {}", jump > 0 ? "forwards" : "back", std::abs(jump),
                     until_ ? "the end of the run follows the clock" : "the length of the run stays as it was");
}

}  // namespace chainshot::host
