// How depth-budgeted search divides the budget of a position among its moves.
#pragma once

#include <cmath>
#include <cstdint>

namespace chainshot::host {

// Returns what the best of the moves that have not had their turn gets of the budget that is left. With `blocks` blocks
// the game is expected to have m = moves_per_block x blocks more moves, and the position keeps one part of 1 + m for
// the other moves, so that each depth of the line gets as much. Parts are rounded in favour of the move; the last one
// gets everything.
inline std::uint64_t share_of(std::uint64_t left, int blocks, double moves_per_block, bool is_last) {
  if (is_last) return left;
  const double moves = moves_per_block * blocks;
  const auto part = static_cast<std::uint64_t>(std::ceil(static_cast<double>(left) * moves / (1 + moves)));
  return part < left ? part : left;
}

}  // namespace chainshot::host
