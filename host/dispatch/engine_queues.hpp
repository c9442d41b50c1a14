// The engines that serve a search or a command, and how many batches each has in flight. Whoever is about to fill a
// batch reserves a place with the engine that has most room, so engines get batches as fast as they return them.
// Sizes and depths follow what an engine says of itself now: a fallback may have replaced a device by a CPU.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

// How large batches are compared with what an engine recommends. A device always gets the recommended batch.
struct BatchSizing {
  std::uint64_t cpu_divisor = 1;  // a full batch of a CPU engine is this fraction of the recommended one ...
  std::uint64_t cpu_growth = 1;   // ... and may grow to this many full ones for a client that wants more
};

// Means since the queues were made.
struct EngineFigures {
  double busy_share = 0;  // of the engines' time
  double batch_fill = 0;  // playouts sent per playout of a full batch
  double in_flight = 0;   // batches, mean over time
};

// The work of the engines between two moments.
struct EngineSpeed {
  double rate = 0;          // playouts per second of all engines together, while they computed
  int devices = 0;          // engines that leave the CPU free
  double busy_devices = 0;  // seconds in which these computed, added up
};

// Any thread may call any function except `open`, which is called while no batch is being filled.
class EngineQueues {
 public:
  // The engines outlive the queues.
  explicit EngineQueues(const std::vector<game::Engine*>& engines, BatchSizing sizing = {});

  // Makes room for two batches of each of `clients`, and learns how fast the engines were since the last call.
  void open(int clients);
  // Whether an engine has moved from a device to a CPU, or back, since `open`: what is known of its speed is outdated.
  bool has_changed() const;

  // Reserves a place with the engine that has the largest share of its places free. Returns -1 if all are full.
  int reserve();
  // The same, but exceeds the depth of a queue where all are full.
  int reserve_any();
  void release(int engine);
  // Counts a batch that is being submitted.
  void count_batch(int engine, std::uint64_t playouts);
  void cancel() const;

  std::size_t size() const { return queues_.size(); }
  game::Engine& engine(int i) const { return *queues_[static_cast<std::size_t>(i)].engine; }
  // Playouts of a full batch, or more if a client of a CPU engine wants more. A batch of a slow engine is small enough
  // that the others do not wait long for it at the end of a round.
  std::uint64_t batch_size(int engine, std::uint64_t wanted = 0) const;

  EngineFigures figures() const;
  std::vector<game::Usage> usages() const;
  EngineSpeed speed_since(const std::vector<game::Usage>& before) const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Queue {
    game::Engine* engine;
    game::Usage at_start = engine->usage();       // when the queues were made
    game::Usage at_open = at_start;               // when they were last opened
    double rate = 0;                              // playouts per second of computing before the last `open`; 0: unknown
    bool on_cpu = engine->capabilities().on_cpu;  // when they were last opened
    int in_flight = 0;
  };

  std::uint64_t full_batch(const game::Capabilities& can) const;
  int depth(const Queue& queue) const;
  int roomiest() const;
  void change(int engine, int by);
  static double seconds_since(Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  }

  const BatchSizing sizing_;
  const Clock::time_point made_ = Clock::now();
  mutable std::mutex mutex_;  // guards everything below except what only `open` changes
  std::vector<Queue> queues_;
  std::uint64_t clients_ = 1;
  int in_flight_ = 0;
  Clock::time_point changed_ = made_;
  double batch_seconds_ = 0;  // batches in flight, integrated over time until `changed_`
  std::uint64_t batches_ = 0;
  double fill_ = 0;
};

}  // namespace chainshot::host
