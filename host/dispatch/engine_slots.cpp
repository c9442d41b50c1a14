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
    queues_.push_back({.engine = engine});
}

// Playouts that keep an engine busy; of a processor the share of a tree_group. An engine that has fallen back on
// another tells of that one.
std::uint64_t EngineSlots::full_batch(const game::Capabilities& can) const {
  const std::uint64_t full = std::min(can.recommended_batch, can.largest_batch);
  return std::max<std::uint64_t>(1, can.on_cpu ? full / kCpuBatchDivisor / tree_groups_ : full);
}

std::uint64_t EngineSlots::batch(int i, std::uint64_t known) const {
  const EngineQueue& queue = queues_[static_cast<std::size_t>(i)];
  const game::Capabilities& can = queue.engine->capabilities();
  const std::uint64_t full = full_batch(can);
  const std::uint64_t size = std::clamp(known / kKnownForOne, full, can.on_cpu ? kCpuGrowth * full : full);
  if (queues_.size() == 1 || queue.rate == 0) return size;
  double shortest = std::numeric_limits<double>::infinity();  // seconds
  for (const EngineQueue& other : queues_)
    if (other.rate > 0)
      shortest = std::min(shortest, static_cast<double>(full_batch(other.engine->capabilities())) / other.rate);
  return static_cast<std::uint64_t>(std::clamp(kLongestBatch * shortest * queue.rate, 1.0, static_cast<double>(size)));
}

void EngineSlots::open(int tree_groups) {
  const std::lock_guard lock(mutex_);
  tree_groups_ = static_cast<std::uint64_t>(tree_groups);
  const int engines = static_cast<int>(queues_.size());
  for (EngineQueue& queue : queues_) {
    queue.slots = std::max(queue.engine->capabilities().batches_in_flight, (2 * tree_groups + engines - 1) / engines);
    const game::Usage now = queue.engine->usage();
    if (const double rate = rate_between(queue.last, now); rate > 0) queue.rate = rate;
    queue.last = now;
  }
}

int EngineSlots::roomiest() const {
  const auto free_share = [](const EngineQueue& queue) {
    return 1 - static_cast<double>(queue.in_flight) / queue.slots;
  };
  const auto best = std::max_element(queues_.begin(), queues_.end(), [&](const EngineQueue& a, const EngineQueue& b) {
    return free_share(a) < free_share(b);
  });
  return static_cast<int>(best - queues_.begin());
}

int EngineSlots::take() {
  const std::lock_guard lock(mutex_);
  const int engine = roomiest();
  const EngineQueue& queue = queues_[static_cast<std::size_t>(engine)];
  if (queue.in_flight >= queue.slots) return -1;
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
  queues_[static_cast<std::size_t>(engine)].in_flight += by;
}

void EngineSlots::count_batch(int engine, std::uint64_t playouts) {
  const std::lock_guard lock(mutex_);
  ++batches_;
  fill_ += std::min(1.0, static_cast<double>(playouts) / static_cast<double>(batch(engine, 0)));
}

std::vector<game::Usage> EngineSlots::usages() const {
  std::vector<game::Usage> all;
  for (const EngineQueue& queue : queues_)
    all.push_back(queue.engine->usage());
  return all;
}

EngineSpeed EngineSlots::speed_since(const std::vector<game::Usage>& before) const {
  const std::vector<game::Usage> now = usages();
  EngineSpeed speed;
  for (std::size_t i = 0; i < now.size(); ++i) {
    speed.rate += rate_between(before[i], now[i]);
    if (queues_[i].engine->capabilities().on_cpu) continue;
    ++speed.devices;
    speed.busy_devices += now[i].busy_seconds - before[i].busy_seconds;
  }
  return speed;
}

EngineFigures EngineSlots::figures() const {
  double busy_seconds = 0;
  for (const EngineQueue& queue : queues_)
    busy_seconds += queue.engine->usage().busy_seconds - queue.before.busy_seconds;
  EngineFigures figures;
  const std::lock_guard lock(mutex_);
  const double seconds = std::max(seconds_since(opened_), 1e-9);
  figures.busy_share = std::min(1.0, busy_seconds / (seconds * static_cast<double>(queues_.size())));
  figures.batch_fill = batches_ == 0 ? 0 : fill_ / static_cast<double>(batches_);
  figures.in_flight = (batch_seconds_ + in_flight_ * seconds_since(changed_)) / seconds;
  return figures;
}

}  // namespace chainshot::host
