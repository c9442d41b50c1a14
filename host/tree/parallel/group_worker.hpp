// A tree_group at work in a round: it fills leaf_batches, sends them, and books those that come back.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "host/dispatch/engine_slots.hpp"
#include "host/tree/parallel/leaf_batch.hpp"
#include "host/tree/parallel/tree_group.hpp"

namespace chainshot::host {

// What a round of walks took.
struct RoundReport {
  std::uint64_t walks = 0;
  std::uint64_t playouts = 0;
  double seconds = 0;       // by the clock
  double tree_seconds = 0;  // processor time of the threads in the trees
  EngineSpeed engines;
};

// What the group_workers of a round share.
struct Round {
  std::uint64_t walks;
  std::uint32_t leaf_playouts;
  std::uint64_t in_flight;  // walks of a tree_group at most
  bool deterministic;
  std::function<bool()> halted;
  std::atomic<std::int64_t> left{static_cast<std::int64_t>(walks)};  // walks no tree_group has taken yet
  std::atomic<bool> failed = false;
  std::mutex mutex = {};  // guards what follows
  std::exception_ptr error = nullptr;

  bool is_over() const { return failed.load(std::memory_order_relaxed) || halted(); }
  void fail(std::exception_ptr thrown);
};

// LeafBatches that wait to be used again: their walks are large.
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

class GroupWorker {
 public:
  // `share` of the round's walks are this tree_group's if the round is deterministic. It asks for no more than
  // `most_playouts`.
  GroupWorker(TreeGroup& tree_group, LeafBatchPool& batch_pool, EngineSlots& slots, Round& round, std::uint64_t share,
              std::uint64_t most_playouts);

  // Books what is back and sends what it can; false if neither was possible. What an engine or a replay objects to is
  // thrown; then only `abandon_flights` may follow.
  bool turn();
  bool is_done() const { return is_dry_ && flights_.empty(); }
  bool has_flights() const { return !flights_.empty(); }
  // Returns when a leaf_batch may be back.
  void wait();
  void abandon_flights();
  const RoundReport& report() const { return report_; }

 private:
  struct Flight {
    std::unique_ptr<LeafBatch> leaf_batch;
    int engine;
    game::Ticket ticket;
  };

  bool book_ready();
  void book(std::vector<Flight>::iterator flight);
  bool send();
  bool fill(LeafBatch& leaf_batch, int engine);
  std::uint64_t batch_size(int engine) const;
  bool is_full() const { return walks_in_flight_ >= round_.in_flight; }
  std::uint64_t reserve(std::uint64_t wanted);
  void give_up(std::uint64_t walks);

  TreeGroup& tree_group_;
  LeafBatchPool& batch_pool_;
  EngineSlots& slots_;
  Round& round_;
  const std::uint64_t share_;
  std::uint64_t share_left_;
  std::uint64_t playouts_left_;
  bool is_dry_ = false;          // it sends no more in this round
  std::vector<Flight> flights_;  // the oldest first
  std::uint64_t walks_in_flight_ = 0;
  RoundReport report_;
};

}  // namespace chainshot::host
