#include "host/run/run_engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

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

// Returns true if an engine of this name could play on a device.
bool may_be_device(const std::string& name, const EngineChoice& choice) {
  if (name == "cpu") return false;
  return name == "cuda" || name == "check" || !choice.devices.empty() || has_device();
}

EngineChoice choice_of(const RunPlan& plan, const std::string& name) {
  EngineChoice choice = plan.choice;
  choice.name = name;
  const bool is_alone = plan.engines.size() == 1;
  if (name == "cpu" && !is_alone) choice.devices.clear();
  choice.falls_back_to_cpu = !is_alone;
  // Threads of the search play while they wait for the engine, so they count among --threads.
  if (is_alone)
    choice.caller_threads = plan.kind->waiting_threads == nullptr
                                ? 1
                                : plan.kind->waiting_threads(plan.settings, plan.common, threads_of(choice));
  return choice;
}

// Returns the name of the device that beams run on, if they do. The search opens it later, but refusals come now.
std::string beam_device_of(const RunPlan& plan, const EngineNotice& notice) {
  if (plan.kind->engines != EngineNeed::kBeam) return {};
  if (plan.engines.size() != 1)
    throw std::invalid_argument(
        fmt::format("preset {} runs on one engine; expected --engine auto, cpu, cuda or check", plan.preset));
  EngineChoice choice = plan.choice;
  choice.name = plan.engines[0];
  isa_for(choice.isa);
  return beam_device(choice, notice);
}

}  // namespace

int threads_of(const EngineChoice& choice) {
  return choice.threads > 0 ? choice.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::vector<std::unique_ptr<game::Engine>> open_engines(const RunPlan& plan, const EngineNotice& notice) {
  expect_distinct(plan.engines);
  const EngineNeed need = plan.kind->engines;
  std::vector<std::unique_ptr<game::Engine>> engines;
  if (need == EngineNeed::kNone) {
    if (contains(plan.engines, "cuda") || contains(plan.engines, "check") || !plan.choice.devices.empty())
      throw std::invalid_argument(
          fmt::format("preset {} runs only on the CPU; expected --engine cpu or auto", plan.preset));
    return engines;
  }
  if (need == EngineNeed::kBeam) return engines;
  if (need == EngineNeed::kDevice &&
      std::none_of(plan.engines.begin(), plan.engines.end(),
                   [&](const std::string& name) { return may_be_device(name, plan.choice); })) {
    if (!plan.choice.devices.empty())
      throw std::invalid_argument("engine cpu has no devices; expected engine auto or cuda");
    return engines;
  }
  for (const std::string& name : plan.engines)
    engines.push_back(make_engine(choice_of(plan, name), notice));
  const bool has_device =
      std::any_of(engines.begin(), engines.end(), [](const auto& engine) { return !engine->capabilities().on_cpu; });
  if (need == EngineNeed::kDevice && !has_device) engines.clear();
  return engines;
}

RunResources::RunResources(const RunPlan& plan, const EngineNotice& notice)
    : engines_(open_engines(plan, notice)), beam_device_(beam_device_of(plan, notice)) {
  for (const auto& engine : engines_)
    resources_.engines.push_back(engine.get());
  resources_.choice = plan.choice;
  if (plan.engines.size() == 1) resources_.choice.name = plan.engines[0];
  resources_.notice = notice;
  resources_.threads = threads_of(plan.choice);
  resources_.common = plan.common;
  resources_.budget = plan.budget;
  if (plan.common.deterministic && has_device() && !plan.kind->is_deterministic_on_device)
    throw std::invalid_argument(
        fmt::format("--deterministic: with a device, preset {} runs several searches that share their lines; expected "
                    "--engine cpu, or a preset that is one search",
                    plan.preset));
}

std::string RunResources::engine_names() const {
  if (engines_.empty()) return beam_device_.empty() ? "cpu" : beam_device_;
  std::string names;
  for (const auto& engine : engines_)
    names += (names.empty() ? "" : " and ") + engine->capabilities().name;
  return names;
}

}  // namespace chainshot::host
