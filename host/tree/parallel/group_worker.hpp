// A tree group at work in a round: the client of the dispatch layer that fills leaf batches with walks of its trees and
// enters their results. A group belongs to one thread during a round.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "host/dispatch/batch_pump.hpp"
#include "host/dispatch/engine_queues.hpp"
#include "host/tree/parallel/leaf_batch.hpp"
#include "host/tree/parallel/tree_group.hpp"

namespace chainshot::host {

// A CPU engine needs smaller batches than it recommends: more walks in flight make the trees blinder. Trees that know
// much suffer less, and the walks of a larger batch share more of their way, so batches grow with the trees.
inline constexpr BatchSizing kTreeBatchSizing{.cpu_divisor = 16, .cpu_growth = 4};

// The cost of a round of walks.
struct RoundReport {
  std::uint64_t walks = 0;
  std::uint64_t playouts = 0;
  double seconds = 0;       // by the clock
  double tree_seconds = 0;  // CPU time that the threads spent in the trees
  EngineSpeed engines;
};

// The group workers of a round share this.
struct Round {
  std::uint64_t walks;
  std::uint32_t leaf_playouts;
  std::uint64_t in_flight;  // walks per tree group at most
  bool deterministic;
  std::function<bool()> halted;
  std::atomic<std::int64_t> left{static_cast<std::int64_t>(walks)};  // walks that no tree group has reserved
  std::atomic<bool> failed = false;
  std::mutex mutex = {};  // guards what follows
  std::exception_ptr error = nullptr;

  bool is_over() const { return failed.load(std::memory_order_relaxed) || halted(); }
  void fail(std::exception_ptr thrown);
};

// Leaf batches that wait to be used again: their walks are large.
class LeafBatchPool {
 public:
  explicit LeafBatchPool(const RequestTerms& terms) : terms_(terms) {}
  std::unique_ptr<LeafBatch> take();
  void put(std::unique_ptr<LeafBatch> leaf_batch);

 private:
  const RequestTerms terms_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<LeafBatch>> leaf_batches_;
};

using FilledLeafBatch = FilledBatch<std::unique_ptr<LeafBatch>>;

class GroupWorker final : public BatchClient<std::unique_ptr<LeafBatch>> {
 public:
  // In a deterministic round `share` of the walks are this group's. It asks for `most_playouts` at most.
  GroupWorker(TreeGroup& tree_group, LeafBatchPool& batch_pool, const EngineQueues& queues, Round& round,
              std::uint64_t share, std::uint64_t most_playouts);

  std::optional<FilledLeafBatch> fill(int engine) override;
  // Throws std::runtime_error if a line that an engine found does not replay.
  void take(std::unique_ptr<LeafBatch> leaf_batch, std::vector<game::Result> results) override;
  void give_back(std::unique_ptr<LeafBatch> leaf_batch) override;
  const RoundReport& report() const { return report_; }

 private:
  bool may_walk();
  // Returns whether there were walks, which may all have ended inside the tree.
  bool walk(LeafBatch& leaf_batch, int engine);
  std::uint64_t batch_size(int engine) const;
  std::uint64_t reserve(std::uint64_t wanted);
  void return_unused(std::uint64_t walks);

  TreeGroup& tree_group_;
  LeafBatchPool& batch_pool_;
  const EngineQueues& queues_;
  Round& round_;
  const std::uint64_t share_;
  std::uint64_t share_left_;
  std::uint64_t playouts_left_;
  bool is_dry_ = false;  // it sends no more in this round
  std::uint64_t walks_in_flight_ = 0;
  RoundReport report_;
};

}  // namespace chainshot::host
