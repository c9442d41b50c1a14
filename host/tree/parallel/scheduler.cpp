#include "host/tree/parallel/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

namespace chainshot::host {
namespace {

// One thread's group_workers, until all are done.
void work(std::span<GroupWorker> group_workers, Round& round) {
  try {
    for (;;) {
      bool progressed = false, is_done = true;
      for (GroupWorker& group_worker : group_workers) {
        progressed |= group_worker.turn();
        is_done &= group_worker.is_done();
      }
      if (is_done) return;
      if (progressed) continue;
      for (GroupWorker& group_worker : group_workers) {
        if (!group_worker.has_flights()) continue;
        group_worker.wait();
        break;
      }
    }
  } catch (...) {
    round.fail(std::current_exception());
    for (GroupWorker& group_worker : group_workers)
      group_worker.abandon_flights();
  }
}

}  // namespace

Scheduler::Scheduler(const std::vector<game::Engine*>& engines, const RequestTerms& terms, int threads, int in_flight,
                     std::size_t memory_bytes, bool deterministic)
    : threads_(threads),
      in_flight_(in_flight > 0 ? static_cast<std::uint64_t>(in_flight) : std::numeric_limits<std::uint64_t>::max()),
      in_flight_of_all_(memory_bytes / kBytesOfWalk),
      deterministic_(deterministic),
      batch_pool_(terms),
      slots_(engines) {}

RoundReport Scheduler::run(std::span<const std::unique_ptr<TreeGroup>> tree_groups, const RoundPlan& plan,
                           const std::function<bool()>& halted) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point started = Clock::now();
  const std::vector<game::Usage> usages_before = slots_.usages();
  Round round{.walks = plan.walks,
              .leaf_playouts = plan.leaf_playouts,
              .in_flight = std::clamp<std::uint64_t>(in_flight_of_all_ / tree_groups.size(), 1, in_flight_),
              .deterministic = deterministic_,
              .halted = halted};
  std::vector<GroupWorker> group_workers;
  group_workers.reserve(tree_groups.size());
  // TreeGroups without a tree get nothing.
  const auto has_tree = [](const auto& tree_group) { return !tree_group->rooted_trees().empty(); };
  const auto planted = static_cast<std::uint64_t>(
      std::max<std::ptrdiff_t>(1, std::count_if(tree_groups.begin(), tree_groups.end(), has_tree)));
  std::uint64_t place = 0;
  const auto share = [&](std::uint64_t all) { return all / planted + (place < all % planted ? 1 : 0); };
  for (const auto& tree_group : tree_groups) {
    const bool is_planted = has_tree(tree_group);
    group_workers.emplace_back(*tree_group, batch_pool_, slots_, round, is_planted ? share(plan.walks) : 0,
                               is_planted ? share(plan.most_playouts / plan.leaf_playouts) * plan.leaf_playouts : 0);
    if (is_planted) ++place;
  }
  slots_.open(static_cast<int>(tree_groups.size()));

  const std::size_t workers = std::clamp<std::size_t>(static_cast<std::size_t>(threads_), 1, tree_groups.size());
  const auto first_of = [&](std::size_t worker) { return group_workers.size() * worker / workers; };
  {
    std::vector<std::jthread> threads;
    std::size_t own = group_workers.size();  // the first so many are this thread's
    try {
      for (std::size_t i = workers - 1; i > 0; --i) {
        const std::size_t first = first_of(i);
        threads.emplace_back([&, share = std::span(group_workers).subspan(first, own - first)] { work(share, round); });
        own = first;
      }
    } catch (const std::system_error&) {  // the system has no more threads
    }
    work(std::span(group_workers).first(own), round);
  }
  if (round.error != nullptr) std::rethrow_exception(round.error);

  RoundReport report{.seconds = std::chrono::duration<double>(Clock::now() - started).count(),
                     .engines = slots_.speed_since(usages_before)};
  for (const GroupWorker& group_worker : group_workers) {
    report.walks += group_worker.report().walks;
    report.playouts += group_worker.report().playouts;
    report.tree_seconds += group_worker.report().tree_seconds;
  }
  return report;
}

}  // namespace chainshot::host
