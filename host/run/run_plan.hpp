// How the boards of a run are searched: the search with its settings, budget and engines. The same for all boards.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "host/search/registry.hpp"

namespace chainshot::host {

struct RunPlan {
  std::string preset;
  const SearchKind* kind = nullptr;
  Settings settings;
  CommonSettings common;
  Budget budget;
  std::vector<std::string> engines = {"auto"};  // names; several play side by side
  EngineChoice choice;                          // threads, instruction set and devices of all of them
  game::Scoring scoring = game::kStandardScoring;
  std::uint64_t seed = 0;
};

// The budget as the log and JSON have it.
nlohmann::ordered_json budget_json(const Budget& budget);
// The settings of a plan by name, with the common ones; those that do not apply are left out.
nlohmann::ordered_json settings_json(const RunPlan& plan);

}  // namespace chainshot::host
