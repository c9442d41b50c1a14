// A beam step that uses a device. Boards that devices cannot hold go to the CPU, and where the user allows it, the CPU
// takes over when a device fails: it repeats the beam up to the call that failed, and goes on. It can also expand every
// beam a second time on the CPU and compare.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cuda/cuda_beam_step.hpp"
#include "game/beam_step.hpp"
#include "host/engines/fallback_engine.hpp"

namespace chainshot::host {

enum class DeviceTrust : std::uint8_t {
  kThrows,    // the failure of a device is thrown on
  kTakeOver,  // the CPU takes over
  kChecks,    // the CPU expands every bucket too, and a difference is thrown as std::runtime_error
};

class BeamOnDevice final : public game::BeamStep {
 public:
  using Factory = std::function<std::unique_ptr<game::BeamStep>()>;

  // `notice` is told why the CPU has the work; the thread that uses the step calls it.
  BeamOnDevice(std::unique_ptr<cuda::CudaBeamStep> device, Factory make_cpu, DeviceTrust trust, EngineNotice notice);

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
  void take_over(const std::string& error);
  void compare(int blocks, const game::BeamExpansion& on_device, const game::BeamLimit& limit);
  void say(const std::string& sentence) const;

  std::unique_ptr<cuda::CudaBeamStep> device_;
  const Factory make_cpu_;
  const DeviceTrust trust_;
  const EngineNotice notice_;
  std::unique_ptr<game::BeamStep> cpu_;  // once it is needed
  bool is_on_cpu_ = false, is_lost_ = false, has_said_wide_ = false;
  game::BeamPlan plan_;
  std::vector<game::BeamLimit> calls_;  // of the beam under way, to repeat them on the CPU
};

}  // namespace chainshot::host
