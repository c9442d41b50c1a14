#include "host/tree/engine_slots.hpp"

#include <algorithm>

namespace chainshot::host {
namespace {

// A processor needs no batches as large as it recommends: more walks in flight only make the trees blinder. To trees
// that know much they matter less, and larger batches share more of their way: one playout for so many that are known.
constexpr std::uint64_t kCpuBatchDivisor = 16;
constexpr std::uint64_t kCpuGrowth = 4;
constexpr std::uint64_t kKnownForOne = 256;

}  // namespace

EngineSlots::EngineSlots(const std::vector<game::Engine*>& engines) {
  for (game::Engine* engine : engines) {
    const game::Capabilities& can = engine->capabilities();
    const std::uint64_t full = std::min(can.recommended_batch, can.largest_batch);
    const std::uint64_t batch = std::max<std::uint64_t>(1, can.on_cpu ? full / kCpuBatchDivisor : full);
    const std::uint64_t most = can.on_cpu ? std::min(batch * kCpuGrowth, can.largest_batch) : batch;
    desks_.push_back({.engine = engine, .batch = batch, .most = most, .before = engine->usage()});
  }
}

std::uint64_t EngineSlots::batch(int i, std::uint64_t known) const {
  const Desk& desk = desks_[static_cast<std::size_t>(i)];
  return std::clamp(known / kKnownForOne, desk.batch, desk.most);
}

void EngineSlots::open(int groves) {
  const std::lock_guard lock(mutex_);
  const int engines = static_cast<int>(desks_.size());
  for (Desk& desk : desks_)
    desk.slots = std::max(desk.engine->capabilities().batches_in_flight, (2 * groves + engines - 1) / engines);
}

int EngineSlots::roomiest() const {
  const auto free_share = [](const Desk& desk) { return 1 - static_cast<double>(desk.in_flight) / desk.slots; };
  const auto best = std::max_element(desks_.begin(), desks_.end(),
                                     [&](const Desk& a, const Desk& b) { return free_share(a) < free_share(b); });
  return static_cast<int>(best - desks_.begin());
}

int EngineSlots::take() {
  const std::lock_guard lock(mutex_);
  const int engine = roomiest();
  const Desk& desk = desks_[static_cast<std::size_t>(engine)];
  if (desk.in_flight >= desk.slots) return -1;
  change(engine, 1);
  return engine;
}

int EngineSlots::take_any() {
  const std::lock_guard lock(mutex_);
  const int engine = roomiest();
  change(engine, 1);
  return engine;
}

void EngineSlots::give_back(int engine) {
  const std::lock_guard lock(mutex_);
  change(engine, -1);
}

void EngineSlots::change(int engine, int by) {
  batch_seconds_ += in_flight_ * seconds_since(changed_);
  changed_ = Clock::now();
  in_flight_ += by;
  desks_[static_cast<std::size_t>(engine)].in_flight += by;
}

void EngineSlots::count_batch(int engine, std::uint64_t playouts) {
  const std::lock_guard lock(mutex_);
  ++batches_;
  fill_ += std::min(1.0, static_cast<double>(playouts) / static_cast<double>(batch(engine, 0)));
}

EngineFigures EngineSlots::figures() const {
  EngineFigures figures;
  for (const Desk& desk : desks_) {
    figures.busy_seconds += desk.engine->usage().busy_seconds - desk.before.busy_seconds;
  }
  const std::lock_guard lock(mutex_);
  const double seconds = std::max(seconds_since(opened_), 1e-9);
  figures.busy_share = std::min(1.0, figures.busy_seconds / (seconds * static_cast<double>(desks_.size())));
  figures.batch_fill = batches_ == 0 ? 0 : fill_ / static_cast<double>(batches_);
  figures.in_flight = (batch_seconds_ + in_flight_ * seconds_since(changed_)) / seconds;
  return figures;
}

}  // namespace chainshot::host
