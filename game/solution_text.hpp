// Solutions as text: one or more of
//
//   board NAME
//   scoring NAME         optional; the scoring that `score` is by: a name or a formula (game/scoring_text.hpp)
//   score N              optional on input
//   moves C,R C,R ...    may continue on lines of their own that start with a digit; the word `moves` may be left out
//
// C,R is column,row from the bottom left, counting from 0; in the papers' notation it is row,column from the top left,
// counting from 1. CodinGame's moves are those of C,R without the comma, one on each line; every notation may be
// written so on input. Comments as in board files; tabs are blanks. JSON: {"board": ..., "scoring": ..., "score": ...,
// "moves": [[C, R], ...]}, or only the moves, alone, in an array, in an array under the key "boards" ("name" may stand
// for "board" there, and "scoring" beside it is of all of them, as in the answers of `chainshot solve`), or under the
// key "best" as in those of `chainshot play`.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/board_text.hpp"
#include "game/parse_error.hpp"
#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

enum class Notation { kColumnRow, kPaper, kCodingame };

struct Solution {
  std::string board;               // empty if the text does not say
  std::optional<Scoring> scoring;  // the same
  std::optional<int> score;
  std::vector<Cell> moves;
  Place place = {};  // of the board's name in the text, or of what stands there instead

  // The score that the text claims, by that scoring.
  std::optional<int> score_by(const Scoring& asked) const {
    return scoring.value_or(asked) == asked ? score : std::nullopt;
  }
};

// The number of rows of a board, by its name; the name is empty if the solution gives none. The papers' notation counts
// from the top row and needs it.
using RowsOfBoard = std::function<int(const std::string& board)>;

// Throws ParseError. Refuses cells that no board has; the rules decide later whether this board has a cell. There are
// no negative rows, so a row that the papers' notation puts below the board becomes a cell above it.
std::vector<Solution> parse_solutions(std::string_view text, std::string_view source, Notation notation,
                                      const RowsOfBoard& rows_of);
std::vector<Solution> parse_solutions(std::string_view text, std::string_view source, Notation notation, int rows);

// Parses `COLUMN,ROW` within the limits of a board.
std::optional<Cell> parse_cell(std::string_view text);

std::string to_text(const Solution& solution, Notation notation, int rows);
std::string to_text(Cell cell, Notation notation, int rows);
nlohmann::ordered_json to_json(const Solution& solution);

}  // namespace chainshot::game
