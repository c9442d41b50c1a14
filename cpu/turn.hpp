// The turn: every lane of a Word plays its own game, and all lanes run the same straight code. A turn settles, links,
// picks and floods; what a lane has not finished waits for the next turn.
//
// There is no state number. The flood set of a lane is empty unless it floods, its holes are empty unless it settles,
// and on empty sets the steps do nothing. A pick is a function of board and draw, and the draw moves on only when a
// group is closed: a lane that still floods picks the same cell again, which changes nothing.
#pragma once

#include "cpu/bundle.hpp"
#include "cpu/unroll.hpp"
#include "game/rules.hpp"

namespace chainshot::cpu {

// The rows of pair j in the order of the draw: 0 and 8, 1 and 9, ..., 7 and 15, then 16 and 17, ...
CHAINSHOT_HD constexpr int row_of_pair(int j, int which) {
  return j < 8 ? j + 8 * which : 2 * j + which;
}
CHAINSHOT_HD constexpr int pairs_of(int rows) {
  return rows > 16 ? (rows + 1) / 2 : rows < 8 ? rows : 8;
}
static_assert([] {
  for (int i = 0; i < game::kMaxRows; ++i)
    if (row_of_pair(i / 2, i % 2) != game::row_in_draw_order(i)) return false;
  return true;
}());

// Small boards are unrolled, wide ones would not fit the instruction cache: there the loops stay loops and end at the
// highest row in use. The index is a constant where it can be one.
template <bool Unrolled, int N, class F>
CHAINSHOT_HD void for_each(int count, F&& body) {
  if constexpr (Unrolled) {
    unroll<N>(body);
  } else {
    for (int i = 0; i < count; ++i)
      body(i);
  }
}

// A row of all lanes' boards. Removed cells stay as holes, with their old colours, until rows have dropped over them.
template <class W, int Planes>
struct LaneRow {
  game::Cells<W, Planes> cells;
  W hole;
  W flood;     // the group being found
  W above;     // cells equal to the one above
  W right;     // ... to the right
  W open;      // candidates, taboo left out; from the pick on, the candidates drawn from
  W reserved;  // candidates of the taboo colour; from the pick on, candidates drawn from that come after the picked
               // cell
};

// floor(random n / 2^32) for a 32-bit random number: two halves in 16-bit lanes, one word in 32-bit lanes.
template <class W>
struct Draw {
  W high, low;
};
template <class W>
CHAINSHOT_HD W scale_draw(const Draw<W>& random, W n) {
  if constexpr (sizeof(typename W::Lane) == 4) {
    return multiply_high(random.high, n);
  } else {
    // high n + (low n >> 16), of which the upper 16 bits: the sum of the lower halves may carry.
    const W low = multiply_low(random.high, n);
    const W carried = low + multiply_high(random.low, n);
    // A carry came out of the sum if it is below a summand; n < 2^15, so the second summand is below 2^15 too.
    const W carry = sign(and_not(low, carried));
    return multiply_high(random.high, n) - carry;
  }
}

template <class W, int Rows, int Planes>
struct Board {
#if defined(CHAINSHOT_ROLLED_LOOPS)
  static constexpr bool kUnrolled = false;
#else
  static constexpr bool kUnrolled = Rows <= 16;
#endif
  static constexpr int kPairs = pairs_of(Rows);
  LaneRow<W, Planes> row[Rows + 3];  // three empty rows on top, to drop from
  int top;                           // rows from here on are empty in all lanes
  W accepted, closed;                // masks of the last turn, for the next one to act on
  W ready;                           // mask: nothing is left to settle
  W picked;                          // mask: a cell was drawn
  W size;                            // of the group found
  Draw<W> random;                    // this turn's draw
  W points, length, left;
  W over;  // mask: no move is left
};

// Settle: rows drop by two and by one where there are holes, one empty column closes. Then links and candidates.
// Returns a union of candidates that are not taboo. One part of the bundle at a time: this step has work enough for
// all ports and wants the registers.
template <int Part, class Bundle, int Rows, int Planes>
CHAINSHOT_HD auto settle_and_link(Board<Bundle, Rows, Planes>& board) {
  using W = typename Bundle::Part;
  using Cells = game::Cells<W, Planes>;
  struct Layer {
    Cells cells;
    W hole;
  };
  const W zero = W::fill(0);
  const W accepted = board.accepted.part[Part], closed = board.closed.part[Part];
  const auto load = [&](int r) CHAINSHOT_INLINE_LAMBDA {
    auto& row = board.row[r];
    const W flood = row.flood.part[Part];
    Layer l;
    for (int p = 0; p < Planes; ++p)
      l.cells.plane[p] = row.cells.plane[p].part[Part];
    l.hole = or_and(row.hole.part[Part], flood, accepted);
    row.flood.part[Part] = and_not(flood, closed);
    return l;
  };
  const auto choose = [](W mask, const Layer& a, const Layer& b) CHAINSHOT_INLINE_LAMBDA {
    return Layer{select(mask, a.cells, b.cells), select(mask, a.hole, b.hole)};
  };
  // raw1 and raw2 are rows r + 1 and r + 2 as they were; `current` is row r after the fall by two.
  Layer raw1 = load(1), raw2 = load(2), current = load(0);
  W fall_two = current.hole & raw1.hole, fall_one = zero, unsettled = zero, below = zero, any_open = zero,
    before = zero;
  current = choose(fall_two, raw2, current);
  Cells lower;  // the finished row below
  W lower_left;
  const auto settle_row = [&](int r) CHAINSHOT_INLINE_LAMBDA {
    const Layer raw3 = load(r + 3);
    fall_two = or_and(fall_two, raw1.hole, raw2.hole);
    const Layer next = choose(fall_two, raw3, raw1);
    fall_one = fall_one | current.hole;
    const Layer settled = choose(fall_one, next, current);
    current = next;
    raw1 = raw2;
    raw2 = raw3;
    return settled;
  };
  const auto close_row = [&](int r, Layer& layer) CHAINSHOT_INLINE_LAMBDA {
    for (int p = 0; p < Planes; ++p) {
      layer.cells.plane[p] = shift_above(layer.cells.plane[p], before);
      board.row[r].cells.plane[p].part[Part] = layer.cells.plane[p];
    }
    layer.hole = shift_above(layer.hole, before);
    board.row[r].hole.part[Part] = layer.hole;
    unsettled = unsettled | layer.hole;
  };
  const auto link_row = [&](int r, const Cells& cells, W left, W above) CHAINSHOT_INLINE_LAMBDA {
    auto& row = board.row[r];
    const W right = shr<1>(left);
    const W found = game::candidates(left, right, below, above);
    W open;
    if constexpr (Planes == 3) {
      open = and_or(found, cells.plane[0], cells.plane[1]);
    } else {
      open = and_or(found, cells.plane[0] | cells.plane[1], cells.plane[2]);
    }
    row.right.part[Part] = right;
    row.above.part[Part] = above;
    row.open.part[Part] = open;
    row.reserved.part[Part] = found & cells.plane[Planes - 1];
    any_open = any_open | open;
    below = above;
  };
  Layer bottom = settle_row(0);
  before = game::columns_before_gap(game::occupied(bottom.cells));
  close_row(0, bottom);
  const W open_gaps = game::gaps(game::occupied(bottom.cells));
  lower = bottom.cells;
  lower_left = game::equal_to_left(lower);
  for_each<Board<Bundle, Rows, Planes>::kUnrolled, Rows - 1>(board.top - 1, [&](auto index) CHAINSHOT_INLINE_LAMBDA {
    const int r = index + 1;
    Layer layer = settle_row(r);
    close_row(r, layer);
    link_row(r - 1, lower, lower_left, game::equal(lower, layer.cells));
    lower = layer.cells;
    lower_left = game::equal_to_left(lower);
  });
  link_row(Board<Bundle, Rows, Planes>::kUnrolled ? Rows - 1 : board.top - 1, lower, lower_left, zero);
  board.ready.part[Part] = zero_mask(unsettled | open_gaps);
  return any_open;
}

// The k-th bit of `bits`, left in its place: halves, quarters and eighths are kept by popcounts under constant masks.
template <class W>
CHAINSHOT_HD W kth_bit(W bits, W k) {
  const auto keep = [&](typename W::Lane low_halves) CHAINSHOT_INLINE_LAMBDA {
    const W low = bits & W::fill(low_halves);
    const W beyond = k - popcount(low);
    bits = select(sign(beyond), low, bits ^ low);
    k = unsigned_min(k, beyond);
  };
  using Lane = typename W::Lane;
  if constexpr (sizeof(Lane) == 4) keep(static_cast<Lane>(0x0000FFFFu));
  keep(static_cast<Lane>(0x00FF00FFu));
  keep(static_cast<Lane>(0x0F0F0F0Fu));
  keep(static_cast<Lane>(0x33333333u));
  const W rest = bits & (bits - W::fill(1));
  return select(sign(k - W::fill(1)), bits ^ rest, rest);
}

// Draws a candidate of every lane that is ready, floods its group by one pass up and one pass down, and tells what came
// of it through closed and accepted: a group closes when the pass down adds nothing, and is accepted unless a later
// candidate lies in it, which makes the draw uniform over groups. In lanes of the mask `all` reserved candidates are
// drawn too.
//
// Rows are taken in pairs of the draw order: the pair by its count of candidates, then the row, then the cell.
template <class W, int Rows, int Planes>
CHAINSHOT_HD void pick(Board<W, Rows, Planes>& board, W all) {
  constexpr bool kUnrolled = Board<W, Rows, Planes>::kUnrolled;
  constexpr int kPairs = Board<W, Rows, Planes>::kPairs;
  const int pairs = pairs_of(board.top);
  W before[kPairs];  // candidates before the pair
  W total = W::fill(0);
  for_each<kUnrolled, kPairs>(pairs, [&](auto j) CHAINSHOT_INLINE_LAMBDA {
    auto& first = board.row[row_of_pair(j, 0)];
    auto& second = board.row[row_of_pair(j, 1)];
    first.open = or_and(first.open, first.reserved, all);
    second.open = or_and(second.open, second.reserved, all);
    before[j] = total;
    total = total + sum_parts(popcount_parts(first.open) + popcount_parts(second.open));
  });
  board.over = board.ready & zero_mask(total);
  const W k = scale_draw(board.random, total);
  W k_in_pair = k;
  W first = board.row[row_of_pair(0, 0)].open, second = board.row[row_of_pair(0, 1)].open;
  W is_later[kPairs + 1];
  is_later[0] = W::fill(0);
  is_later[kUnrolled ? kPairs : pairs] = ~W::fill(0);
  for_each<kUnrolled, kPairs - 1>(pairs - 1, [&](auto index) CHAINSHOT_INLINE_LAMBDA {
    const int j = index + 1;
    const W beyond = k - before[j];
    const W later = sign(beyond);
    is_later[j] = later;
    k_in_pair = unsigned_min(k_in_pair, beyond);
    first = select(later, first, board.row[row_of_pair(j, 0)].open);
    second = select(later, second, board.row[row_of_pair(j, 1)].open);
  });
  const W beyond = k_in_pair - popcount(first);
  const W in_first = sign(beyond);
  const W chosen = select(in_first, first, second);
  const W cell = kth_bit(chosen, unsigned_min(k_in_pair, beyond)) & board.ready;
  const W behind = chosen & (W::fill(0) - (cell + cell));
  board.picked = ~zero_mask(cell);
  const W seed[2] = {cell & in_first, and_not(cell, in_first)};  // in the first or the second row of the pair
  const W rest[2] = {behind & in_first, select(in_first, second, behind)};
  for_each<kUnrolled, kPairs>(pairs, [&](auto j) CHAINSHOT_INLINE_LAMBDA {
    const W here = and_not(is_later[j + 1], is_later[j]);  // mask: this pair holds the cell
    for (int which = 0; which < 2; ++which) {
      auto& row = board.row[row_of_pair(j, which)];
      row.flood = or_and(row.flood, seed[which], here);
      row.reserved = or_and(row.open & is_later[j], rest[which], here);
    }
  });
}

template <class W, int Rows, int Planes>
CHAINSHOT_HD void flood(Board<W, Rows, Planes>& board) {
  constexpr bool kUnrolled = Board<W, Rows, Planes>::kUnrolled;
  W cells = W::fill(0);
  const auto fill = [&](auto& row) CHAINSHOT_INLINE_LAMBDA {
    cells = game::step_left(game::fill_right(cells, row.right), row.right);
    row.flood = cells;
  };
  cells = board.row[0].flood;
  fill(board.row[0]);
  for_each<kUnrolled, Rows - 1>(board.top - 1, [&](auto r) CHAINSHOT_INLINE_LAMBDA {
    cells = or_and(board.row[r + 1].flood, cells, board.row[r].above);
    fill(board.row[r + 1]);
  });
  W grown = W::fill(0), rejected = W::fill(0), size = W::fill(0);
  cells = W::fill(0);
  for_each<kUnrolled, Rows>(board.top, [&](auto index) CHAINSHOT_INLINE_LAMBDA {
    auto& row = board.row[(kUnrolled ? Rows : board.top) - 1 - index];
    const W before = row.flood;
    cells = game::step_left(or_and(before, cells, row.above), row.right);
    grown = or_xor(grown, cells, before);
    rejected = or_and(rejected, cells, row.reserved);
    size = size + popcount_parts(cells);
    row.flood = cells;
  });
  board.closed = zero_mask(grown) & board.picked;
  board.accepted = board.closed & zero_mask(rejected);
  board.size = sum_parts(size);
}

}  // namespace chainshot::cpu
