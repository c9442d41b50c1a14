#include "host/tree/parallel/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>
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
                     std::size_t memory_bytes, bool deterministic)
    : threads_(threads),
      in_flight_(in_flight > 0 ? static_cast<std::uint64_t>(in_flight) : std::numeric_limits<std::uint64_t>::max()),
      in_flight_of_all_(memory_bytes / kBytesOfWalk),
      deterministic_(deterministic),
      shelf_(terms),
      slots_(engines) {}

RoundReport Scheduler::run(std::span<const std::unique_ptr<Grove>> groves, const RoundPlan& plan,
                           const std::function<bool()>& halted) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point started = Clock::now();
  const std::vector<game::Usage> usages_before = slots_.usages();
  Round round{.walks = plan.walks,
              .leaf_playouts = plan.leaf_playouts,
              .in_flight = std::clamp<std::uint64_t>(in_flight_of_all_ / groves.size(), 1, in_flight_),
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
  const auto first_of = [&](std::size_t worker) { return stations.size() * worker / workers; };
  {
    std::vector<std::jthread> threads;
    std::size_t own = stations.size();  // the first so many are this thread's
    try {
      for (std::size_t i = workers - 1; i > 0; --i) {
        const std::size_t first = first_of(i);
        threads.emplace_back([&, share = std::span(stations).subspan(first, own - first)] { work(share, round); });
        own = first;
      }
    } catch (const std::system_error&) {  // the system has no more threads
    }
    work(std::span(stations).first(own), round);
  }
  if (round.error != nullptr) std::rethrow_exception(round.error);

  RoundReport report{.seconds = std::chrono::duration<double>(Clock::now() - started).count(),
                     .engines = slots_.speed_since(usages_before)};
  for (const Station& station : stations) {
    report.walks += station.report().walks;
    report.playouts += station.report().playouts;
    report.tree_seconds += station.report().tree_seconds;
  }
  return report;
}

}  // namespace chainshot::host
