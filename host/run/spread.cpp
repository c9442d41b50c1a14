#include "host/run/spread.hpp"

namespace chainshot::host {

std::vector<NamedSearch> make_searches(const RunPlan& plan, const RunResources& resources, const SearchTask& task,
                                       Incumbent& incumbent) {
  if (plan.spread != nullptr) return plan.spread->make(plan, resources, task, incumbent);
  Resources of_plan = resources.resources();
  of_plan.budget = plan.budget;
  return plan.kind->make(task, plan.settings, of_plan, incumbent);
}

}  // namespace chainshot::host
