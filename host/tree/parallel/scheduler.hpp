// Keeps engines full of leaf_batches. Threads share out the tree_groups; each fills leaf_batches from its own and books
// those that come back, so that an engine always has the next batch waiting. A batch is as large as its engine
// recommends; a smaller one goes out when there are not walks enough. Several engines take leaf_batches as fast as they
// hand them in.
//
// Deterministic: every tree_group has its share of the walks, two leaf_batches of a fixed size in flight, and books
// them in the order they left. Then nothing depends on threads, engines or their speed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "game/engine.hpp"
#include "host/dispatch/engine_slots.hpp"
#include "host/tree/parallel/group_worker.hpp"
#include "host/tree/parallel/leaf_batch.hpp"
#include "host/tree/parallel/tree_group.hpp"

namespace chainshot::host {

// What a round may take.
struct RoundPlan {
  std::uint64_t walks;
  std::uint32_t leaf_playouts;
  std::uint64_t most_playouts;  // all of them together
};

class Scheduler {
 public:
  // The engines outlive the scheduler. `in_flight`: walks of a tree_group at most, 0 if it does not matter; all
  // tree_groups together have no more in flight than `memory_bytes` hold, or one each.
  Scheduler(const std::vector<game::Engine*>& engines, const RequestTerms& terms, int threads, int in_flight,
            std::size_t memory_bytes, bool deterministic);

  // Takes walks from the tree_groups and returns when all are booked; earlier if the tree_groups have no more to give
  // or `halted` says so. Throws std::runtime_error with one sentence if an engine fails.
  RoundReport run(std::span<const std::unique_ptr<TreeGroup>> tree_groups, const RoundPlan& plan,
                  const std::function<bool()>& halted);
  // Once a round is halted: its batches are not waited for. From any thread.
  void cancel() { slots_.cancel(); }
  // From any thread.
  EngineFigures figures() const { return slots_.figures(); }

 private:
  const int threads_;
  const std::uint64_t in_flight_;
  const std::uint64_t in_flight_of_all_;
  const bool deterministic_;
  LeafBatchPool batch_pool_;
  EngineSlots slots_;
};

}  // namespace chainshot::host
