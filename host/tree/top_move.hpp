// The move of the highest score among those of a block: the innermost loop of every walk.
#pragma once

#include "host/tree/node.hpp"

namespace chainshot::host {

// The slot of the highest value + exploration * width, the first of equals, or -1 if all are kNever.
int top_move(const Octet* octets, int count, float exploration);
// The same without what only some processors have.
int top_move_anywhere(const Octet* octets, int count, float exploration);

}  // namespace chainshot::host
