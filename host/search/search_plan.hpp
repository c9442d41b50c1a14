// From a preset and what was changed of it to the searches that run: which of them there are, on which engines, and how
// they share the processors.
#pragma once

#include <string>
#include <vector>

#include "game/engine.hpp"
#include "host/anneal/annealing.hpp"
#include "host/search/presets.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot::host {

struct SearchPlan {
  Method method = Method::kAuto;
  TreeSettings tree;
  AnnealSettings anneal;
  std::string isa = "auto";  // of the chains
  Budget budget;             // of every search
};

// `auto` searches a tree on `engines` only where one is not on the CPU: with the same cores annealing finds more. Its
// search for a proof of a small board, on one of the threads, has an engine of its own.
bool searches_tree(const SearchPlan& plan, const std::vector<game::Engine*>& engines);
bool anneals(const SearchPlan& plan);

// `engines` outlive the searches; they may be none for a plan that searches no tree. `threads` is the number of
// processors to use, 0 for all of them.
SearchMaker make_searches(const SearchPlan& plan, std::vector<game::Engine*> engines, int threads);

}  // namespace chainshot::host
