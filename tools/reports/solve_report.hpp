// The reports of `chainshot solve`: text for people and JSON for scripts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/run/board_run.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

using host::BoardSolution;

// The run that a report describes.
struct SolveSetting {
  const host::BoardRun* run = nullptr;
  bool default_budget = false;  // the user gave no budget
  game::Notation notation = game::Notation::kColumnRow;
};

// What ends a search of these plans, which share their budget: `1.00 M playouts or 10 s`.
std::string budget_text(std::span<const host::RunPlan> plans);

// Reports one board: its line and how it was found. In CodinGame's notation the moves are left to the caller, because
// they are the whole answer there.
std::string solution_text(const BoardSolution& solution, const SolveSetting& setting, const Terminal& terminal);

// Reports several boards: a head with the setting, a row for each board as soon as it is done, and the sum.
class SolutionTable {
 public:
  SolutionTable(const SolveSetting& setting, const std::vector<game::NamedBoard>& boards, const Terminal& terminal);

  std::string head() const;
  std::string row(const BoardSolution& solution) const;
  std::string sum(const std::vector<BoardSolution>& solutions) const;

 private:
  bool has_starts() const;

  const SolveSetting& setting_;
  const host::Counters counters_;  // fixed: an engine that falls back must not change the columns
  const Terminal& terminal_;
  std::size_t boards_;
  std::size_t name_width_;
};

// Returns the whole answer, with the version field.
Json solutions_json(const std::vector<BoardSolution>& solutions, const SolveSetting& setting);
// Describes the program and the machine, for the first line of a log.
Json machine_json();

}  // namespace chainshot::tools
