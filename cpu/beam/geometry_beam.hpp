// The kernel of a beam, written over the geometry and compiled for every instruction set. Included by files that are
// compiled with flags of their own, so everything is in an unnamed namespace.
#pragma once

#include "cpu/beam/beam_kernel.hpp"
#include "cpu/beam/column_board.hpp"

namespace chainshot::cpu {
namespace {

template <class Geometry>
class GeometryBeam {
 public:
  using Board = ColumnBoard<Geometry>;
  using Columns = typename Board::Columns;
  using Lane = typename Board::Lane;

  static void expand(const BeamRules& rules, const BeamParent& parent, BeamSink& sink) {
    GeometryBeam beam(rules, parent);
    beam.expand_all(sink);
  }
  static void pack(const game::Position& position, std::byte* out) {
    const Board board = Board::from(position);
    std::memcpy(out, &board, sizeof board);
  }
  static std::uint64_t hash(const std::byte* board) { return load(board).hash(); }

 private:
  static constexpr int kMaxColors = (1 << Board::kPlanes) - 1;
  static constexpr int kHalf = 4 * sizeof(Lane);  // two numbers share a lane
  static constexpr unsigned kLowHalf = (1u << kHalf) - 1;

  // Equal neighbours: cells that equal the one above, and the one to the right.
  struct Pairs {
    Columns above, right;
  };

  GeometryBeam(const BeamRules& rules, const BeamParent& parent)
      : rules_(rules), tables_(*rules.tables), parent_(parent), board_(load(parent.board)) {}

  static Board load(const std::byte* in) {
    Board board;
    std::memcpy(&board, in, sizeof board);
    return board;
  }

  // Cells that are equal to the one `up` rows above (below if negative) and in the column to the right or their own.
  template <int Up, bool ToTheRight>
  static CHAINSHOT_HD Columns equal(const Board& board, const Columns& occupied) {
    Columns differ = {};
    for (int p = 0; p < Board::kPlanes; ++p) {
      const Columns& own = board.plane[p];
      const Columns other = ToTheRight ? Board::right(own) : own;
      if constexpr (Up >= 0) {
        differ |= own ^ (other >> Up);
      } else {
        differ |= own ^ (other << -Up);
      }
    }
    return occupied & ~differ;
  }

  static CHAINSHOT_HD Pairs pairs_of(const Board& board, const Columns& occupied) {
    return {equal<1, false>(board, occupied), equal<0, true>(board, occupied)};
  }

  CHAINSHOT_HD void expand_all(BeamSink& sink) {
    const Columns occupied = board_.occupied();
    const Pairs pairs = pairs_of(board_, occupied);
    for (int c = 0; c < rules_.colors; ++c)
      counts_[c] = Board::sum(Board::popcount(board_.of_color(c)));
    Columns open = pairs.above | (pairs.above << 1) | pairs.right | Board::left(pairs.right);
    typename Board::Words words = __builtin_bit_cast(typename Board::Words, open);
    for (std::size_t w = 0; w < Board::kWords; ++w) {
      while (words[w] != 0) {
        const int bit = static_cast<int>(w * 64) + std::countr_zero(words[w]);
        const Columns group = flood(bit, pairs);
        open &= ~group;
        words = __builtin_bit_cast(typename Board::Words, open);
        expand_group(bit, group, occupied, sink);
      }
    }
  }

  static CHAINSHOT_HD Columns flood(int bit, const Pairs& pairs) {
    typename Board::Words words{};
    words[static_cast<std::size_t>(bit / 64)] = std::uint64_t{1} << bit % 64;
    Columns group = __builtin_bit_cast(Columns, words);
    for (;;) {
      Columns grown = group | ((group & pairs.above) << 1) | ((group >> 1) & pairs.above);
      grown |= Board::left(group & pairs.right) | (Board::right(group) & pairs.right);
      grown |= ((grown & pairs.above) << 1) | ((grown >> 1) & pairs.above);
      if (!Board::any(grown ^ group)) return group;
      group = grown;
    }
  }

  CHAINSHOT_HD void expand_group(int bit, const Columns& group, const Columns& occupied, BeamSink& sink) {
    constexpr int kBits = 8 * sizeof(Lane);
    const game::Cell move{static_cast<std::uint8_t>(bit / kBits), static_cast<std::uint8_t>(bit % kBits)};
    int code = 0;
    for (int p = 0; p < Board::kPlanes; ++p)
      code |= (board_.plane[p][move.column] >> move.row & 1) << p;
    const int size = Board::sum(Board::popcount(group)), color = code - 1, left = parent_.blocks - size;
    const int points = parent_.points + tables_.scoring.group_points(size);
    Board child = board_;
    child.drop(group);
    if (Board::any(occupied & ~group) && empties_column(group, occupied)) child.close();
    ++sink.children;

    const Columns now_occupied = child.occupied();
    const Pairs pairs = pairs_of(child, now_occupied);
    counts_[color] -= size;
    if (!Board::any(pairs.above | pairs.right)) {
      const int end = tables_.scoring.final_points({counts_, static_cast<std::size_t>(rules_.colors)});
      sink.finish({points + end, parent_.id, move});
    } else {
      const std::int32_t evaluation = points * game::kBeamScale + value_of(child, now_occupied, pairs, left);
      if (evaluation >= sink.least[static_cast<std::size_t>(left)])
        sink.add(left, {evaluation, parent_.id, child.hash(), points, move},
                 reinterpret_cast<const std::byte*>(&child));
    }
    counts_[color] += size;
  }

  static CHAINSHOT_HD bool empties_column(const Columns& group, const Columns& occupied) {
    const Columns emptied = (group == occupied) & (occupied != 0);
    return Board::any(emptied);
  }

  // The value of what is left on a board, by counts_.
  CHAINSHOT_HD std::int32_t value_of(const Board& board, const Columns& occupied, const Pairs& pairs, int left) const {
    const game::BeamTables::Weights& w = tables_.weights[static_cast<std::size_t>(left)];
    const Columns square = pairs.above & Board::right(pairs.above) & pairs.right;
    // Pairs less squares is the number of cells in `either` plus that in `both`.
    const Columns either = pairs.above | pairs.right, both = pairs.above & pairs.right & ~square;
    const Columns joined = either | (pairs.above << 1) | Board::left(pairs.right);
    const Columns isolated = occupied & ~joined;
    const Columns lonely = isolated & ~equal_diagonally(board, occupied);

    std::int32_t value = 0;
    int other_components = 0;
    Columns runs = {}, halves = {};
    for (int c = 0; c < rules_.colors; ++c) {
      const Columns cells = board.of_color(c);
      const Columns filled = static_cast<Columns>(cells != 0);
      runs += filled & ~Board::left(filled) & 1;
      const Columns links = Board::popcount(cells & either) + Board::popcount(cells & both);
      const bool is_second = (c & 1) != 0;
      halves = is_second ? halves + (links << kHalf) : links;
      if (!is_second && c + 1 < rules_.colors) continue;
      const unsigned sums = Board::sum(halves);
      if (is_second) value += value_of_color(c - 1, sums & kLowHalf, w, other_components);
      value += value_of_color(c, is_second ? sums >> kHalf : sums, w, other_components);
    }
    const Columns target = board.of_color(tables_.target), target_filled = static_cast<Columns>(target != 0);
    const Columns target_runs = target_filled & ~Board::left(target_filled) & 1;
    const unsigned single = Board::sum(Board::popcount(isolated) + (Board::popcount(lonely) << kHalf));
    const unsigned of_target =
        Board::sum(Board::popcount(isolated & target) + (Board::popcount(lonely & target) << kHalf));
    const unsigned run_sums = Board::sum(runs + (target_runs << kHalf));
    const unsigned outline = Board::sum(Board::popcount(occupied ^ Board::right(occupied)) +
                                        (static_cast<Columns>(occupied != 0) & 1) * static_cast<Lane>(1u << kHalf));

    const auto low = [](unsigned sums) { return static_cast<std::int32_t>(sums & kLowHalf); };
    const auto high = [](unsigned sums) { return static_cast<std::int32_t>(sums >> kHalf); };
    value += w.other_components * other_components;
    value += w.target_isolated * low(of_target) + w.other_isolated * (low(single) - low(of_target));
    value += w.target_lonely * high(of_target) + w.other_lonely * (high(single) - high(of_target));
    value += w.target_runs * high(run_sums) + w.other_runs * (low(run_sums) - high(run_sums));
    return value + w.steps * low(outline) + w.columns * high(outline);
  }

  // Cells that equal one of the four cells diagonally next to them.
  static CHAINSHOT_HD Columns equal_diagonally(const Board& board, const Columns& occupied) {
    const Columns up = equal<1, true>(board, occupied), down = equal<-1, true>(board, occupied);
    return up | down | Board::left((up << 1) | (down >> 1));
  }

  CHAINSHOT_HD std::int32_t value_of_color(int color, unsigned links, const game::BeamTables::Weights& w,
                                           int& other_components) const {
    const int blocks = counts_[color];
    if (blocks == 0) return 0;
    const int components = std::max(1, blocks - static_cast<int>(links));
    const auto at = static_cast<std::size_t>(blocks * tables_.stride + components);
    if (color == tables_.target) return tables_.target_value[at] + w.target_components * components;
    other_components += components;
    return tables_.other_value[at];
  }

  const BeamRules rules_;
  const game::BeamTables& tables_;
  const BeamParent parent_;
  const Board board_;
  int counts_[kMaxColors] = {};
};

template <class Geometry>
constexpr BeamKernel kernel_of() {
  using Beam = GeometryBeam<Geometry>;
  return {sizeof(typename Beam::Board), Beam::expand, Beam::pack, Beam::hash};
}

}  // namespace
}  // namespace chainshot::cpu
