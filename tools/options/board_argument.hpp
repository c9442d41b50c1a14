// Reads the boards that an argument names: NAME (standard-01 to standard-20, or standard for all of them), FILE (all
// its boards) or FILE:NAME. `-` in place of FILE is the standard input.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "game/board_text.hpp"

namespace chainshot::tools {

// Returns the file that the argument reads, - for the standard input, or an empty string for built-in boards.
std::string file_of_board(const std::string& argument);

// Returns at least one board. Throws InputError or game::ParseError, with a suggestion for a mistyped name.
std::vector<game::NamedBoard> boards_named(const std::string& argument);

// Returns the boards of several arguments. Solution files and logs identify a board by its name, so if different boards
// share one, each that is of a file gets the file's stem as a prefix: STEM-NAME. Throws InputError if two still do.
std::vector<game::NamedBoard> boards_named(const std::vector<std::string>& arguments);

// For commands that take a single board. Also throws InputError if the argument names several.
game::NamedBoard board_named(const std::string& argument);

// Adds the required positional argument BOARD, or BOARD...
CLI::Option* add_board_argument(CLI::App& command, std::string& board);
CLI::Option* add_boards_argument(CLI::App& command, std::vector<std::string>& boards);

}  // namespace chainshot::tools
