#include "host/engines/beam_on_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace chainshot::host {
namespace {

bool fits_device(const game::Position& root) {
  return game::fits_small(root.columns(), root.rows(), root.colors());
}

}  // namespace

std::vector<int> BeamDevices::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

void BeamDevices::leave_out(int device) {
  const std::lock_guard lock(mutex_);
  failed_.push_back(device);
}

void BeamDevices::set_in_use(std::string name) {
  const std::lock_guard lock(mutex_);
  in_use_ = std::move(name);
}

std::string BeamDevices::in_use() const {
  const std::lock_guard lock(mutex_);
  return in_use_;
}

BeamOnDevice::BeamOnDevice(std::unique_ptr<cuda::CudaBeamStep> device, DeviceFactory make_other, Factory make_cpu,
                           DeviceTrust trust, EngineNotice notice, std::shared_ptr<BeamDevices> devices)
    : device_(std::move(device)),
      make_other_(std::move(make_other)),
      make_cpu_(std::move(make_cpu)),
      trust_(trust),
      notice_(std::move(notice)),
      devices_(std::move(devices)) {
  devices_->set_in_use(device_->name());
}

void BeamOnDevice::begin(const game::BeamPlan& plan) {
  const game::Position& root = plan.seeds.front().position;
  const bool fits = fits_device(root);
  plan_ = plan;
  calls_.clear();
  is_on_cpu_ = is_lost_ || !fits;
  devices_->set_in_use(is_on_cpu_ ? "cpu" : device_->name());
  if (is_on_cpu_) {
    if (!fits && !std::exchange(has_said_wide_, true))
      say(
          fmt::format("a beam on a board of {} x {} with {} colours runs on the CPU; a device takes boards of up to 15 "
                      "columns, 16 rows and 7 colours",
                      root.columns(), root.rows(), root.colors()));
    return on_cpu().begin(plan_);
  }
  const std::uint64_t most = device_->memory_limit();
  plan_.memory_bytes = plan.memory_bytes == 0 ? most : std::min(plan.memory_bytes, most);
  try {
    device_->begin(plan_);
    if (trust_ == DeviceTrust::kChecks) on_cpu().begin(plan_);
  } catch (const cuda::BeamFault& fault) {
    take_over(fault.what());
  }
}

game::BeamExpansion BeamOnDevice::expand(const game::BeamLimit& limit) {
  while (!is_on_cpu_)
    try {
      const int blocks = device_->open_blocks();
      const game::BeamExpansion expansion = device_->expand(limit);
      if (trust_ == DeviceTrust::kChecks) compare(blocks, expansion, limit);
      if (trust_ != DeviceTrust::kChecks) calls_.push_back(limit);
      return expansion;
    } catch (const cuda::BeamFault& fault) {
      take_over(fault.what());
    }
  return cpu_->expand(limit);
}

// Repeats the beam on another device, as long as there is one; the error is that of the last that failed.
bool BeamOnDevice::another_device_takes_over(std::string& error) {
  while (true) {
    devices_->leave_out(device_->device());
    auto other = make_other_ ? make_other_(devices_->failed()) : nullptr;
    // The memory decides where a beam narrows, so another one must have as much.
    if (other == nullptr || other->memory_limit() < plan_.memory_bytes) return false;
    say(fmt::format("beam search on a device failed: {}; {} goes on with its work", error, other->name()));
    device_ = std::move(other);
    devices_->set_in_use(device_->name());
    try {
      device_->begin(plan_);
      for (const game::BeamLimit& call : calls_)
        device_->expand(call);
      return true;
    } catch (const cuda::BeamFault& fault) {
      error = fault.what();
    }
  }
}

// All steps select the same states, so the new beam is where the device's was.
void BeamOnDevice::take_over(std::string error) {
  if (trust_ == DeviceTrust::kChecks) throw cuda::BeamFault(error);
  if (another_device_takes_over(error)) return;
  if (trust_ == DeviceTrust::kThrows) throw cuda::BeamFault(error);
  say(fmt::format("beam search on a device failed: {}; the CPU goes on with its work", error));
  is_on_cpu_ = is_lost_ = true;
  devices_->set_in_use("cpu");
  on_cpu().begin(plan_);
  for (const game::BeamLimit& call : calls_)
    cpu_->expand(call);
}

// Two steps that are stopped may stop at different states.
void BeamOnDevice::compare(int blocks, const game::BeamExpansion& on_device, const game::BeamLimit& limit) {
  const game::BeamExpansion on_cpu = cpu_->expand(limit);
  if (limit.stopped()) return;
  const auto state = [](const auto& s) { return std::tuple(s.parent, s.move.column, s.move.row); };
  const bool is_equal =
      on_device.expanded == on_cpu.expanded && on_device.children == on_cpu.children &&
      on_device.complete == on_cpu.complete && on_device.best.score == on_cpu.best.score &&
      state(on_device.best) == state(on_cpu.best) && device_->width() == cpu_->width() &&
      std::equal(on_device.selected.begin(), on_device.selected.end(), on_cpu.selected.begin(), on_cpu.selected.end(),
                 [&](const auto& a, const auto& b) { return state(a) == state(b); });
  if (is_equal) return;
  throw std::runtime_error(fmt::format(
      "{} and the CPU disagree on a beam with {} blocks left: {} and {} states, {} and {} children", device_->name(),
      blocks, on_device.selected.size(), on_cpu.selected.size(), on_device.children, on_cpu.children));
}

std::vector<game::BeamChild> BeamOnDevice::children(const game::Position& position, int points) const {
  return step().children(position, points);
}

std::size_t BeamOnDevice::state_bytes(const game::Position& root) const {
  // The CPU's step for wide boards must be made to be asked.
  if (fits_device(root)) return device_->state_bytes(root);
  return cpu_ != nullptr ? cpu_->state_bytes(root) : make_cpu_()->state_bytes(root);
}

game::BeamStep& BeamOnDevice::on_cpu() {
  if (cpu_ == nullptr) cpu_ = make_cpu_();
  return *cpu_;
}

void BeamOnDevice::say(const std::string& sentence) const {
  if (notice_) notice_(sentence);
}

}  // namespace chainshot::host
