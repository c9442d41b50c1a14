// A board on the command line: NAME (standard-01 .. standard-20, or standard for all of them), FILE (all its boards) or
// FILE:NAME; `-` in place of FILE is the standard input.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "game/board_text.hpp"

namespace chainshot::tools {

// The file, or - for the standard input, that the argument reads; empty for built-in boards.
std::string file_of_board(const std::string& argument);

// Never empty. Throws InputError or game::ParseError, with a suggestion for a mistyped name.
std::vector<game::NamedBoard> boards_named(const std::string& argument);

// The same for commands that take a single board: InputError if the argument names several.
game::NamedBoard board_named(const std::string& argument);

// Adds the required positional argument BOARD.
CLI::Option* add_board_argument(CLI::App& command, std::string& board);

}  // namespace chainshot::tools
