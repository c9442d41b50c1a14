// Which moves VS-pruning leaves out (Klein 2015, 2.4.2), and where that ends the game.
#pragma once

#include "game/position.hpp"

namespace chainshot::host {

// Moves the groups that VS-pruning leaves out behind the others, and returns the number of those others. If it would
// leave out all of them it leaves out none.
int put_pruned_last(const game::Position& position, game::GroupRoom& groups, int count);
// No choice is left: there are no moves, or VS-pruning would leave all of them out ("quick finish": Klein 2015, 5.1).
bool is_over(const game::Position& position, bool vs_pruning);

}  // namespace chainshot::host
