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

// Cells whose codes are equal in both rows. Empty equals empty: no coloured cell links to an empty one, so a group
// never grows over such a link, and only `Candidates` has to leave empty cells out.
template <class W, int P>
CHAINSHOT_HD W equal(const Cells<W, P>& a, const Cells<W, P>& b) {
  W differ = a.plane[0] ^ b.plane[0];
  for (int p = 1; p + 1 < P; ++p)
    differ = or_xor(differ, a.plane[p], b.plane[p]);
  return nor_xor(differ, a.plane[P - 1], b.plane[P - 1]);
}

// Cells that equal their left neighbour. In column 0 that is empty cells only.
template <class W, int P>
CHAINSHOT_HD W equal_to_left(const Cells<W, P>& row) {
  Cells<W, P> moved;
  for (int p = 0; p < P; ++p)
    moved.plane[p] = shl<1>(row.plane[p]);
  return equal(row, moved);
}

// Cells that may stand for their group in a draw: none equal below or left, an equal one above or right, and not (right
// equal and right-below equal). Every group keeps at least one, few groups two. Empty cells can be candidates too: the
// caller masks them by colour.
template <class W>
CHAINSHOT_HD W candidates(W left, W right, W below, W above) {
  return and_not_not(select_not(right, shr<1>(below), above), left, below);
}

// Flood, one row. `right` are cells equal to their right neighbour.
// All cells reached from `cells` by going right: a carry runs through the ones of `right`.
template <class W>
CHAINSHOT_HD W fill_right(W cells, W right) {
  return or_xor(cells, (cells & right) + right, right);
}
template <class W>
CHAINSHOT_HD W step_left(W cells, W right) {
  return or_and(cells, shr<1>(cells), right);
}

// Closing: the columns below the leftmost empty one, given the bottom row. What lies right of that column moves left by
// one (shift_above); with no gap only empty cells move.
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
