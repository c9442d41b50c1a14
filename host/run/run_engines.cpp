#include "host/run/run_engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

#include "machine/allowance.hpp"

namespace chainshot::host {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void expect_distinct(const Names& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      throw std::invalid_argument(fmt::format("--engine names {} twice; expected each engine once", names[i]));
  if (names.size() > 1 && contains(names, "auto"))
    throw std::invalid_argument(
        "--engine auto chooses the engines by itself; expected auto alone, or names such as cuda,cpu");
}

EngineChoice choice_of(const RunPlan& plan, const std::string& name) {
  EngineChoice choice = plan.choice;
  choice.name = name;
  const bool is_alone = plan.engines.size() == 1;
  if (name == "cpu" && !is_alone) {
    choice.devices.clear();
    choice.gpu_memory = 0;
  }
  choice.falls_back_to_cpu = !is_alone;
  // Threads of the search play while they wait for the engine, so they count among --threads.
  if (is_alone)
    choice.caller_threads = plan.kind->waiting_threads == nullptr
                                ? 1
                                : plan.kind->waiting_threads(plan.settings, plan.common, threads_of(choice));
  return choice;
}

// Passes on each sentence once, though a search may open its engines anew for every board.
EngineNotice said_once(EngineNotice notice) {
  if (!notice) return notice;
  struct Said {
    std::mutex mutex;
    std::set<std::string> sentences;
  };
  return [said = std::make_shared<Said>(), notice = std::move(notice)](const std::string& sentence) {
    {
      const std::lock_guard lock(said->mutex);
      if (!said->sentences.insert(sentence).second) return;
    }
    notice(sentence);
  };
}

// Opens the devices of a search that does it itself; what it opens later is refused now.
OwnDevices own_devices_of(const RunPlan& plan, const EngineNotice& notice) {
  if (plan.kind->engines != EngineNeed::kOwn) return {};
  if (plan.engines.size() != 1)
    throw std::invalid_argument(
        fmt::format("preset {} runs on one engine; expected --engine auto, cpu, cuda or check", plan.preset));
  EngineChoice choice = plan.choice;
  choice.name = plan.engines[0];
  isa_for(choice.isa);
  return plan.kind->open_devices(choice, notice);
}

}  // namespace

int threads_of(const EngineChoice& choice) {
  return choice.threads > 0 ? choice.threads : machine::usable_processors();
}

std::vector<std::unique_ptr<game::Engine>> open_engines(const RunPlan& plan, const EngineNotice& notice) {
  expect_distinct(plan.engines);
  const EngineNeed need = plan.kind->engines;
  std::vector<std::unique_ptr<game::Engine>> engines;
  if (need == EngineNeed::kNone) {
    if (contains(plan.engines, "cuda") || contains(plan.engines, "check") || !plan.choice.devices.empty())
      throw std::invalid_argument(
          fmt::format("preset {} runs only on the CPU; expected --engine cpu or auto", plan.preset));
    if (plan.choice.gpu_memory > 0)
      throw std::invalid_argument(fmt::format("preset {} runs only on the CPU; expected no --gpu-memory", plan.preset));
    // A list of devices would take time that the search does not need.
    if (notice && contains(plan.engines, "auto") && has_nvidia_driver())
      notice(fmt::format("no CUDA device is used: preset {} runs only on the CPU", plan.preset));
    return engines;
  }
  if (need == EngineNeed::kOwn) return engines;
  for (const std::string& name : plan.engines)
    engines.push_back(make_engine(choice_of(plan, name), notice));
  return engines;
}

RunResources::RunResources(const RunPlan& plan, const EngineNotice& notice)
    : notice_(said_once(notice)), engines_(open_engines(plan, notice_)), own_devices_(own_devices_of(plan, notice_)) {
  for (const auto& engine : engines_)
    resources_.engines.push_back(engine.get());
  resources_.chain_devices = own_devices_.chains;
  resources_.beam_devices = own_devices_.beams;
  resources_.choice = plan.choice;
  if (plan.engines.size() == 1) resources_.choice.name = plan.engines[0];
  resources_.notice = notice_;
  resources_.threads = threads_of(plan.choice);
  resources_.common = plan.common;
  resources_.budget = plan.budget;
}

bool RunResources::has_device() const {
  return !own_devices_.names.empty() || std::any_of(engines_.begin(), engines_.end(),
                                                    [](const auto& engine) { return !engine->capabilities().on_cpu; });
}

std::string RunResources::engine_names() const {
  if (own_devices_.chains != nullptr)
    if (std::string names = own_devices_.chains->in_use(); !names.empty()) return names;
  if (own_devices_.beams != nullptr)
    if (std::string name = own_devices_.beams->in_use(); !name.empty()) return name;
  if (engines_.empty()) return own_devices_.names.empty() ? "cpu" : own_devices_.names;
  std::string names;
  for (const auto& engine : engines_)
    names += (names.empty() ? "" : " and ") + engine->capabilities().name;
  return names;
}

}  // namespace chainshot::host
