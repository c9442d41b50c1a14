// A beam step that uses a device. Boards that devices cannot hold go to the CPU. When a device fails, another one takes
// over, or, where the user allows it, the CPU: it repeats the beam up to the call that failed, and goes on. The step
// can also expand every beam a second time on the CPU and compare.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/cuda_beam_step.hpp"
#include "game/beam_step.hpp"
#include "host/engines/fallback_engine.hpp"

namespace chainshot::host {

enum class DeviceTrust : std::uint8_t {
  kThrows,    // the failure of the last device is thrown on
  kTakeOver,  // the CPU takes over from the last device
  kChecks,    // the CPU expands every bucket too, and a difference is thrown as std::runtime_error
};

// What is known of the devices of a run, from beam to beam. Threads may share it.
class BeamDevices {
 public:
  std::vector<int> failed() const;  // by index
  void leave_out(int device);

  // What the beams run on at the moment, for reports.
  void set_in_use(std::string name);
  std::string in_use() const;

 private:
  mutable std::mutex mutex_;
  std::vector<int> failed_;
  std::string in_use_;
};

class BeamOnDevice final : public game::BeamStep {
 public:
  using Factory = std::function<std::unique_ptr<game::BeamStep>()>;
  // Takes the indices of the devices that have failed; returns null if there is no other.
  using DeviceFactory = std::function<std::unique_ptr<cuda::CudaBeamStep>(const std::vector<int>& without)>;

  // `notice` is told who has the work, and why; the thread that uses the step calls it.
  BeamOnDevice(std::unique_ptr<cuda::CudaBeamStep> device, DeviceFactory make_other, Factory make_cpu,
               DeviceTrust trust, EngineNotice notice,
               std::shared_ptr<BeamDevices> devices = std::make_shared<BeamDevices>());

  void begin(const game::BeamPlan& plan) override;
  int open_blocks() const override { return step().open_blocks(); }
  game::BeamExpansion expand(const game::BeamLimit& limit) override;
  std::vector<game::BeamChild> children(const game::Position& position, int points) const override;
  int width() const override { return step().width(); }
  std::uint64_t memory_bytes() const override { return step().memory_bytes(); }
  std::uint64_t peak_memory() const override { return step().peak_memory(); }
  std::size_t state_bytes(const game::Position& root) const override;

 private:
  const game::BeamStep& step() const { return is_on_cpu_ ? *cpu_ : *device_; }
  game::BeamStep& on_cpu();
  void take_over(std::string error);
  bool another_device_takes_over(std::string& error);
  void compare(int blocks, const game::BeamExpansion& on_device, const game::BeamLimit& limit);
  void say(const std::string& sentence) const;

  std::unique_ptr<cuda::CudaBeamStep> device_;
  const DeviceFactory make_other_;
  const Factory make_cpu_;
  const DeviceTrust trust_;
  const EngineNotice notice_;
  const std::shared_ptr<BeamDevices> devices_;
  std::unique_ptr<game::BeamStep> cpu_;  // once it is needed
  bool is_on_cpu_ = false, is_lost_ = false, has_said_wide_ = false;
  game::BeamPlan plan_;
  std::vector<game::BeamLimit> calls_;  // of the beam under way, to repeat them elsewhere
};

}  // namespace chainshot::host
