// Opens the engines of a run: those that the user named, if the search plays on them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/run/run_plan.hpp"

namespace chainshot::host {

// Returns the number of threads to use: as the user asked, or one per processor.
int threads_of(const EngineChoice& choice);

// Decides before it opens anything. Returns no engine if the search opens what it needs itself. Throws
// std::invalid_argument with one sentence.
std::vector<std::unique_ptr<game::Engine>> open_engines(const RunPlan& plan, const EngineNotice& notice);

// The engines and threads of a plan, opened.
class RunResources {
 public:
  // Throws std::invalid_argument with one sentence if this machine cannot run the plan.
  RunResources(const RunPlan& plan, const EngineNotice& notice);

  const Resources& resources() const { return resources_; }
  bool has_device() const;
  // Returns the names of the engines that play at the moment; `cpu` if the search computes on the CPU by itself.
  std::string engine_names() const;

 private:
  EngineNotice notice_;
  std::vector<std::unique_ptr<game::Engine>> engines_;
  OwnDevices own_devices_;
  Resources resources_;
};

}  // namespace chainshot::host
