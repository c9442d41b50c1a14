// How the search of a board is spread over the processes of a run, and over the shares of a deterministic search.
#pragma once

#include <string>
#include <vector>

#include "host/run/run_engines.hpp"
#include "host/run/run_plan.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

class Spread {
 public:
  virtual ~Spread() = default;

  // Makes a search that searches in all processes, this one among them, and offers the lines of all to the incumbent.
  // The plan and the resources outlive it.
  virtual std::vector<NamedSearch> make(const RunPlan& plan, const RunResources& resources, const SearchTask& task,
                                        Incumbent& incumbent) = 0;
  virtual int ranks() const = 0;
  // Returns the sentence that says which process was lost; empty if none was. The run cannot go on then.
  virtual std::string lost() const = 0;
};

// Makes the searches of a board: those of the plan's spread, or those of this process alone.
std::vector<NamedSearch> make_searches(const RunPlan& plan, const RunResources& resources, const SearchTask& task,
                                       Incumbent& incumbent);

}  // namespace chainshot::host
