// The engines of a search and how many batches each has in flight. Whoever has filled a leaf_batch asks for the engine
// that has most of its slots free, so that several engines take leaf_batches as fast as they hand them in.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

// Since the slots were made.
struct EngineFigures {
  double busy_share = 0;  // of the engines' time, mean
  double batch_fill = 0;  // of the batches sent, mean
  double in_flight = 0;   // batches, mean over time
};

// What engines did in a while.
struct EngineSpeed {
  double rate = 0;          // playouts a second of all together, while they computed
  int devices = 0;          // those that are not on the processors, which the trees need too
  double busy_devices = 0;  // seconds in which they computed, added up
};

// All calls may come from any thread, but for `open`: that is made between rounds.
class EngineSlots {
 public:
  // The engines outlive the slots.
  explicit EngineSlots(const std::vector<game::Engine*>& engines);

  // Makes room for two batches of each of so many tree_groups, and learns how fast the engines were since the last
  // time.
  void open(int tree_groups);
  // The engine with the largest share of its slots free, or -1 if none is. The slot is taken.
  int take();
  // The same, but there always is one.
  int take_any();
  void give_back(int engine);
  void count_batch(int engine, std::uint64_t playouts);

  void cancel() const {
    for (const EngineQueue& queue : queues_)
      queue.engine->cancel();
  }
  game::Engine& engine(int i) const { return *queues_[static_cast<std::size_t>(i)].engine; }
  // Playouts of a batch, for trees that know the results of `known`. No engine is given work for so long that the
  // others would wait for it when a round ends.
  std::uint64_t batch(int i, std::uint64_t known) const;
  EngineFigures figures() const;
  std::vector<game::Usage> usages() const;
  EngineSpeed speed_since(const std::vector<game::Usage>& before) const;  // those usages

 private:
  using Clock = std::chrono::steady_clock;

  struct EngineQueue {
    game::Engine* engine;
    game::Usage before = engine->usage();  // what the engine had done when the slots were made
    game::Usage last = before;             // ... and when they were last opened
    double rate = 0;                       // playouts a second, while it computed, before that; 0: not known
    int slots = 2;
    int in_flight = 0;
  };

  std::uint64_t full_batch(const game::Capabilities& can) const;
  int roomiest() const;
  void change(int engine, int by);
  double seconds_since(Clock::time_point from) const {
    return std::chrono::duration<double>(Clock::now() - from).count();
  }

  const Clock::time_point opened_ = Clock::now();
  mutable std::mutex mutex_;  // guards what follows; of the queues, what changes
  std::vector<EngineQueue> queues_;
  std::uint64_t tree_groups_ = 1;
  int in_flight_ = 0;
  Clock::time_point changed_ = opened_;
  double batch_seconds_ = 0;  // batches in flight, added up over time
  std::uint64_t batches_ = 0;
  double fill_ = 0;
};

}  // namespace chainshot::host
