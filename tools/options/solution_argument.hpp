// Solutions that a command is given, in a file or on the standard input (-), matched with the boards they solve.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/scoring.hpp"
#include "game/solution_text.hpp"

namespace chainshot::tools {

struct SolvedBoard {
  game::NamedBoard board;
  game::Solution solution;
};

// What verify and show ask about solutions.
struct SolutionArguments {
  std::string board;
  std::string path;  // of the solution; may be empty where it is optional
  std::string notation = "columns";
  std::string scoring;  // empty: as the solutions say

  game::Notation parsed_notation() const;
  std::optional<game::Scoring> parsed_scoring() const;
};

void add_solution_arguments(CLI::App& command, SolutionArguments& arguments, bool solution_required);

// The solutions in the file, each with its board. A nameless solution belongs to a board given alone; of several
// solutions a board given alone picks those of its name; several boards must include every board that is named.
// Throws InputError or game::ParseError; never returns nothing.
std::vector<SolvedBoard> solved_boards(const SolutionArguments& arguments, const std::vector<game::NamedBoard>& boards);

// The scoring that was asked for, else the one that the solutions name; standard if nothing is said. Throws
// game::ParseError if they name several.
game::Scoring scoring_of(const SolutionArguments& arguments, const std::vector<SolvedBoard>& solved);

// ' (scoring NAME)' after points of another scoring than the standard one.
std::string by_scoring(const game::Scoring& scoring);

}  // namespace chainshot::tools
