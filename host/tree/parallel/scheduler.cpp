#include "host/tree/parallel/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace chainshot::host {

Scheduler::Scheduler(const std::vector<game::Engine*>& engines, const RequestTerms& terms, int threads, int in_flight,
                     std::size_t memory_bytes, bool deterministic)
    : threads_(threads),
      in_flight_(in_flight > 0 ? static_cast<std::uint64_t>(in_flight) : std::numeric_limits<std::uint64_t>::max()),
      in_flight_of_all_(memory_bytes / kBytesOfWalk),
      deterministic_(deterministic),
      batch_pool_(terms),
      queues_(engines, kTreeBatchSizing) {}

// Tree groups that have a tree get an equal share of walks and playouts, the others none.
std::vector<GroupWorker> Scheduler::group_workers(std::span<const std::unique_ptr<TreeGroup>> tree_groups,
                                                  const RoundPlan& plan, Round& round) {
  const auto has_tree = [](const auto& tree_group) { return !tree_group->rooted_trees().empty(); };
  const auto with_trees = static_cast<std::uint64_t>(
      std::max<std::ptrdiff_t>(1, std::count_if(tree_groups.begin(), tree_groups.end(), has_tree)));
  std::uint64_t place = 0;  // among the groups that have a tree
  const auto share = [&](std::uint64_t all) { return all / with_trees + (place < all % with_trees ? 1 : 0); };
  std::vector<GroupWorker> workers;
  workers.reserve(tree_groups.size());
  for (const auto& tree_group : tree_groups) {
    if (!has_tree(tree_group)) {
      workers.emplace_back(*tree_group, batch_pool_, queues_, round, 0, 0);
      continue;
    }
    workers.emplace_back(*tree_group, batch_pool_, queues_, round, share(plan.walks),
                         share(plan.most_playouts / plan.leaf_playouts) * plan.leaf_playouts);
    ++place;
  }
  return workers;
}

RoundReport Scheduler::run(std::span<const std::unique_ptr<TreeGroup>> tree_groups, const RoundPlan& plan,
                           const std::function<bool()>& halted) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point started = Clock::now();
  const std::vector<game::Usage> usages_before = queues_.usages();
  Round round{.walks = plan.walks,
              .leaf_playouts = plan.leaf_playouts,
              .in_flight = std::clamp<std::uint64_t>(in_flight_of_all_ / tree_groups.size(), 1, in_flight_),
              .deterministic = deterministic_,
              .halted = halted};
  std::vector<GroupWorker> workers = group_workers(tree_groups, plan, round);
  std::vector<BatchPump<std::unique_ptr<LeafBatch>>> pumps;
  for (GroupWorker& worker : workers)
    pumps.emplace_back(queues_, worker, deterministic_ ? ResultOrder::kAsSubmitted : ResultOrder::kAsReady);
  queues_.open(static_cast<int>(tree_groups.size()));

  const std::size_t threads = std::clamp<std::size_t>(static_cast<std::size_t>(threads_), 1, tree_groups.size());
  worker_threads_.run(threads, [&](std::size_t i) {
    const std::size_t first = pumps.size() * i / threads, end = pumps.size() * (i + 1) / threads;
    try {
      run_pumps(std::span(pumps).subspan(first, end - first));
    } catch (...) {
      round.fail(std::current_exception());
    }
  });
  if (round.error != nullptr) std::rethrow_exception(round.error);

  RoundReport report{.seconds = std::chrono::duration<double>(Clock::now() - started).count(),
                     .engines = queues_.speed_since(usages_before)};
  for (const GroupWorker& worker : workers) {
    report.walks += worker.report().walks;
    report.playouts += worker.report().playouts;
    report.tree_seconds += worker.report().tree_seconds;
  }
  return report;
}

}  // namespace chainshot::host
