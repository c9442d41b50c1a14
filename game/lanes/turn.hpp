// The turn: every lane of a Word plays its own game, and all lanes run the same straight code. A turn settles, links,
// picks and floods; what a lane has not finished waits for the next turn.
//
// Lanes have no state variable. The flood set of a lane is empty unless it floods, its holes are empty unless it
// settles, and on empty sets the steps do nothing. A pick is a function of board and draw, and the draw moves on only
// when a group is closed: a lane that still floods picks the same cell again, which changes nothing.
#pragma once

#include "game/lanes/bundle.hpp"
#include "game/lanes/unroll.hpp"
#include "game/rules.hpp"

namespace chainshot::lanes {

// The rows of pair j in the order of the draw: 0 and 8, 1 and 9, ..., 7 and 15, then 16 and 17, ...
CHAINSHOT_HD constexpr int row_of_pair(int j, int which) {
  return j < 8 ? j + 8 * which : 2 * j + which;
}
CHAINSHOT_HD constexpr int pair_of_row(int r) {
  return r < 16 ? r % 8 : r / 2;
}
CHAINSHOT_HD constexpr int which_of_pair(int r) {
  return r < 16 ? r / 8 : r % 2;
}
CHAINSHOT_HD constexpr int pairs_of(int rows) {
  return rows > 16 ? (rows + 1) / 2 : rows < 8 ? rows : 8;
}
static_assert([] {
  for (int i = 0; i < game::kMaxRows; ++i)
    if (row_of_pair(i / 2, i % 2) != game::row_in_draw_order(i) || row_of_pair(pair_of_row(i), which_of_pair(i)) != i)
      return false;
  return true;
}());

// A row of all lanes' boards. Removed cells stay as holes, with their old colours, until rows have dropped over them.
template <class W, int Planes>
struct LaneRow {
  game::Cells<W, Planes> cells;
  W hole;
  W flood;       // the group being found, or the one that was closed in the turn before
  W wall_above;  // cells that differ from the one above
  W wall_right;  // ... from the one to the right
  W open;        // candidates, tabu left out; from the pick on, the candidates drawn from
  W reserved;    // candidates of the tabu colour
};

// A 32-bit random number: two halves in 16-bit lanes, one word in 32-bit lanes.
template <class W>
struct Draw {
  W high, low;
};

// floor(random n / 2^32). Asks for the low half of the random number only if it may matter.
template <class W, class LowHalf>
CHAINSHOT_HD W scale_draw(W high, W n, LowHalf&& low_half) {
  if constexpr (sizeof(typename W::Lane) == 4) {
    return multiply_high(high, n);
  } else {
    // The upper 16 bits of high n + (low n >> 16). The sum of the lower halves may carry; it has carried if it is below
    // a summand. n < 2^15, so the second summand is below that too.
    const W product = multiply_low(high, n);
    W k = multiply_high(high, n);
    if (sign_bits(and_not(product, product + n)) != 0) [[unlikely]]
      k = k - sign(and_not(product, product + multiply_high(low_half(), n)));
    return k;
  }
}

template <class W, int Rows, int Planes>
struct Board {
  // How many rows a round of a loop unrolls. A turn must fit the cache of decoded instructions, about 2,000, or
  // decoding limits its speed. The long body of a row that settles is unrolled just often enough for its rows to stay
  // in their registers. Measured on Zen 4, two rows per round are 1 % faster in words of 256 bits with 32 registers,
  // and one row per round is up to 4 % faster on wide boards. Loops over wide boards end at the highest row in use.
  static constexpr bool kOneLane = W::kLanes == 1;  // a thread of a device
#if defined(CHAINSHOT_ROLLED_LOOPS)
  static constexpr bool kWide = true;
  static constexpr int kSettleStep = 1;
#else
  static constexpr bool kWide = Rows > 16;
  static constexpr int kSettleStep = kWide && !kOneLane                                            ? 1
                                     : sizeof(typename W::Part) == 32 && W::Part::kRegisters == 32 ? 2
                                                                                                   : 3;
#endif
  static constexpr int kPairStep = kWide ? 1 : pairs_of(Rows);
  static constexpr bool kUnrollsFlood = !kWide && W::Part::kRegisters >= 32;
  static constexpr int kPairs = pairs_of(Rows);
  static constexpr int kLeastTop = 2;  // the two lowest rows are always played
  LaneRow<W, Planes> row[Rows + 3];    // three empty rows on top, to drop from
  int top;                             // rows from here on are empty in all lanes; at least kLeastTop
  CHAINSHOT_HD int rows_in_use() const {
    return kWide ? top : Rows;
  }
  W accepted, closed;  // masks of the last turn, for the next one to act on
  W ready;             // mask: nothing is left to settle
  W picked;            // mask: a cell was drawn
  W size;              // of the group found
  W random;            // this turn's draw; its high half in 16-bit lanes
  W points, length, left;
  W over;  // mask: no move is left
};

// Settles: rows drop by two and by one where there are holes, and one empty column closes. Then finds links and
// candidates. Returns a union of the candidates that are not tabu. Works on one part of the bundle at a time: this step
// keeps all ports busy by itself and needs the registers.
template <int Part, class Bundle, int Rows, int Planes>
CHAINSHOT_HD auto settle_and_link(Board<Bundle, Rows, Planes>& board) {
  using W = typename Bundle::Part;
  using Cells = game::Cells<W, Planes>;
  struct Layer {
    Cells cells;
    W hole;
  };
  const W zero = W::fill(0);
  const W accepted = board.accepted.part[Part];
  const auto cells_at = [&](int r) CHAINSHOT_INLINE_LAMBDA {
    Cells cells;
    for (int p = 0; p < Planes; ++p)
      cells.plane[p] = board.row[r].cells.plane[p].part[Part];
    return cells;
  };
  const auto hole_at = [&](int r) CHAINSHOT_INLINE_LAMBDA {
    const auto& row = board.row[r];
    return or_and(row.hole.part[Part], row.flood.part[Part], accepted);
  };
  const auto choose = [](W mask, const Layer& a, const Layer& b) CHAINSHOT_INLINE_LAMBDA {
    return Layer{select(mask, a.cells, b.cells), select(mask, a.hole, b.hole)};
  };
  // raw1 and raw2 are rows r + 1 and r + 2 as they were; `current` is row r after the fall by two.
  Layer raw1{cells_at(1), hole_at(1)}, raw2{cells_at(2), hole_at(2)}, current{cells_at(0), hole_at(0)};
  W fall_two = current.hole & raw1.hole, fall_one = zero, unsettled = zero, below = ~zero, any_open = zero,
    before = zero;
  current = choose(fall_two, raw2, current);
  const auto settle_row = [&](int r) CHAINSHOT_INLINE_LAMBDA {
    const Layer raw3{cells_at(r + 3), hole_at(r + 3)};
    fall_two = or_and(fall_two, raw1.hole, raw2.hole);
    // With few registers it is faster to read cells twice, as row r + 3 and as row r + 1, than to keep them.
    if constexpr (W::kRegisters <= 32) raw1.cells = cells_at(r + 1);
    const Layer next = choose(fall_two, raw3, raw1);
    fall_one = fall_one | current.hole;
    const Layer settled = choose(fall_one, next, current);
    current = next;
    raw1 = raw2;
    raw2 = raw3;
    return settled;
  };
  const auto close_row = [&](auto closes, int r, Layer& layer) CHAINSHOT_INLINE_LAMBDA {
    for (int p = 0; p < Planes; ++p) {
      if constexpr (closes) layer.cells.plane[p] = shift_above(layer.cells.plane[p], before);
      board.row[r].cells.plane[p].part[Part] = layer.cells.plane[p];
    }
    if constexpr (closes) layer.hole = shift_above(layer.hole, before);
    board.row[r].hole.part[Part] = layer.hole;
    unsettled = unsettled | layer.hole;
  };
  const auto link_row = [&](int r, const Cells& cells, W above) CHAINSHOT_INLINE_LAMBDA {
    auto& row = board.row[r];
    const W left = game::walls_on_left(cells);
    const W right = shr<1>(left);
    const W found = game::candidates(left, right, below, above);
    W open;
    if constexpr (Planes == 3) {
      open = and_or(found, cells.plane[0], cells.plane[1]);
    } else {
      open = and_or(found, cells.plane[0] | cells.plane[1], cells.plane[2]);
    }
    row.wall_right.part[Part] = right;
    row.wall_above.part[Part] = above;
    row.open.part[Part] = open;
    row.reserved.part[Part] = found & cells.plane[Planes - 1];
    any_open = any_open | open;
    below = above;
  };
  const int top = board.rows_in_use();
  Layer bottom = settle_row(0);
  const auto close_and_link_rows = [&](auto closes) CHAINSHOT_INLINE_LAMBDA {
    close_row(closes, 0, bottom);
    Layer second = settle_row(1);
    close_row(closes, 1, second);
    // A row is linked while the one two above it settles: neither waits for the other.
    Cells lower = bottom.cells, upper = second.cells;
    for_each<Rows - 2, Board<Bundle, Rows, Planes>::kSettleStep>(top - 2, [&](int index) CHAINSHOT_INLINE_LAMBDA {
      link_row(index, lower, game::walls(lower, upper));
      Layer layer = settle_row(index + 2);
      close_row(closes, index + 2, layer);
      lower = upper;
      upper = layer.cells;
    });
    link_row(top - 2, lower, game::walls(lower, upper));
    link_row(top - 1, upper, ~zero);
  };
  const W bottom_row = game::occupied(bottom.cells);
  before = game::columns_before_gap(bottom_row);
  // On small boards some lane nearly always has a column to close. On wide boards many turns close none, which is worth
  // a branch, except on a device, where threads that close would wait for those that do not.
  if constexpr (Board<Bundle, Rows, Planes>::kWide && !Board<Bundle, Rows, Planes>::kOneLane) {
    if (sign_bits(~zero_mask(game::gaps(bottom_row))) == 0) {
      close_and_link_rows(std::false_type{});
    } else {
      close_and_link_rows(std::true_type{});
    }
  } else {
    close_and_link_rows(std::true_type{});
  }
  const W open_gaps = game::gaps(game::occupied(bottom.cells));
  board.ready.part[Part] = zero_mask(unsettled | open_gaps);
  return any_open;
}

// The k-th bit of `bits`, in its place. Popcounts under constant masks narrow it down to a half, a quarter, an eighth.
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

// A pick, by masks over the pairs of rows in the order of the draw.
template <class W, int Pairs>
struct Pick {
  W is_later[Pairs + 1];  // the pair comes after the one with the picked cell; the last one is always set
  W cell[2];              // the picked cell, in the first or the second row of its pair
  W later[2];             // cells of the pair that come after it, by rows
};

// Draws a candidate of every lane that is ready; in lanes of the mask `all` reserved candidates are drawn too. The pair
// of rows is found by its count of candidates, then the row, then the cell. In the next turn a lane that still floods
// picks the same cell again.
template <class W, int Rows, int Planes, class LowHalf>
CHAINSHOT_HD void pick(Board<W, Rows, Planes>& board, W all, LowHalf&& low_half,
                       Pick<W, Board<W, Rows, Planes>::kPairs>& pick) {
  constexpr int kPairs = Board<W, Rows, Planes>::kPairs;
  constexpr int kStep = Board<W, Rows, Planes>::kPairStep;
  const int pairs = pairs_of(board.rows_in_use());
  W total = W::fill(0);
  for_each<kPairs, kStep>(pairs, [&](auto j) CHAINSHOT_INLINE_LAMBDA {
    auto& first = board.row[row_of_pair(j, 0)];
    auto& second = board.row[row_of_pair(j, 1)];
    first.open = or_and(first.open, first.reserved, all);
    second.open = or_and(second.open, second.reserved, all);
    pick.is_later[j] = total;  // for now the number of candidates before the pair
    total = total + sum_parts(popcount_parts(first.open) + popcount_parts(second.open));
  });
  board.over = board.ready & zero_mask(total);
  const W k = scale_draw(board.random, total, low_half);
  W k_in_pair = k, first = board.row[row_of_pair(0, 0)].open, second = board.row[row_of_pair(0, 1)].open;
  pick.is_later[0] = W::fill(0);
  for_each<kPairs - 1, kStep == 1 ? 1 : kPairs - 1>(pairs - 1, [&](auto index) CHAINSHOT_INLINE_LAMBDA {
    const int j = index + 1;
    const W beyond = k - pick.is_later[j];
    const W is_later = sign(beyond);
    k_in_pair = unsigned_min(k_in_pair, beyond);
    first = choose(is_later, first, board.row[row_of_pair(j, 0)].open);
    second = choose(is_later, second, board.row[row_of_pair(j, 1)].open);
    pick.is_later[j] = is_later;
  });
  pick.is_later[pairs] = ~W::fill(0);
  const W beyond = k_in_pair - popcount(first);
  const W in_first = sign(beyond);
  const W cell = kth_bit(select(in_first, first, second), unsigned_min(k_in_pair, beyond)) & board.ready;
  const W behind = W::fill(0) - (cell + cell);
  board.picked = ~zero_mask(cell);
  pick.cell[0] = cell & in_first;
  pick.cell[1] = and_not(cell, in_first);
  pick.later[0] = behind & in_first;
  pick.later[1] = behind | in_first;
}

// Floods the picked group by one pass up and one pass down, and sets `closed` and `accepted`: a group is closed when
// the pass down adds nothing, and accepted unless a later candidate lies in it, which makes the draw uniform over
// groups.
template <class W, int Rows, int Planes, int Pairs>
CHAINSHOT_HD void flood(Board<W, Rows, Planes>& board, const Pick<W, Pairs>& pick) {
  // Groups of wide boards are larger: it pays to flood farther in a turn.
  constexpr bool kFarther = Rows > 16;
  W cells = W::fill(0), wall_below = W::fill(0);
  const auto up = [&](int r, int pair, int which) CHAINSHOT_INLINE_LAMBDA {
    auto& row = board.row[r];
    const W is_here = and_not(pick.is_later[pair + 1], pick.is_later[pair]);
    const W begun = or_and(and_not(row.flood, board.closed), pick.cell[which], is_here);
    cells = or_and_not(begun, cells, wall_below);
    cells = game::spread(cells, row.wall_right);
    if constexpr (kFarther) cells = game::step_left(cells, row.wall_right);
    row.flood = cells;
    wall_below = row.wall_above;
  };
  W grown = W::fill(0), rejected = W::fill(0), size = W::fill(0), upper_size = W::fill(0);
  const auto down = [&](int r, int pair, int which) CHAINSHOT_INLINE_LAMBDA {
    auto& row = board.row[r];
    const W before = row.flood;
    cells = or_and_not(before, cells, row.wall_above);
    if constexpr (kFarther) cells = game::spread(cells, row.wall_right);
    cells = game::step_left(cells, row.wall_right);
    grown = or_xor(grown, cells, before);
    const W later = or_and(pick.is_later[pair], pick.later[which], pick.is_later[pair + 1]);
    rejected = or_and(rejected, cells & row.open, later);
    size = size + popcount_parts(cells);
    row.flood = cells;
  };
  if constexpr (Board<W, Rows, Planes>::kUnrollsFlood) {
    unroll<Rows>([&](auto r) CHAINSHOT_INLINE_LAMBDA { up(r, pair_of_row(r), which_of_pair(r)); });
    cells = W::fill(0);
    unroll<Rows>([&](auto index) CHAINSHOT_INLINE_LAMBDA {
      constexpr int r = Rows - 1 - index.value;
      down(r, pair_of_row(r), which_of_pair(r));
    });
  } else {
    // Loops in which `which` is a constant.
    const int top = board.rows_in_use();
    int r = 0;
    CHAINSHOT_LOOP
    for (; r < top && r < 8; ++r)
      up(r, r, 0);
    CHAINSHOT_LOOP
    for (; r < top && r < 16; ++r)
      up(r, r - 8, 1);
    CHAINSHOT_LOOP
    for (; r + 1 < top; r += 2) {
      up(r, r / 2, 0);
      up(r + 1, r / 2, 1);
    }
    if (r < top) up(r, r / 2, 0);
    cells = W::fill(0);
    r = top - 1;
    if (r >= 16 && r % 2 == 0) {
      down(r, r / 2, 0);
      --r;
    }
    CHAINSHOT_LOOP
    for (; r > 16; r -= 2) {
      down(r, r / 2, 1);
      down(r - 1, r / 2, 0);
    }
    if constexpr (Rows > 16) {  // before a part overflows
      upper_size = sum_parts(size);
      size = W::fill(0);
    }
    CHAINSHOT_LOOP
    for (; r >= 8; --r)
      down(r, r - 8, 1);
    CHAINSHOT_LOOP
    for (; r >= 0; --r)
      down(r, r, 0);
  }
  board.closed = zero_mask(grown) & board.picked;
  board.accepted = board.closed & zero_mask(rejected);
  board.size = upper_size + sum_parts(size);
}

// The pick is filled in place. Returning it by value copied it, which took up to 5 % of a wide turn.
template <class W, int Rows, int Planes, class LowHalf>
CHAINSHOT_HD void pick_and_flood(Board<W, Rows, Planes>& board, W all, LowHalf&& low_half) {
  Pick<W, Board<W, Rows, Planes>::kPairs> drawn;
  pick(board, all, low_half, drawn);
  flood(board, drawn);
}

}  // namespace chainshot::lanes
