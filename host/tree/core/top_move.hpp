// The move with the highest score of a block: the innermost loop of every walk.
#pragma once

#include "host/tree/core/node.hpp"

namespace chainshot::host {

struct TopMove {
  int index;     // of the highest value + exploration * width, the first of equals, or -1 if all are kNever
  float second;  // the highest of the others
};

TopMove top_move(const SelectionTerms* lines, int count, float exploration);
// The same, with instructions that every processor has.
TopMove top_move_anywhere(const SelectionTerms* lines, int count, float exploration);

}  // namespace chainshot::host
