// A game without chance: one colour is kept for last, and small groups go before large ones, so that blocks of a colour
// meet. Searches play it where their budget ends.
//
// Largest group first would be the obvious rule, and is the weaker one: best lines of a depth-budgeted search with it
// fell behind by hundreds of points (docs/lab/trials.md).
#pragma once

#include <vector>

#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

// Plays to the end and returns the score; `points` are those earned before. Every move takes the smallest group that is
// not of `kept_color`, or of that colour if there is no other; of equal groups the one with the highest lowest row, and
// then the leftmost. Appends the cells played to `moves` if it is given.
int play_greedily(Position position, const Scoring& scoring, int kept_color, int points,
                  std::vector<Cell>* moves = nullptr);

}  // namespace chainshot::game
