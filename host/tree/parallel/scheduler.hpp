// Runs rounds of walks on the trees of a search. Threads share out the tree groups, and each runs the pumps
// (host/dispatch/batch_pump.hpp) of its own, so that an engine always has the next batch waiting.
//
// In a deterministic round every tree group has its share of the walks, two leaf batches of a fixed size in flight, and
// takes results in the order of submission. Then nothing depends on threads, engines or their speed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "game/engine.hpp"
#include "host/dispatch/engine_queues.hpp"
#include "host/tree/parallel/group_worker.hpp"
#include "host/tree/parallel/leaf_batch.hpp"
#include "host/tree/parallel/tree_group.hpp"
#include "host/tree/parallel/worker_threads.hpp"

namespace chainshot::host {

// The limits of a round.
struct RoundPlan {
  std::uint64_t walks;
  std::uint32_t leaf_playouts;
  std::uint64_t most_playouts;  // of all walks together
};

class Scheduler {
 public:
  // The engines outlive the scheduler. A tree group has `in_flight` walks in flight at most, 0 for no limit; all groups
  // together have no more than `memory_bytes` hold, or one each.
  Scheduler(const std::vector<game::Engine*>& engines, const RequestTerms& terms, int threads, int in_flight,
            std::size_t memory_bytes, bool deterministic);

  // Takes walks from the tree groups and returns when the results of all are entered; earlier if the groups have no
  // more walks or `halted` returns true. Throws std::runtime_error with one sentence if an engine fails.
  RoundReport run(std::span<const std::unique_ptr<TreeGroup>> tree_groups, const RoundPlan& plan,
                  const std::function<bool()>& halted);
  // Cancels the batches of a round that is halted. From any thread.
  void cancel() { queues_.cancel(); }
  // From any thread.
  EngineFigures figures() const { return queues_.figures(); }

 private:
  std::vector<GroupWorker> group_workers(std::span<const std::unique_ptr<TreeGroup>> tree_groups, const RoundPlan& plan,
                                         Round& round);

  const int threads_;
  const std::uint64_t in_flight_;         // per tree group
  const std::uint64_t in_flight_of_all_;  // of all tree groups together
  const bool deterministic_;
  LeafBatchPool batch_pool_;
  EngineQueues queues_;
  WorkerThreads worker_threads_;
};

}  // namespace chainshot::host
