#include "host/tree/budget_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace chainshot::host {
namespace {

constexpr double kFirstWalks = 64;  // walks of a time budget before their speed is known
constexpr double kMost = 1e15;      // walks or playouts where nothing limits them

}  // namespace

double BudgetTracker::share() const {
  double most = 0;
  const auto count = [&](double used, double limit) {
    if (limit > 0) most = std::max(most, used / limit);
  };
  count(clock_.seconds(), budget_.seconds);
  count(static_cast<double>(used_.playouts), static_cast<double>(budget_.playouts));
  count(static_cast<double>(used_.nodes), static_cast<double>(budget_.nodes));
  count(static_cast<double>(used_.resource_units), static_cast<double>(budget_.resource_units));
  return most;
}

std::uint64_t BudgetTracker::walks_until(double share, double playouts_per_walk) const {
  double walks = kMost;
  const auto limit = [&](double used, double most, double per_walk) {
    if (most > 0) walks = std::min(walks, (share * most - used) / per_walk);
  };
  const double walked = static_cast<double>(used_.walks);
  limit(static_cast<double>(used_.playouts), static_cast<double>(budget_.playouts), playouts_per_walk);
  limit(static_cast<double>(used_.nodes), static_cast<double>(budget_.nodes), 1);
  walks = std::floor(walks);
  // The last walk may take more units or seconds than are left.
  double rough = kMost;
  if (budget_.resource_units > 0) {
    rough = std::round(units_until(share) / units_per_item(used_.walks, playouts_per_walk));
    if (used_.walks == 0) rough = std::max(1.0, rough);
  }
  if (budget_.seconds > 0) {
    const double now = clock_.seconds(), left = share * budget_.seconds - now;
    rough = std::min(rough, used_.walks == 0 ? kFirstWalks : std::ceil(left * walked / now));
    if (left <= 0) rough = 0;
  }
  return static_cast<std::uint64_t>(std::max(0.0, std::min(walks, rough)));
}

std::uint64_t BudgetTracker::playouts_until(double share, std::uint32_t of_last_walk) const {
  double left = kMost;
  if (budget_.playouts > 0) left = share * static_cast<double>(budget_.playouts) - static_cast<double>(used_.playouts);
  if (const double units = units_until(share); budget_.resource_units > 0 && units > 0)
    left = std::min(left, std::max<double>(of_last_walk, std::ceil(units / units_per_item(used_.playouts, 1))));
  return left < 1 ? 0 : static_cast<std::uint64_t>(left);
}

double BudgetTracker::units_until(double share) const {
  return share * static_cast<double>(budget_.resource_units) - static_cast<double>(used_.resource_units);
}

double BudgetTracker::units_per_item(std::uint64_t made, double playouts) const {
  return made == 0 || used_.resource_units == 0 ? units_per_playout_ * playouts
                                                : static_cast<double>(used_.resource_units) / static_cast<double>(made);
}

double BudgetTracker::playouts_of_budget() const {
  double playouts = std::numeric_limits<double>::infinity();
  if (budget_.playouts > 0) playouts = static_cast<double>(budget_.playouts);
  if (budget_.resource_units > 0)
    playouts = std::min(playouts, static_cast<double>(budget_.resource_units) / units_per_playout_);
  return playouts;
}

double BudgetTracker::walks_of_budget(double playouts_per_walk) const {
  const double walks = playouts_of_budget() / playouts_per_walk;
  return budget_.nodes > 0 ? std::min(walks, static_cast<double>(budget_.nodes)) : walks;
}

double BudgetTracker::seconds_of_budget() const {
  return budget_.seconds > 0 ? budget_.seconds : std::numeric_limits<double>::infinity();
}

double BudgetTracker::share_of_units(double units) const {
  if (budget_.resource_units > 0) return units / static_cast<double>(budget_.resource_units);
  const std::uint64_t playouts = std::max(budget_.playouts, budget_.nodes);
  return playouts > 0 ? units / (units_per_playout_ * static_cast<double>(playouts)) : 0;
}

}  // namespace chainshot::host
