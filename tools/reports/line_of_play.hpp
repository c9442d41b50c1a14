// Plays a solution move by move and keeps every position, so that it can be drawn.
#pragma once

#include <string>
#include <vector>

#include "game/scoring.hpp"
#include "tools/options/solution_argument.hpp"

namespace chainshot::tools {

struct Step {
  game::Position before;
  game::CellSet removed = {};
  game::Cell cell;
  int color = 0;
  int size = 0;
  int points = 0;
  int score = 0;  // after the move, without the bonus or deduction at the end of the game
};

struct LineOfPlay {
  std::vector<Step> steps;
  game::Position last;
  int score = 0;  // with the bonus or deduction at the end of the game
};

// Throws std::runtime_error with one sentence if a move is illegal.
LineOfPlay play_out(const SolvedBoard& solved, const game::Scoring& scoring);

}  // namespace chainshot::tools
