#include "host/tree/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

namespace chainshot::host {
namespace {

// One thread's stations, until all are done.
void work(std::span<Station> stations, Round& round) {
  try {
    for (;;) {
      bool progressed = false, is_done = true;
      for (Station& station : stations) {
        progressed |= station.turn();
        is_done &= station.is_done();
      }
      if (is_done) return;
      if (progressed) continue;
      for (Station& station : stations) {
        if (!station.has_flights()) continue;
        station.wait();
        break;
      }
    }
  } catch (...) {
    round.fail(std::current_exception());
    for (Station& station : stations)
      station.abandon_flights();
  }
}

}  // namespace

Scheduler::Scheduler(const std::vector<game::Engine*>& engines, const RequestTerms& terms, int threads, int in_flight,
                     bool deterministic)
    : threads_(threads),
      in_flight_(in_flight > 0 ? static_cast<std::uint64_t>(in_flight) : std::numeric_limits<std::uint64_t>::max()),
      deterministic_(deterministic),
      shelf_(terms),
      slots_(engines) {}

RoundReport Scheduler::run(std::span<const std::unique_ptr<Grove>> groves, const RoundPlan& plan,
                           const std::function<bool()>& halted) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point started = Clock::now();
  const double busy_before = slots_.figures().busy_seconds;
  Round round{.walks = plan.walks,
              .leaf_playouts = plan.leaf_playouts,
              .in_flight = in_flight_,
              .deterministic = deterministic_,
              .halted = halted};
  std::vector<Station> stations;
  stations.reserve(groves.size());
  // Groves without a tree get nothing.
  const auto has_tree = [](const auto& grove) { return !grove->plots().empty(); };
  const auto planted =
      static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(1, std::count_if(groves.begin(), groves.end(), has_tree)));
  std::uint64_t place = 0;
  const auto share = [&](std::uint64_t all) { return all / planted + (place < all % planted ? 1 : 0); };
  for (const auto& grove : groves) {
    const bool is_planted = has_tree(grove);
    stations.emplace_back(*grove, shelf_, slots_, round, is_planted ? share(plan.walks) : 0,
                          is_planted ? share(plan.most_playouts / plan.leaf_playouts) * plan.leaf_playouts : 0);
    if (is_planted) ++place;
  }
  slots_.open(static_cast<int>(groves.size()));

  const std::size_t workers = std::clamp<std::size_t>(static_cast<std::size_t>(threads_), 1, groves.size());
  const auto share_of = [&](std::size_t worker) {
    const std::size_t first = stations.size() * worker / workers, last = stations.size() * (worker + 1) / workers;
    return std::span(stations).subspan(first, last - first);
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < workers; ++i)
      threads.emplace_back([&, i] { work(share_of(i), round); });
    work(share_of(0), round);
  }
  if (round.error != nullptr) std::rethrow_exception(round.error);

  RoundReport report{.seconds = std::chrono::duration<double>(Clock::now() - started).count(),
                     .engine_seconds = slots_.figures().busy_seconds - busy_before};
  for (const Station& station : stations) {
    report.walks += station.report().walks;
    report.playouts += station.report().playouts;
    report.tree_seconds += station.report().tree_seconds;
  }
  return report;
}

}  // namespace chainshot::host
