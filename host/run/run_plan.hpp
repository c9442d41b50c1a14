// The plan of a run: the search with its settings, budget and engines. It is the same for all boards of the run.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "host/search/registry.hpp"

namespace chainshot::host {

class Spread;

// A known line of a board and the file it comes from.
struct StartLine : ScoredLine {
  std::string file;
};

// A run may search several boards at a time. Each process then divides its threads among them.
struct PlanSlot {
  int number = 0;
  int count = 1;
  int threads_asked = 0;  // by the user, for all of them; 0: one per processor
};

struct RunPlan {
  std::string preset;
  const SearchKind* kind = nullptr;
  Settings settings;
  CommonSettings common;
  Budget budget;
  std::vector<std::string> engines = {"auto"};  // names; several engines play side by side
  EngineChoice choice;                          // threads, instruction set and devices of all engines
  game::Scoring scoring = game::kStandardScoring;
  std::uint64_t seed = 0;
  std::vector<std::string> start_files = {};                  // that the user named
  std::map<std::string, std::vector<StartLine>> starts = {};  // legal lines by the name of their board, best first
  Spread* spread = nullptr;                                   // over several processes; null: this one alone
  PlanSlot slot = {};

  // Returns null if the board has no start.
  const StartLine* best_start(const std::string& board) const;
};

// Returns the budget for the log and for JSON answers.
nlohmann::ordered_json budget_json(const Budget& budget);
// Returns the settings of a plan by name, including the common ones. Leaves out settings that do not apply.
nlohmann::ordered_json settings_json(const RunPlan& plan);

}  // namespace chainshot::host
