// A simulated device: batches come back when a device of a given rate, latency and number of slots would have returned
// them. Results come from an inner engine, so a scheduler can be measured and tuned without a GPU.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

struct DeviceSpec {
  double playouts_per_second = 1e8;
  double latency_us = 50;               // a batch's way to the device and back, half before and half after its work
  int batches_in_flight = 2;            // slots; a batch without one waits on the host
  double time_scale = 1;                // seconds of the clock per second of the device: more than 1 slows it down
  std::uint64_t recommended_batch = 0;  // playouts; 0: the inner engine's
};

// The timetable of such a device, in its own microseconds. It works on one batch at a time, in order; a slot is taken
// from a batch's departure until it is back.
class DeviceTimetable {
 public:
  explicit DeviceTimetable(const DeviceSpec& spec);

  // When a batch of so many playouts, submitted at `now_us`, is back. Calls come in the order of `now_us`.
  double admit(double now_us, std::uint64_t playouts);
  // Share of the time from the first submission to `now_us` that the device worked.
  double busy_share(double now_us) const;
  double work_us() const { return work_us_; }  // of all that was admitted
  double worked_us(double now_us) const;       // ... of that, what is done by `now_us`

 private:
  struct Stretch {
    double start_us, end_us;
  };

  double us_per_playout_;
  double half_latency_us_;
  std::vector<double> slot_free_us_;
  double first_us_ = -1;
  double device_free_us_ = 0;
  double work_us_ = 0;
  std::deque<Stretch> ahead_;  // work that was not done when a batch was last admitted, in order
};

class DelayEngine : public game::Engine {
 public:
  // Throws std::invalid_argument if a number of the spec makes no sense.
  DelayEngine(std::unique_ptr<game::Engine> inner, const DeviceSpec& spec);

  const game::Capabilities& capabilities() const override { return capabilities_; }
  game::Ticket submit(game::Batch batch) override;
  bool poll(game::Ticket ticket) override;
  game::Outcome wait(game::Ticket ticket) override;
  // The device's work, in seconds of the clock; a batch is completed when it was waited for.
  game::Usage usage() const override;
  void cancel() override { inner_->cancel(); }

  struct Report {
    std::uint64_t batches = 0;
    std::uint64_t playouts = 0;
    double busy_share = 0;
    // Batches whose results the inner engine did not have ready in time. If there are any, the inner engine was too
    // slow, the figures are too low, and time_scale should be raised.
    std::uint64_t late = 0;
  };
  Report report() const;

 private:
  struct DelayedBatch {
    double back_us = 0;
    std::uint64_t playouts = 0;
  };

  double now_us() const;  // of the device

  std::unique_ptr<game::Engine> inner_;
  DeviceSpec spec_;
  game::Capabilities capabilities_;
  std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  DeviceTimetable timetable_;
  std::unordered_map<game::Ticket, DelayedBatch> delayed_;
  std::uint64_t batches_ = 0;
  std::uint64_t playouts_ = 0;
  std::uint64_t late_ = 0;
  game::Usage completed_;
};

}  // namespace chainshot::host
