// The rules of the game as small functions over Word, written once for every engine. A board is a few planes of rows:
// the bits of a cell's colour code, code 0 empty. Rows count from the bottom. None of these functions needs to know
// which lanes are playing: on empty rows they do nothing.
#pragma once

#include "game/word.hpp"

namespace chainshot::game {

// One row of a board: its colour codes, a bit in each plane.
template <class W, int Planes>
struct Cells {
  W plane[Planes];
};

template <class W, int P>
CHAINSHOT_HD Cells<W, P> select(W mask, const Cells<W, P>& when_set, const Cells<W, P>& when_clear) {
  Cells<W, P> out;
  for (int p = 0; p < P; ++p)
    out.plane[p] = select(mask, when_set.plane[p], when_clear.plane[p]);
  return out;
}

template <class W, int P>
CHAINSHOT_HD W occupied(const Cells<W, P>& row) {
  if constexpr (P == 3) {
    return or3(row.plane[0], row.plane[1], row.plane[2]);
  } else {
    return or3(row.plane[0], row.plane[1], row.plane[2]) | row.plane[3];
  }
}

// Walls stand between cells of different codes. Empty cells need no special care: a wall parts them from every coloured
// cell, so no group grows into them, and only callers of `candidates` have to leave them out.
template <class W, int P>
CHAINSHOT_HD W walls(const Cells<W, P>& a, const Cells<W, P>& b) {
  W wall = a.plane[0] ^ b.plane[0];
  for (int p = 1; p < P; ++p)
    wall = or_xor(wall, a.plane[p], b.plane[p]);
  return wall;
}

// Cells that differ from their left neighbour. In column 0 that is every coloured one.
template <class W, int P>
CHAINSHOT_HD W walls_on_left(const Cells<W, P>& row) {
  Cells<W, P> moved;
  for (int p = 0; p < P; ++p)
    moved.plane[p] = shl<1>(row.plane[p]);
  return walls(row, moved);
}

// Cells that may stand for their group in a draw, from the walls around them: none equal below or left, an equal one
// above or right, and not (right equal and right-below equal). Every group keeps at least one, few groups two. Empty
// cells can be candidates too: the caller masks them by colour.
template <class W>
CHAINSHOT_HD W candidates(W left, W right, W below, W above) {
  return and3(select_not(right, above, shr<1>(below)), left, below);
}

// Flood, one row. `right` are the walls to the right of cells. All cells reached from `cells` by going right: a borrow
// runs from each of them to the next wall.
template <class W>
CHAINSHOT_HD W fill_right(W cells, W right) {
  return or_xor(cells, right - and_not(cells, right), right);
}
template <class W>
CHAINSHOT_HD W step_left(W cells, W right) {
  return or_and_not(cells, shr<1>(cells), right);
}

// All cells reached to the right, and one step to the left. Neither computation waits for the other.
template <class W>
CHAINSHOT_HD W spread(W cells, W right) {
  return or_xor(step_left(cells, right), right - and_not(cells, right), right);
}

// Closing: the columns left of the leftmost empty one, from the bottom row. All cells right of that column move left by
// one (shift_above); without a gap only empty cells move.
template <class W>
CHAINSHOT_HD W columns_before_gap(W bottom) {
  return shr<1>(bottom ^ (bottom + W::fill(1)));
}
// Non-zero in lanes that still have an empty column left of a full one.
template <class W>
CHAINSHOT_HD W gaps(W bottom) {
  return bottom & (bottom + W::fill(1));
}

}  // namespace chainshot::game
