// The engines of a search and how many batches each has in flight. Whoever has filled a lot asks for the engine that
// has most of its slots free, so that several engines take lots as fast as they hand them in.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

// Since the slots were made.
struct EngineFigures {
  double busy_seconds = 0;  // in which the engines computed, added up
  double busy_share = 0;    // of their time, mean
  double batch_fill = 0;    // of the batches sent, mean
  double in_flight = 0;     // batches, mean over time
};

// All calls may come from any thread.
class EngineSlots {
 public:
  // The engines outlive the slots.
  explicit EngineSlots(const std::vector<game::Engine*>& engines);

  // Makes room for two batches of each of so many groves.
  void open(int groves);
  // The engine with the largest share of its slots free, or -1 if none is. The slot is taken.
  int take();
  // The same, but there always is one.
  int take_any();
  void give_back(int engine);
  void count_batch(int engine, std::uint64_t playouts);

  void cancel() const {
    for (const Desk& desk : desks_)
      desk.engine->cancel();
  }
  game::Engine& engine(int i) const { return *desks_[static_cast<std::size_t>(i)].engine; }
  // Playouts of a batch, for trees that know the results of `known`.
  std::uint64_t batch(int i, std::uint64_t known) const;
  EngineFigures figures() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Desk {
    game::Engine* engine;
    std::uint64_t batch;  // playouts that keep it busy
    std::uint64_t most;   // that a batch has
    game::Usage before;   // what the engine had done when the slots were made
    int slots = 2;
    int in_flight = 0;
  };

  int roomiest() const;
  void change(int engine, int by);
  double seconds_since(Clock::time_point from) const {
    return std::chrono::duration<double>(Clock::now() - from).count();
  }

  const Clock::time_point opened_ = Clock::now();
  mutable std::mutex mutex_;  // guards what follows; of the desks, what changes
  std::vector<Desk> desks_;
  int in_flight_ = 0;
  Clock::time_point changed_ = opened_;
  double batch_seconds_ = 0;  // batches in flight, added up over time
  std::uint64_t batches_ = 0;
  double fill_ = 0;
};

}  // namespace chainshot::host
