// Draws boards as letters, with one line per row and two characters per cell, so that the widest board fits 80 columns.
// Drawings are readable without colour.
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

// Describes a board: blocks per colour, blocks, groups, and an upper bound of the score.
std::string describe_board(const game::Position& position, const game::Scoring& scoring, const Terminal& terminal);

}  // namespace chainshot::tools
