// How batches become games for lanes. The queue cuts a batch into chunks as workers ask for them. A worker's feed hands
// the games of a chunk to lanes and gathers their results. It starts the next chunk of the same program while the last
// games of the one before are still being played, so small requests share lanes.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "game/engine.hpp"
#include "game/lanes/lane_plan.hpp"

namespace chainshot::cpu {

// A submitted batch. From `next_in_order` on, members are guarded by the queue's mutex.
struct QueuedBatch {
  game::Batch batch;
  std::vector<lanes::PreparedRequest> prepared;  // one per request
  std::vector<std::size_t> order;                // requests that have playouts, in the order they are played
  std::uint64_t playouts = 0;                    // of all requests
  std::uint64_t chunk_size = 1;
  std::uint64_t cancels_before = 0;  // calls of BatchQueue::cancel when it was pushed

  std::size_t next_in_order = 0;  // the next game to be handed out
  std::uint32_t next_playout = 0;
  std::uint64_t unfinished = 0;  // playouts
  game::Outcome outcome;
};

// Some playouts of one request, and their results.
struct Piece {
  std::size_t request = 0;
  std::uint32_t first_playout = 0;  // number in the playout's key
  std::uint32_t playouts = 0;
  std::uint32_t blocks = 0;
  std::size_t cells = 0;  // where its encoded boards start in Chunk::cells
  std::uint16_t color_counts[game::kMaxColors] = {};
  std::uint8_t present[game::kMaxColors] = {};  // colours on the board: one encoded board each where the tabu is drawn
  std::uint32_t colors_present = 0;
  game::Result result;
};

// Consecutive playouts of a batch that run the same program. Chunks are reused, so playing allocates nothing.
struct Chunk {
  std::shared_ptr<QueuedBatch> batch;
  lanes::LaneProgram program;
  bool in_lanes = true;
  std::vector<Piece> pieces;
  std::vector<std::uint32_t> cells;
  std::vector<std::uint64_t> histogram;
  std::size_t next_piece = 0;
  std::uint32_t next_in_piece = 0;
  std::uint64_t unfinished = 0;

  bool exhausted() const { return next_piece == pieces.size(); }
};

// Batches in order of their submission, shared by all workers.
class BatchQueue {
 public:
  void push(std::shared_ptr<QueuedBatch> batch);
  // Cuts the next chunk; if `running` is given, only a chunk of that program. Returns false if there is none. Without
  // `running` it waits for work: without end, or with `until` only until that batch is complete.
  bool take(Chunk& chunk, const lanes::LaneProgram* running, const QueuedBatch* until);
  // Ends a chunk, and adds the time the worker was busy since its last report.
  void complete(Chunk& chunk, double busy_seconds);
  void fail(Chunk& chunk, const char* error, double busy_seconds);
  bool is_complete(const QueuedBatch& batch);
  void wait_complete(const QueuedBatch& batch);
  // Hands out nothing more of the batches that are here.
  void cancel();
  bool is_cancelled(const QueuedBatch& batch) const { return cancels_.load() != batch.cancels_before; }
  void stop();
  game::Usage usage() const;  // its busy time is the sum over all workers

 private:
  void cut(Chunk& chunk, QueuedBatch& batch);
  void finish_if_last(const QueuedBatch& batch);

  mutable std::mutex mutex_;
  std::condition_variable work_, completed_;
  std::deque<std::shared_ptr<QueuedBatch>> batches_;  // those with games not yet handed out
  std::atomic<std::uint64_t> cancels_ = 0;
  game::Usage usage_;
  bool stopping_ = false;
};

// One worker's source of games.
class LaneFeed final : public lanes::LaneSource {
 public:
  explicit LaneFeed(BatchQueue& queue) : queue_(queue) {}

  // Plays until the queue is stopped.
  void work(lanes::RunLanes run);
  // Plays whatever is queued until the batch is complete, or until other workers play what is left of it.
  void help(lanes::RunLanes run, const QueuedBatch& until);

  bool take(lanes::LaneGame& game) override;
  void finish(const lanes::LaneResult& result) override;

 private:
  Chunk& free_chunk();
  bool begin(Chunk& chunk);
  void play_single(Chunk& chunk);
  void record(Chunk& chunk, Piece& piece, std::uint32_t playout, int score, int length);
  double busy_seconds();  // since the last call, or since there was work

  BatchQueue& queue_;
  std::chrono::steady_clock::time_point busy_since_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  Chunk* current_ = nullptr;
  const QueuedBatch* until_ = nullptr;  // while it helps
};

}  // namespace chainshot::cpu
