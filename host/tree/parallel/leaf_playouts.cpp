#include "host/tree/parallel/leaf_playouts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace chainshot::host {
namespace {

constexpr double kLeastWalks = 1024;                    // of a whole budget, where speeds choose
constexpr std::uint64_t kTellingRound = 256;            // walks: a shorter round tells little about speeds ...
constexpr double kTellingSeconds = 0.1;                 // ... unless it takes this long
constexpr double kMostPlayouts = 16384;                 // per leaf, where speeds choose
constexpr std::uint32_t kFirstDevicePlayouts = 256;     // until speeds are known
constexpr double kLeastMargin = 1.25, kMostMargin = 4;  // speed of trees per speed of engines
constexpr double kDeviceMargin = 2;                     // at first, while speeds are not well known
// The margin grows fast while a device is less busy than this, and shrinks slowly otherwise.
constexpr double kBusy = 0.97, kMarginGrowth = 1.15, kMarginDecay = 0.98;

bool any_device_among(const std::vector<game::Engine*>& engines) {
  return std::any_of(engines.begin(), engines.end(), [](auto* engine) { return !engine->capabilities().on_cpu; });
}

// The most playouts of a leaf within a budget. Where speeds choose, the budget must be worth some walks.
std::uint32_t most_within(double playouts, bool follow_speeds) {
  constexpr double kMost = 1 << 30;
  return static_cast<std::uint32_t>(std::clamp(playouts / (follow_speeds ? kLeastWalks : 1), 1.0, kMost));
}

}  // namespace

LeafPlayouts::LeafPlayouts(const TreeSettings& settings, double most, const std::vector<game::Engine*>& engines,
                           int workers)
    : workers_(workers),
      follow_speeds_(settings.leaf_playouts == 0 && !settings.deterministic),
      most_(most_within(most, follow_speeds_)),
      margin_(any_device_among(engines) ? kDeviceMargin : kLeastMargin) {
  std::uint32_t first = 1;
  if (settings.leaf_playouts > 0)
    first = static_cast<std::uint32_t>(settings.leaf_playouts);
  else if (settings.deterministic)
    first = kDeterministicPlayouts;
  else if (any_device_among(engines))
    first = kFirstDevicePlayouts;
  now_ = std::min(first, most_);
}

void LeafPlayouts::learn(const RoundReport& report) {
  const bool is_telling = report.walks >= kTellingRound || (report.walks > 0 && report.seconds >= kTellingSeconds);
  if (!follow_speeds_ || !is_telling || report.engines.rate <= 0) return;
  // The time of a walk varies: a device that had to wait needs a larger margin.
  const EngineSpeed& engines = report.engines;
  if (engines.devices > 0) {
    const double busy = engines.busy_devices / (report.seconds * engines.devices);
    margin_ = std::clamp(margin_ * (busy < kBusy ? kMarginGrowth : kMarginDecay), kLeastMargin, kMostMargin);
  } else {
    margin_ = kLeastMargin;
  }
  const auto playouts = static_cast<double>(report.playouts), walks = static_cast<double>(report.walks);
  const double walk_seconds = report.tree_seconds / walks / workers_;
  const double requests_per_walk = playouts / walks / now();  // more than one with look-ahead
  const double balanced = std::ceil(margin_ * engines.rate * walk_seconds / requests_per_walk);
  now_ = std::min({static_cast<std::uint32_t>(std::clamp(balanced, 1.0, kMostPlayouts)), 4 * now(), most_});
}

}  // namespace chainshot::host
