// Boards in letters: a row a line, two characters a cell, so that the widest board fits 80 columns. Colour helps but is
// never needed.
#pragma once

#include <string>
#include <vector>

#include "game/position.hpp"
#include "game/solution_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

struct BoardDrawing {
  const game::Position& position;
  game::CellSet marked = {};                             // drawn with a star
  game::Notation notation = game::Notation::kColumnRow;  // of the numbers at the edges
};

std::string draw_board(const BoardDrawing& drawing, const Terminal& terminal);

// How many blocks of each colour there are, how many groups, and the score no line exceeds.
std::string describe_board(const game::Position& position, const game::Scoring& scoring, const Terminal& terminal);

}  // namespace chainshot::tools
