#include "host/tree/leaf_playouts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace chainshot::host {
namespace {

constexpr std::uint64_t kLeastWalks = 1024;             // that a budget of playouts is worth, where speeds choose
constexpr std::uint64_t kTellingRound = 256;            // walks: shorter rounds say little of speeds
constexpr double kMostPlayouts = 16384;                 // where speeds choose
constexpr std::uint32_t kFirstDevicePlayouts = 256;     // until speeds are known
constexpr double kLeastMargin = 1.25, kMostMargin = 4;  // of trees over engines
constexpr double kDeviceMargin = 2;                     // at first: speeds are not well known yet
// A device that is less busy lets the margin grow, fast; else it shrinks, slowly.
constexpr double kBusy = 0.97, kMarginGrowth = 1.15, kMarginDecay = 0.98;

int devices_among(const std::vector<game::Engine*>& engines) {
  const bool any_on_cpu =
      std::any_of(engines.begin(), engines.end(), [](auto* engine) { return engine->capabilities().on_cpu; });
  return any_on_cpu ? 0 : static_cast<int>(engines.size());
}

// No leaf has more than a budget of playouts, and where speeds choose that is worth some walks.
std::uint32_t most_within(const Budget& budget, bool follow_speeds) {
  if (budget.playouts == 0) return std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t walks = follow_speeds ? kLeastWalks : 1;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(budget.playouts / walks, 1, 1 << 30));
}

}  // namespace

LeafPlayouts::LeafPlayouts(const TreeSettings& settings, const Budget& budget,
                           const std::vector<game::Engine*>& engines, int workers)
    : workers_(workers),
      devices_(devices_among(engines)),
      follow_speeds_(settings.leaf_playouts == 0 && !settings.deterministic),
      most_(most_within(budget, follow_speeds_)),
      margin_(devices_ > 0 ? kDeviceMargin : kLeastMargin) {
  std::uint32_t first = 1;
  if (settings.leaf_playouts > 0)
    first = static_cast<std::uint32_t>(settings.leaf_playouts);
  else if (settings.deterministic)
    first = kDeterministicPlayouts;
  else if (devices_ > 0)
    first = kFirstDevicePlayouts;
  now_ = std::min(first, most_);
}

void LeafPlayouts::learn(const RoundReport& report) {
  if (!follow_speeds_ || report.walks < kTellingRound || report.engine_seconds <= 0) return;
  // Walks take now more, now less: a device that has waited wants more room for that.
  if (devices_ > 0) {
    const double busy = report.engine_seconds / (report.seconds * devices_);
    margin_ = std::clamp(margin_ * (busy < kBusy ? kMarginGrowth : kMarginDecay), kLeastMargin, kMostMargin);
  }
  const auto playouts = static_cast<double>(report.playouts), walks = static_cast<double>(report.walks);
  const double playouts_per_second = playouts / report.engine_seconds;
  const double walk_seconds = report.tree_seconds / walks / workers_;
  const double requests_a_walk = playouts / walks / now();  // more than one with look-ahead
  const double balanced = std::ceil(margin_ * playouts_per_second * walk_seconds / requests_a_walk);
  now_ = std::min({static_cast<std::uint32_t>(std::clamp(balanced, 1.0, kMostPlayouts)), 4 * now(), most_});
}

}  // namespace chainshot::host
