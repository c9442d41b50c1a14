#include "host/tree/spending.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace chainshot::host {
namespace {

constexpr double kFirstWalks = 64;  // walks of a time budget before their speed is known

}  // namespace

double Spending::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

double Spending::share() const {
  double most = 0;
  const auto count = [&](double used, double limit) {
    if (limit > 0) most = std::max(most, used / limit);
  };
  count(seconds(), budget_.seconds);
  count(static_cast<double>(used_.playouts), static_cast<double>(budget_.playouts));
  count(static_cast<double>(used_.nodes), static_cast<double>(budget_.nodes));
  count(static_cast<double>(used_.resource_units), static_cast<double>(budget_.resource_units));
  return most;
}

std::uint64_t Spending::walks_until(double share, double playouts_a_walk) const {
  constexpr double kMost = 1e15;
  double walks = kMost;
  const auto limit = [&](double used, double most, double a_walk) {
    if (most > 0) walks = std::min(walks, (share * most - used) / a_walk);
  };
  const double walked = static_cast<double>(used_.walks);
  const auto each = [&](std::uint64_t used, double guess) {
    return used_.walks == 0 || used == 0 ? guess : static_cast<double>(used) / walked;
  };
  limit(static_cast<double>(used_.playouts), static_cast<double>(budget_.playouts), playouts_a_walk);
  limit(static_cast<double>(used_.nodes), static_cast<double>(budget_.nodes), 1);
  walks = std::floor(walks);
  // Of these, the last walk may take more than is left.
  double rough = kMost;
  if (budget_.resource_units > 0) {
    const double units = each(used_.resource_units, units_of_playout_ * playouts_a_walk);
    const double left = share * static_cast<double>(budget_.resource_units) - static_cast<double>(used_.resource_units);
    rough = std::ceil(left / units);
  }
  if (budget_.seconds > 0) {
    const double now = seconds(), left = share * budget_.seconds - now;
    rough = std::min(rough, used_.walks == 0 ? kFirstWalks : std::ceil(left * walked / now));
    if (left <= 0) rough = 0;
  }
  return static_cast<std::uint64_t>(std::max(0.0, std::min(walks, rough)));
}

std::uint64_t Spending::playouts_until(double share) const {
  if (budget_.playouts == 0) return std::numeric_limits<std::uint64_t>::max();
  const double left = share * static_cast<double>(budget_.playouts) - static_cast<double>(used_.playouts);
  return left < 1 ? 0 : static_cast<std::uint64_t>(left);
}

double Spending::walks_of_budget(double playouts_a_walk) const {
  double walks = std::numeric_limits<double>::infinity();
  const auto limit = [&](std::uint64_t most, double a_walk) {
    if (most > 0) walks = std::min(walks, static_cast<double>(most) / a_walk);
  };
  limit(budget_.playouts, playouts_a_walk);
  limit(budget_.nodes, 1);
  limit(budget_.resource_units, units_of_playout_ * playouts_a_walk);
  return walks;
}

double Spending::seconds_of_budget() const {
  return budget_.seconds > 0 ? budget_.seconds : std::numeric_limits<double>::infinity();
}

double Spending::share_of_units(double units) const {
  if (budget_.resource_units > 0) return units / static_cast<double>(budget_.resource_units);
  const std::uint64_t playouts = std::max(budget_.playouts, budget_.nodes);
  return playouts > 0 ? units / (units_of_playout_ * static_cast<double>(playouts)) : 0;
}

}  // namespace chainshot::host
