// Makes engines by name and stacks their decorators: devices with a CPU engine for what they cannot play, and with one
// that takes over if they fail.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpu/engine/cpu_engine.hpp"
#include "game/beam_step.hpp"
#include "game/chain_engine.hpp"
#include "game/engine.hpp"
#include "host/engines/beam_on_device.hpp"
#include "host/engines/fallback_engine.hpp"
#include "host/engines/shared_chain_engine.hpp"

namespace chainshot::host {

struct EngineChoice {
  std::string name = "auto";
  int threads = 0;         // 0: one per processor
  int caller_threads = 0;  // of the threads, those of the caller, which play while they wait (CpuEngineOptions)
  std::string isa = "auto";
  std::vector<int> devices = {};   // CUDA devices by index; empty: all that are usable
  std::uint64_t gpu_memory = 0;    // bytes that may be taken on each device; 0: most of what is free
  bool falls_back_to_cpu = false;  // the CPU engine follows `cuda` if that fails, as it does with `auto`
};

inline constexpr int kMaxThreads = 1024;

// Every name that can be asked for, whether or not this machine can run it.
std::vector<std::string> engine_names();
std::vector<std::string> isa_names();
// The instruction set of that name. Throws std::invalid_argument with one sentence if there is none, or not on this
// processor.
cpu::Isa isa_for(const std::string& name);
// `check` plays every batch on CUDA devices and on the CPU, and fails at the first bit that differs.
// `auto` is CUDA where a device can be used, with the CPU engine to take over if it fails, and the CPU engine
// elsewhere. Devices that are named must be usable. `notice` is told when a device is left out or has failed, and, on a
// machine with a device or a driver of NVIDIA, why the CPU plays. Throws std::invalid_argument with one sentence if
// there is no such engine, or not on this machine.
std::unique_ptr<game::Engine> make_engine(const EngineChoice& choice, const EngineNotice& notice = {});
// Whether this machine has a driver of NVIDIA. Takes no time.
bool has_nvidia_driver();
// The devices that annealing chains run on with this choice; null if it is the CPU. Throws as make_engine does.
std::shared_ptr<ChainDevices> open_chain_devices(const EngineChoice& choice, const EngineNotice& notice = {});
// The engine that annealing chains of a board run on: the devices, of which those that do not fail go on; with `auto`
// the CPU takes over from the last. Boards that devices cannot hold go to the CPU, and `notice` is told so. `check`
// runs every chain on devices and on the CPU, which must agree. Throws std::runtime_error if no device is left.
std::unique_ptr<game::ChainEngine> make_chain_engine(const EngineChoice& choice,
                                                     const std::shared_ptr<ChainDevices>& devices,
                                                     const game::Position& board, const game::Scoring& scoring,
                                                     const EngineNotice& notice = {});
// The CPU, whatever engine the choice names, with its threads and instruction set.
std::unique_ptr<game::ChainEngine> make_cpu_chain_engine(const EngineChoice& choice);
// The processor that expands the states of a beam: a device with `cuda`, and with `auto` if there is one, else the CPU;
// with `check` both, which must agree. A beam lives on one device, the first that is named or usable. `notice` and
// refusals are those of make_engine.
// `devices` knows which have failed, and is told what the beam runs on; it may be null.
std::unique_ptr<game::BeamStep> make_beam_step(const EngineChoice& choice, const EngineNotice& notice = {},
                                               const std::shared_ptr<BeamDevices>& devices = nullptr);
// The name of the device that make_beam_step would use; empty if it is the CPU. Throws as make_beam_step does.
std::string beam_device(const EngineChoice& choice, const EngineNotice& notice = {});

}  // namespace chainshot::host
