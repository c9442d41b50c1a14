// What `chainshot solve` found, for people and for machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/search/search_plan.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// How the boards of a run are searched; the same for all of them.
struct SolveSetting {
  std::string preset;
  host::SearchPlan plan;
  bool default_budget = false;
  bool searches_tree = false;
  std::string engine;  // empty: no playouts are played
  std::string scoring;
  std::uint64_t seed = 0;
};

struct BoardSolution {
  game::NamedBoard board;
  host::SolveResult result;
  double found_seconds = 0;  // when the best line was found
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
// The head of the log.
Json run_json(const std::vector<game::NamedBoard>& boards, const SolveSetting& setting, int threads);

}  // namespace chainshot::tools
