#include "host/dispatch/engine_queues.hpp"

#include <algorithm>
#include <limits>

namespace chainshot::host {
namespace {

// A batch may take this many times as long as a full batch of the engine that finishes its own first.
constexpr double kLongestBatch = 4;

// Playouts per second of computing; 0 if the engine has not computed.
double rate_between(const game::Usage& before, const game::Usage& now) {
  const double seconds = now.busy_seconds - before.busy_seconds;
  return seconds > 0 ? static_cast<double>(now.playouts - before.playouts) / seconds : 0;
}

}  // namespace

EngineQueues::EngineQueues(const std::vector<game::Engine*>& engines, BatchSizing sizing) : sizing_(sizing) {
  for (game::Engine* engine : engines)
    queues_.push_back({.engine = engine});
}

// The clients of a CPU engine divide its batch among themselves.
std::uint64_t EngineQueues::full_batch(const game::Capabilities& can) const {
  const std::uint64_t full = can.recommended_batch;
  return std::max<std::uint64_t>(1, can.on_cpu ? full / sizing_.cpu_divisor / clients_ : full);
}

std::uint64_t EngineQueues::batch_size(int engine, std::uint64_t wanted) const {
  const Queue& queue = queues_[static_cast<std::size_t>(engine)];
  const game::Capabilities& can = queue.engine->capabilities();
  const std::uint64_t full = full_batch(can);
  const std::uint64_t size = std::clamp(wanted, full, can.on_cpu ? sizing_.cpu_growth * full : full);
  if (queues_.size() == 1 || queue.rate == 0) return size;
  double shortest = std::numeric_limits<double>::infinity();  // seconds
  for (const Queue& other : queues_)
    if (other.rate > 0)
      shortest = std::min(shortest, static_cast<double>(full_batch(other.engine->capabilities())) / other.rate);
  return static_cast<std::uint64_t>(std::clamp(kLongestBatch * shortest * queue.rate, 1.0, static_cast<double>(size)));
}

void EngineQueues::open(int clients) {
  const std::lock_guard lock(mutex_);
  clients_ = static_cast<std::uint64_t>(clients);
  for (Queue& queue : queues_) {
    const game::Usage now = queue.engine->usage();
    if (const double rate = rate_between(queue.at_open, now); rate > 0) queue.rate = rate;
    queue.at_open = now;
    queue.on_cpu = queue.engine->capabilities().on_cpu;
  }
}

bool EngineQueues::has_changed() const {
  return std::any_of(queues_.begin(), queues_.end(),
                     [](const Queue& queue) { return queue.engine->capabilities().on_cpu != queue.on_cpu; });
}

// Batches that an engine has room for.
int EngineQueues::depth(const Queue& queue) const {
  const int clients = static_cast<int>(clients_), engines = static_cast<int>(queues_.size());
  return std::max(queue.engine->capabilities().batches_in_flight, (2 * clients + engines - 1) / engines);
}

int EngineQueues::roomiest() const {
  const auto free_share = [this](const Queue& queue) {
    return 1 - static_cast<double>(queue.in_flight) / depth(queue);
  };
  const auto best = std::max_element(queues_.begin(), queues_.end(),
                                     [&](const Queue& a, const Queue& b) { return free_share(a) < free_share(b); });
  return static_cast<int>(best - queues_.begin());
}

int EngineQueues::reserve() {
  const std::lock_guard lock(mutex_);
  const int engine = roomiest();
  const Queue& queue = queues_[static_cast<std::size_t>(engine)];
  if (queue.in_flight >= depth(queue)) return -1;
  change(engine, 1);
  return engine;
}

int EngineQueues::reserve_any() {
  const std::lock_guard lock(mutex_);
  const int engine = roomiest();
  change(engine, 1);
  return engine;
}

void EngineQueues::release(int engine) {
  const std::lock_guard lock(mutex_);
  change(engine, -1);
}

void EngineQueues::change(int engine, int by) {
  batch_seconds_ += in_flight_ * seconds_since(changed_);
  changed_ = Clock::now();
  in_flight_ += by;
  queues_[static_cast<std::size_t>(engine)].in_flight += by;
}

void EngineQueues::count_batch(int engine, std::uint64_t playouts) {
  const std::lock_guard lock(mutex_);
  ++batches_;
  fill_ += std::min(1.0, static_cast<double>(playouts) / static_cast<double>(batch_size(engine)));
}

void EngineQueues::cancel() const {
  for (const Queue& queue : queues_)
    queue.engine->cancel();
}

std::vector<game::Usage> EngineQueues::usages() const {
  std::vector<game::Usage> all;
  for (const Queue& queue : queues_)
    all.push_back(queue.engine->usage());
  return all;
}

EngineSpeed EngineQueues::speed_since(const std::vector<game::Usage>& before) const {
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

EngineFigures EngineQueues::figures() const {
  double busy_seconds = 0;
  for (const Queue& queue : queues_)
    busy_seconds += queue.engine->usage().busy_seconds - queue.at_start.busy_seconds;
  EngineFigures figures;
  const std::lock_guard lock(mutex_);
  const double seconds = std::max(seconds_since(made_), 1e-9);
  figures.busy_share = std::min(1.0, busy_seconds / (seconds * static_cast<double>(queues_.size())));
  figures.batch_fill = batches_ == 0 ? 0 : fill_ / static_cast<double>(batches_);
  figures.in_flight = (batch_seconds_ + in_flight_ * seconds_since(changed_)) / seconds;
  return figures;
}

}  // namespace chainshot::host
