// The program under mpirun or srun: rank 0 runs the command, the other ranks search for it and print nothing.
#pragma once

#include <functional>

#include "host/cluster/cluster.hpp"
#include "host/run/run_plan.hpp"
#include "tools/commands.hpp"

namespace chainshot::tools {

// Calls `lead` in rank 0, or in the only process with null, and returns the exit code of this process.
int run_in_ranks(const std::function<int(host::Cluster*)>& lead);

// Returns what spreads the searches of a plan over ranks or shares; null if there is one of each.
host::Spread* spread_for(const host::RunPlan& plan, Program& program);

}  // namespace chainshot::tools
