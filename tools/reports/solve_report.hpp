// What `chainshot solve` found, for people and for machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/run/board_run.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

using host::BoardSolution;

// A run and what the user should know of it.
struct SolveSetting {
  const host::BoardRun* run = nullptr;
  bool default_budget = false;
};

// One board: the line and how it was found.
std::string solution_text(const BoardSolution& solution, const SolveSetting& setting, const Terminal& terminal);

// Several boards: a line each, as soon as it is done, between what tells how and the sum.
class SolutionTable {
 public:
  SolutionTable(const SolveSetting& setting, const std::vector<game::NamedBoard>& boards, const Terminal& terminal);

  std::string head() const;
  std::string row(const BoardSolution& solution) const;
  std::string sum(const std::vector<BoardSolution>& solutions) const;

 private:
  const SolveSetting& setting_;
  const Terminal& terminal_;
  std::size_t boards_;
  std::size_t name_width_;
};

// The whole answer.
Json solutions_json(const std::vector<BoardSolution>& solutions, const SolveSetting& setting);
// The program and the machine, for the head of a log.
Json machine_json();

}  // namespace chainshot::tools
