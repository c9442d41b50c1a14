// Which engines a run opens: those the user named, as far as the search plays on them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/run/run_plan.hpp"

namespace chainshot::host {

// Threads to use: those asked for, or one per processor.
int threads_of(const EngineChoice& choice);

// Decides before it opens anything: a search that plays on no engine opens none, and one that only uses devices opens
// none where the machine has no device. Throws std::invalid_argument with one sentence.
std::vector<std::unique_ptr<game::Engine>> open_engines(const RunPlan& plan, const EngineNotice& notice);

}  // namespace chainshot::host
