#include "host/dispatch/engine_slots.hpp"

#include <algorithm>
#include <limits>

namespace chainshot::host {
namespace {

// A processor needs no batches as large as it recommends: more walks in flight only make the trees blinder. To trees
// that know much they matter less, and larger batches share more of their way: one playout for so many that are known.
constexpr std::uint64_t kCpuBatchDivisor = 16;
constexpr std::uint64_t kCpuGrowth = 4;
constexpr std::uint64_t kKnownForOne = 256;
// A batch may take so many times as long as a full one of the engine that has its own done first.
constexpr double kLongestBatch = 4;

// Playouts a second, while it computed; 0 if it has not.
double rate_between(const game::Usage& before, const game::Usage& now) {
  const double seconds = now.busy_seconds - before.busy_seconds;
  return seconds > 0 ? static_cast<double>(now.playouts - before.playouts) / seconds : 0;
}

}  // namespace

EngineSlots::EngineSlots(const std::vector<game::Engine*>& engines) {
  for (game::Engine* engine : engines)
    desks_.push_back({.engine = engine});
}

// Playouts that keep an engine busy; of a processor the share of a grove. An engine that has fallen back on another
// tells of that one.
std::uint64_t EngineSlots::full_batch(const game::Capabilities& can) const {
  const std::uint64_t full = std::min(can.recommended_batch, can.largest_batch);
  return std::max<std::uint64_t>(1, can.on_cpu ? full / kCpuBatchDivisor / groves_ : full);
}

std::uint64_t EngineSlots::batch(int i, std::uint64_t known) const {
  const Desk& desk = desks_[static_cast<std::size_t>(i)];
  const game::Capabilities& can = desk.engine->capabilities();
  const std::uint64_t full = full_batch(can);
  const std::uint64_t size = std::clamp(known / kKnownForOne, full, can.on_cpu ? kCpuGrowth * full : full);
  if (desks_.size() == 1 || desk.rate == 0) return size;
  double shortest = std::numeric_limits<double>::infinity();  // seconds
  for (const Desk& other : desks_)
    if (other.rate > 0)
      shortest = std::min(shortest, static_cast<double>(full_batch(other.engine->capabilities())) / other.rate);
  return static_cast<std::uint64_t>(std::clamp(kLongestBatch * shortest * desk.rate, 1.0, static_cast<double>(size)));
}

void EngineSlots::open(int groves) {
  const std::lock_guard lock(mutex_);
  groves_ = static_cast<std::uint64_t>(groves);
  const int engines = static_cast<int>(desks_.size());
  for (Desk& desk : desks_) {
    desk.slots = std::max(desk.engine->capabilities().batches_in_flight, (2 * groves + engines - 1) / engines);
    const game::Usage now = desk.engine->usage();
    if (const double rate = rate_between(desk.last, now); rate > 0) desk.rate = rate;
    desk.last = now;
  }
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

std::vector<game::Usage> EngineSlots::usages() const {
  std::vector<game::Usage> all;
  for (const Desk& desk : desks_)
    all.push_back(desk.engine->usage());
  return all;
}

EngineSpeed EngineSlots::speed_since(const std::vector<game::Usage>& before) const {
  const std::vector<game::Usage> now = usages();
  EngineSpeed speed;
  for (std::size_t i = 0; i < now.size(); ++i) {
    speed.rate += rate_between(before[i], now[i]);
    if (desks_[i].engine->capabilities().on_cpu) continue;
    ++speed.devices;
    speed.busy_devices += now[i].busy_seconds - before[i].busy_seconds;
  }
  return speed;
}

EngineFigures EngineSlots::figures() const {
  double busy_seconds = 0;
  for (const Desk& desk : desks_)
    busy_seconds += desk.engine->usage().busy_seconds - desk.before.busy_seconds;
  EngineFigures figures;
  const std::lock_guard lock(mutex_);
  const double seconds = std::max(seconds_since(opened_), 1e-9);
  figures.busy_share = std::min(1.0, busy_seconds / (seconds * static_cast<double>(desks_.size())));
  figures.batch_fill = batches_ == 0 ? 0 : fill_ / static_cast<double>(batches_);
  figures.in_flight = (batch_seconds_ + in_flight_ * seconds_since(changed_)) / seconds;
  return figures;
}

}  // namespace chainshot::host
