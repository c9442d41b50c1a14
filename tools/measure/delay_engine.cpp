#include "tools/measure/delay_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace chainshot::host {
namespace {

const DeviceSpec& checked(const DeviceSpec& spec) {
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (!positive(spec.playouts_per_second)) throw std::invalid_argument("the device's rate must be above 0 playouts/s");
  if (!std::isfinite(spec.latency_us) || spec.latency_us < 0)
    throw std::invalid_argument("the device's latency must be 0 microseconds or more");
  if (spec.batches_in_flight < 1) throw std::invalid_argument("the device needs at least one batch in flight");
  if (!positive(spec.time_scale)) throw std::invalid_argument("the device's time scale must be above 0");
  return spec;
}

}  // namespace

DeviceTimetable::DeviceTimetable(const DeviceSpec& spec)
    : us_per_playout_(1e6 / checked(spec).playouts_per_second),
      half_latency_us_(spec.latency_us / 2),
      slot_free_us_(static_cast<std::size_t>(spec.batches_in_flight), 0.0) {}

double DeviceTimetable::admit(double now_us, std::uint64_t playouts) {
  if (first_us_ < 0) first_us_ = now_us;
  const auto slot = std::min_element(slot_free_us_.begin(), slot_free_us_.end());
  const double departs = std::max(now_us, *slot);
  const double starts = std::max(departs + half_latency_us_, device_free_us_);
  const double work = static_cast<double>(playouts) * us_per_playout_;
  work_us_ += work;
  while (!ahead_.empty() && ahead_.front().end_us <= now_us)
    ahead_.pop_front();
  ahead_.push_back({starts, starts + work});
  device_free_us_ = starts + work;
  *slot = device_free_us_ + half_latency_us_;
  return *slot;
}

double DeviceTimetable::busy_share(double now_us) const {
  if (first_us_ < 0) return 0;
  // Work that was promised but lies ahead of `now_us` stretches the time it is compared with.
  const double elapsed = std::max(now_us, device_free_us_) - first_us_;
  return elapsed > 0 ? work_us_ / elapsed : 0;
}

double DeviceTimetable::worked_us(double now_us) const {
  double left = 0;
  for (const Stretch& stretch : ahead_)
    left += std::max(0.0, stretch.end_us - std::max(now_us, stretch.start_us));
  return work_us_ - left;
}

DelayEngine::DelayEngine(std::unique_ptr<game::Engine> inner, const DeviceSpec& spec)
    : inner_(std::move(inner)), spec_(spec), capabilities_(inner_->capabilities()), timetable_(spec) {
  capabilities_.name = fmt::format("delay({})", capabilities_.name);
  capabilities_.on_cpu = false;
  capabilities_.batches_in_flight = spec.batches_in_flight;
  if (spec.recommended_batch > 0) capabilities_.recommended_batch = spec.recommended_batch;
}

double DelayEngine::now_us() const {
  const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - opened_;
  return elapsed.count() / spec_.time_scale;
}

game::Ticket DelayEngine::submit(game::Batch batch) {
  std::uint64_t playouts = 0;
  for (const game::Request& request : batch.requests)
    playouts += request.playouts;
  // The mutex is never held while the inner engine works: it may block, and others poll and wait meanwhile.
  const game::Ticket ticket = inner_->submit(std::move(batch));
  const std::lock_guard lock(mutex_);
  delayed_.emplace(ticket, DelayedBatch{.back_us = timetable_.admit(now_us(), playouts), .playouts = playouts});
  ++batches_;
  playouts_ += playouts;
  return ticket;
}

bool DelayEngine::poll(game::Ticket ticket) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = delayed_.find(ticket);
    if (found != delayed_.end() && now_us() < found->second.back_us) return false;
  }
  return inner_->poll(ticket);
}

game::Outcome DelayEngine::wait(game::Ticket ticket) {
  std::optional<DelayedBatch> delayed;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = delayed_.extract(ticket)) delayed = found.mapped();
  }
  if (!delayed) return inner_->wait(ticket);  // not one of our tickets: the inner engine complains
  const auto due = opened_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                 std::chrono::duration<double, std::micro>(delayed->back_us * spec_.time_scale));
  std::this_thread::sleep_until(due);
  const bool in_time = inner_->poll(ticket);
  game::Outcome outcome = inner_->wait(ticket);
  const std::lock_guard lock(mutex_);
  if (!in_time) ++late_;
  if (outcome.error.empty()) {
    ++completed_.batches;
    completed_.playouts += delayed->playouts;
  }
  return outcome;
}

game::Usage DelayEngine::usage() const {
  const std::lock_guard lock(mutex_);
  game::Usage usage = completed_;
  usage.busy_seconds = timetable_.worked_us(now_us()) * spec_.time_scale * 1e-6;
  return usage;
}

DelayEngine::Report DelayEngine::report() const {
  const std::lock_guard lock(mutex_);
  return {.batches = batches_, .playouts = playouts_, .busy_share = timetable_.busy_share(now_us()), .late = late_};
}

}  // namespace chainshot::host
