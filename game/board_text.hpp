// Boards as text. A board file holds one or more boards:
//
//   # a comment
//   board NAME
//   310..        top row first; 0-9 and A-E (or a-e) are colours, '.' is empty
//   ...          a blank line or the next `board` ends it
//
// Boards without names are rows only. Rows may have other cells, and blanks or commas between them: board_cells.hpp. A
// first line `COLUMNS ROWS` is no row but the size. CodinGame input (15 rows of 15 integers, -1 for empty) is a board
// named `codingame`, or several. JSON boards are written as {"name": ..., "columns": ..., "rows": ..., "cells": ["top
// row", ...]} and read alone, in an array, in an array under the key "boards", or as bare arrays of rows. BGF files are
// those of the solver sgbust. Boards are settled, and names are of letters, digits and - _ . only.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "game/parse_error.hpp"
#include "game/position.hpp"

namespace chainshot::game {

struct NamedBoard {
  std::string name;
  Position position;
  std::string long_name = {};  // STEM-NAME if it was read from a file; lines may call it so
};

inline constexpr std::string_view kUnnamedBoard = "board";

// Reads any of the formats. Throws ParseError and then returns no board at all. `source` names the text in errors. A
// board without a name is called `unnamed`; several are `unnamed-1`, `unnamed-2` and so on.
std::vector<NamedBoard> parse_boards(std::string_view text, std::string_view source,
                                     std::string_view unnamed = kUnnamedBoard);

// The name for the boards of a file: its stem, with _ for what a name cannot have.
std::string board_name_of(std::string_view stem);

std::string to_text(const NamedBoard& board);
std::string to_codingame(const Position& position);
nlohmann::ordered_json to_json(const NamedBoard& board);
char color_letter(int color);                                    // '.' for kEmpty
std::vector<std::string> letter_rows(const Position& position);  // the top row first

// The 20 boards of the standard test set, standard-01 to standard-20.
const std::vector<NamedBoard>& standard_boards();

}  // namespace chainshot::game
