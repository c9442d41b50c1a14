// Reads the solutions that verify and show are given, from a file or the standard input (-), and matches each with the
// board it solves.
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

// Returns the notation columns, paper or codingame. Throws InputError for another name.
game::Notation notation_named(const std::string& name);

// The arguments of a command that takes solutions.
struct SolutionArguments {
  std::string board;
  std::string path;  // of the solution; may be empty where it is optional
  std::string notation = "columns";
  std::string scoring;  // empty: the scoring that the solutions name

  game::Notation parsed_notation() const { return notation_named(notation); }
  std::optional<game::Scoring> parsed_scoring() const;
};

void add_solution_arguments(CLI::App& command, SolutionArguments& arguments, bool solution_required);

// Returns the solutions in the file, each with its board; at least one. If one board is given, it takes the solutions
// without a name and those of its own name, and others are skipped. If several boards are given, every solution must
// name one of them. Throws InputError or game::ParseError.
std::vector<SolvedBoard> solved_boards(const SolutionArguments& arguments, const std::vector<game::NamedBoard>& boards);

// Returns the scoring given by --scoring, else the one that the solutions name, else the standard one. Throws
// game::ParseError if the solutions name several.
game::Scoring scoring_of(const SolutionArguments& arguments, const std::vector<SolvedBoard>& solved);

// Returns ' (scoring NAME)', to follow points, or an empty string for the standard scoring.
std::string by_scoring(const game::Scoring& scoring);

}  // namespace chainshot::tools
