#include "host/engines/engines.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cpu/beam/cpu_beam_step.hpp"
#include "cpu/chain/cpu_chain_engine.hpp"
#include "cuda/cuda_chain_engine.hpp"
#include "cuda/cuda_engine.hpp"
#include "host/engines/check_chain_engine.hpp"
#include "host/engines/check_engine.hpp"
#include "host/engines/routing_engine.hpp"

namespace chainshot::host {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}

void expect_threads(int threads) {
  if (threads < 0 || threads > kMaxThreads)
    throw std::invalid_argument("cannot run " + std::to_string(threads) + " threads; expected 1 to " +
                                std::to_string(kMaxThreads) + ", or 0 for one per processor");
}

// For engine cpu.
void expect_no_devices(const EngineChoice& choice) {
  if (choice.gpu_memory > 0)
    throw std::invalid_argument(
        "engine cpu takes no memory of devices; expected no --gpu-memory, or engine auto or cuda");
  if (!choice.devices.empty()) throw std::invalid_argument("engine cpu has no devices; expected engine auto or cuda");
}

// Requests that the devices cannot play go to a CPU engine. Users of a device may poll instead of wait, so that engine
// brings all its threads itself.
std::unique_ptr<game::Engine> cuda_engine(const EngineChoice& choice, cpu::CpuEngineOptions on_cpu,
                                          const EngineNotice& notice) try {
  on_cpu.caller_threads = 0;
  return std::make_unique<RoutingEngine>(
      cuda::make_cuda_engine({.devices = choice.devices, .memory = choice.gpu_memory, .notice = notice}),
      [on_cpu] { return cpu::make_cpu_engine(on_cpu); });
} catch (const cuda::NoDevice& error) {
  throw std::invalid_argument(error.what());
}

std::unique_ptr<game::Engine> backed_by_cpu(std::unique_ptr<game::Engine> engine, cpu::CpuEngineOptions on_cpu,
                                            const EngineNotice& notice) {
  on_cpu.caller_threads = 0;
  return std::make_unique<FallbackEngine>(
      std::move(engine), [on_cpu] { return cpu::make_cpu_engine(on_cpu); }, notice);
}

// Nobody needs to hear that a machine has no device, but whoever has one, or its driver, wonders why the CPU plays.
void say_why_no_device(const EngineNotice& notice, const std::string& why) {
  if (notice && cuda::has_nvidia(cuda::list_devices())) notice("no CUDA device is used: " + why);
}

// Returns null if the CPU expands the beams.
std::unique_ptr<cuda::CudaBeamStep> device_for_beams(const EngineChoice& choice, const EngineNotice& notice,
                                                     const std::vector<int>& without = {}) {
  expect_threads(choice.threads);
  if (choice.name == "cpu") {
    expect_no_devices(choice);
    return nullptr;
  }
  try {
    return cuda::make_cuda_beam_step(
        {.devices = choice.devices, .memory = choice.gpu_memory, .without = without, .notice = notice});
  } catch (const cuda::NoDevice& error) {
    if (choice.name == "auto" && !without.empty()) return nullptr;  // all have failed, and that was said
    if (choice.name != "auto" || !choice.devices.empty()) throw std::invalid_argument(error.what());
    say_why_no_device(notice, error.what());
    return nullptr;
  }
}

}  // namespace

std::vector<std::string> engine_names() {
  return {"auto", "cpu", "cuda", "check"};
}

std::vector<std::string> isa_names() {
  std::vector<std::string> names = {"auto"};
  for (const cpu::Isa isa : cpu::kIsas) {
    if (isa == cpu::Isa::kAvx512Ymm) names.emplace_back(cpu::kAvx512);
    names.emplace_back(cpu::name_of(isa));
  }
  return names;
}

cpu::Isa isa_for(const std::string& name) {
  if (name == "auto") return cpu::best_isa();
  const std::optional<cpu::Isa> isa = cpu::isa_named(name);
  if (!isa) throw std::invalid_argument("no instruction set '" + name + "'; expected " + listed(isa_names()));
  const std::vector<cpu::Isa> available = cpu::available_isas();
  if (std::find(available.begin(), available.end(), *isa) == available.end())
    throw std::invalid_argument("this processor or build has no " + name + "; the best it can run is " +
                                std::string(cpu::name_of(cpu::best_isa())));
  return *isa;
}

std::unique_ptr<game::Engine> make_engine(const EngineChoice& choice, const EngineNotice& notice) {
  const std::vector<std::string> names = engine_names();
  if (std::find(names.begin(), names.end(), choice.name) == names.end())
    throw std::invalid_argument("no engine '" + choice.name + "'; expected " + listed(names));
  expect_threads(choice.threads);
  const cpu::CpuEngineOptions on_cpu{
      .threads = choice.threads, .caller_threads = choice.caller_threads, .isa = isa_for(choice.isa)};
  if (choice.name == "cpu") {
    expect_no_devices(choice);
    return cpu::make_cpu_engine(on_cpu);
  }
  if (choice.name == "check") {
    cpu::CpuEngineOptions witness = on_cpu;
    witness.caller_threads = 0;
    return std::make_unique<CheckEngine>(cuda_engine(choice, on_cpu, notice), cpu::make_cpu_engine(witness), 1);
  }
  if (choice.name == "cuda" || !choice.devices.empty()) {
    auto engine = cuda_engine(choice, on_cpu, notice);
    const bool falls_back_to_cpu = choice.falls_back_to_cpu || choice.name == "auto";
    return falls_back_to_cpu ? backed_by_cpu(std::move(engine), on_cpu, notice) : std::move(engine);
  }
  try {
    return backed_by_cpu(cuda_engine(choice, on_cpu, notice), on_cpu, notice);
  } catch (const std::invalid_argument& error) {
    say_why_no_device(notice, error.what());
    return cpu::make_cpu_engine(on_cpu);
  }
}

bool has_nvidia_driver() {
  return !cuda::driver_release().empty();
}

std::unique_ptr<game::ChainEngine> make_cpu_chain_engine(const EngineChoice& choice) {
  expect_threads(choice.threads);
  return cpu::make_cpu_chain_engine({.threads = choice.threads, .isa = isa_for(choice.isa)});
}

std::shared_ptr<ChainDevices> open_chain_devices(const EngineChoice& choice, const EngineNotice& notice) {
  expect_threads(choice.threads);
  if (choice.name == "cpu") {
    expect_no_devices(choice);
    return nullptr;
  }
  try {
    return std::make_shared<ChainDevices>(cuda::make_cuda_chain_engines(choice.devices, choice.gpu_memory, {}, notice));
  } catch (const cuda::NoDevice& error) {
    if (choice.name != "auto" || !choice.devices.empty()) throw std::invalid_argument(error.what());
    say_why_no_device(notice, error.what());
    return nullptr;
  }
}

std::unique_ptr<game::ChainEngine> make_chain_engine(const EngineChoice& choice,
                                                     const std::shared_ptr<ChainDevices>& devices,
                                                     const game::Position& board, const game::Scoring& scoring,
                                                     const EngineNotice& notice) {
  const auto on_cpu = [choice] { return make_cpu_chain_engine(choice); };
  if (devices == nullptr) return on_cpu();
  auto shared = std::make_unique<SharedChainEngine>(
      devices, choice.name == "auto" ? SharedChainEngine::Factory(on_cpu) : nullptr, notice);
  if (const std::string objection = shared->objection(board, scoring); !objection.empty()) {
    if (notice) notice(objection + "; the CPU anneals it");
    auto engine = on_cpu();
    devices->set_in_use(engine->capabilities().name);
    return engine;
  }
  if (choice.name == "check") return std::make_unique<CheckChainEngine>(std::move(shared), on_cpu());
  return shared;
}

std::unique_ptr<game::BeamStep> make_beam_step(const EngineChoice& choice, const EngineNotice& notice,
                                               const std::shared_ptr<BeamDevices>& devices) {
  const auto known = devices != nullptr ? devices : std::make_shared<BeamDevices>();
  const cpu::CpuBeamOptions on_cpu{.threads = choice.threads, .isa = isa_for(choice.isa)};
  const auto make_on_cpu = [on_cpu] { return cpu::make_cpu_beam_step(on_cpu); };
  auto device = device_for_beams(choice, {}, known->failed());
  if (device == nullptr) return make_on_cpu();
  const DeviceTrust trust = choice.name == "auto"    ? DeviceTrust::kTakeOver
                            : choice.name == "check" ? DeviceTrust::kChecks
                                                     : DeviceTrust::kThrows;
  const auto make_other = [choice](const std::vector<int>& without) -> std::unique_ptr<cuda::CudaBeamStep> {
    try {
      return cuda::make_cuda_beam_step({.devices = choice.devices, .memory = choice.gpu_memory, .without = without});
    } catch (const cuda::NoDevice&) {
      return nullptr;
    }
  };
  return std::make_unique<BeamOnDevice>(std::move(device), make_other, make_on_cpu, trust, notice, known);
}

std::string beam_device(const EngineChoice& choice, const EngineNotice& notice) {
  const auto device = device_for_beams(choice, notice);
  return device == nullptr ? "" : device->name();
}

}  // namespace chainshot::host
