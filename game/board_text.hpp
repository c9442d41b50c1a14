// Boards as text. A board file holds one or more boards:
//
//   # a comment
//   board NAME
//   310..        top row first; 0-9 and A-E (or a-e) are colours, '.' is empty
//   ...          a blank line or the next `board` ends it
//
// CodinGame input (15 rows of 15 integers from -1, empty, to 14) is one board, named `codingame`. JSON boards are read
// and written as {"name": ..., "columns": ..., "rows": ..., "cells": ["top row", ...]}, alone, in an array, or in an
// array under the key "boards". Boards are settled, and names are of letters, digits and - _ . only.
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
};

// Reads any of the three formats and recognises them by the first line that is not blank or a comment. Throws
// ParseError and then returns no board at all. `source` names the text in errors.
std::vector<NamedBoard> parse_boards(std::string_view text, std::string_view source);

std::string to_text(const NamedBoard& board);
std::string to_codingame(const Position& position);
nlohmann::ordered_json to_json(const NamedBoard& board);
char color_letter(int color);                                    // '.' for kEmpty
std::vector<std::string> letter_rows(const Position& position);  // the top row first

// The 20 boards of the standard test set, standard-01 to standard-20.
const std::vector<NamedBoard>& standard_boards();

}  // namespace chainshot::game
