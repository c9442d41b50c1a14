// Solutions on the command line: a file, or - for the standard input, matched with the boards they solve.
#pragma once

#include <CLI/CLI.hpp>
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
  std::string scoring = "standard";

  game::Notation parsed_notation() const;
  game::Scoring parsed_scoring() const;
};

void add_solution_arguments(CLI::App& command, SolutionArguments& arguments, bool solution_required);

// The solutions in the file, each with its board. A nameless solution belongs to a board given alone; of several
// solutions a board given alone picks those of its name; several boards must include every board that is named.
// Throws InputError or game::ParseError; never returns nothing.
std::vector<SolvedBoard> solved_boards(const SolutionArguments& arguments, const std::vector<game::NamedBoard>& boards);

}  // namespace chainshot::tools
