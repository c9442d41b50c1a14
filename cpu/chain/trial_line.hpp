// A line with all its positions, and a trial: a changed line that shares their beginning. Moves are numbered from 1:
// move k leads from position k - 1 to position k.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "cpu/chain/block_board.hpp"
#include "cpu/chain/evaluation_draws.hpp"
#include "cpu/chain/fixed_list.hpp"
#include "cpu/chain/small_columns.hpp"
#include "game/scoring.hpp"
#include "game/scoring_bounds.hpp"

namespace chainshot::cpu {
inline namespace CHAINSHOT_BLOCKS {

template <class Geometry>
class TrialLine {
 public:
  using Board = BlockBoard<Geometry>;
  using Cells = typename Board::Cells;
  using Column = typename Board::Column;
  using ColumnSet = typename Board::ColumnSet;

  static constexpr int kCodes = 1 << Geometry::kPlanes;
  static constexpr int kMaxMoves = Geometry::kColumns * Geometry::kRows / 2;
  static constexpr int kSteps = kMaxMoves + 1;

  // A position of a line and the move that led to it. On small boards it is three lines of the cache: the counters
  // follow the last word of the board.
  struct alignas(64) Step {
    [[no_unique_address]] Board board;
    std::array<std::uint16_t, kCodes> count;  // blocks of each colour, by its code
    int points;
    int bound;      // points, plus the most that the colours and the end could still add, without the bonus
    int left;       // blocks
    int singles;    // colours with one block left: they cannot be cleared
    BlockId block;  // the move: a block of its group
    std::uint8_t code;
    std::uint16_t size;
    ColumnSet touched;  // columns of its group
    ColumnSet reach;    // the columns that the move depends on: Board::reach_of
  };
  static_assert(!Board::kSmall || sizeof(Step) == 3 * 64);
  using StepName = std::uint16_t;
  // A part of a trial: a position that was made, or moves of the old line that are repeated.
  struct Part {
    StepName made = 0, first = 0, last = 0;
  };
  static constexpr int kMadeSteps = 2 * kSteps + 1;

  TrialLine(const game::Position& board, const game::Scoring& scoring) : start_(board), room_(kMadeSteps + 2) {
    const game::ScoringBounds& bounds = game::ScoringBounds::of(scoring);
    for (int n = 0; n < static_cast<int>(group_points_.size()); ++n) {
      group_points_[n] = scoring.group_points(n);
      most_of_color_[n] = bounds.most_of_color(n);
    }
    most_at_end_ = std::max(0, bounds.most_at_end(board.blocks()));
    Step& first = room_[0];
    first.board = start_;
    first.count.fill(0);
    first.left = board.blocks();
    const auto counts = board.color_counts();
    first.points = first.singles = 0;
    first.bound = most_at_end_;
    for (int c = 0; c + 1 < kCodes; ++c) {
      first.count[c + 1] = static_cast<std::uint16_t>(counts[c]);
      first.bound += most_of_color_[counts[c]];
      first.singles += counts[c] == 1;
    }
    line_.push(0);
    reach_.push(0);
    for (int name = kMadeSteps - 1; name > 0; --name)
      free_.push(static_cast<StepName>(name));
  }

  int length() const { return line_.size() - 1; }
  const Step& step(int k) const { return room_[line_[k]]; }
  const Step& now() const { return room_[now_]; }
  std::uint64_t moves() const { return moves_; }        // played by a flood
  std::uint64_t repeated() const { return repeated_; }  // noted as repeated

  // Begins a trial after position `from`.
  void begin(int from) {
    from_ = from;
    now_ = line_[from];
    while (!trial_.empty())
      if (const StepName made = trial_.pop().made; made != 0) free_.push(made);
  }

  // Plays those blocks of a line that can be played, from the start.
  void play_line(std::span<const BlockId> line) {
    begin(0);
    for (const BlockId block : line)
      play(block);
  }

  // Plays a random group, of the tabu colour only if there is no other; false if there is none.
  bool play_random(int tabu_code, EvaluationDraws& draws) {
    const Board& board = now().board;
    alignas(32) Cells found;
    int total = corners(board, found);
    if (total > 0 && tabu_code > 0) {
      alignas(32) Cells others;
      if (const int n = corners_without(board, found, tabu_code, others); n > 0) {
        found = others;
        total = n;
      }
    }
    if (total == 0) return false;
    const auto [column, row] = nth_cell(board, found, draws.next_below(total));
    return play_group(board.block_at(column, row), row, board.code_at(column, row));
  }

  // Plays what is left of the group of move k of the old line; where a change has split the group, each piece that can
  // be played. Otherwise a change would leave blocks behind, and chains end 400 points lower (docs/lab/annealing.md).
  bool play_blocks_of(int k) {
    const Step& old = step(k);
    const Board& before = step(k - 1).board;
    alignas(32) Cells playable;
    ColumnSet columns = cells_of_groups(now().board, old.code, playable);
    bool played = false;
    if (now().board.holds(old.block)) {
      const int row = now().board.row_of(old.block);
      if ((playable[old.block.column] >> row & 1) != 0) {
        play_group(old.block, row, old.code);
        columns = cells_of_groups(now().board, old.code, playable);
        played = true;
      }
    }
    const ColumnSet rest = columns_left_of_move(before, old.board, now().board);
    if ((rest & columns) == 0) return played;
    for (std::uint32_t places = Board::places_in_order(rest); places != 0; places &= places - 1) {
      const int c = Board::column_in_order(std::countr_zero(places));
      auto group = static_cast<Column>(before.alive[c] & ~old.board.alive[c]);
      for (;;) {
        const Column alive = now().board.alive[c];
        const Column cells = static_cast<Column>(gather_bits(group & alive, alive) & playable[c]);
        if (cells == 0) break;
        const int row = std::countr_zero(cells);
        const BlockId block = now().board.block_at(c, row);
        play_group(block, row, old.code);
        cells_of_groups(now().board, old.code, playable);
        group &= static_cast<Column>(~bits_below<Column>(block.row) << 1);  // it is searched once, from the bottom
        played = true;
      }
    }
    return played;
  }

  // `now` is compared with position k of the old line from here on.
  void set_beside(int k) { beside_ = k; }

  // The first move from k on that may do something else than before, but at most `end`. The moves before it count as
  // repeated; their effect on the columns `changed` is brought into `now`.
  int next_altered(int k, int end, ColumnSet changed) {
    for (; (k = next_reached(k, changed)) < end && takes_the_same(k, changed); ++k)
      take_from_changed(k, changed);
    return std::min(k, end);
  }

  // Notes moves of the old line as repeated.
  void repeat(int first, int last) {
    if (first > last) return;
    repeated_ += static_cast<std::uint64_t>(last - first + 1);
    trial_.push({.first = static_cast<StepName>(first), .last = static_cast<StepName>(last)});
  }

  // Makes the position after the moves of the old line from `beside_` to k were repeated: it is that of the old line
  // except for the columns `changed`, which `now` has as they are.
  void catch_up(int k, ColumnSet changed) {
    if (k == beside_) return;
    const Step &last = now(), &then = step(beside_), &old = step(k);
    now_ = other_room();
    beside_ = k;
    Step& here = room_[now_];
    copy_columns(here.board, old.board, last.board, changed);
    here.points = last.points + old.points - then.points;
    here.left = last.left + old.left - then.left;
    here.bound = here.points + most_at_end_;
    here.singles = 0;
    for (int code = 0; code < kCodes; ++code) {
      const int count = last.count[code] + old.count[code] - then.count[code];
      here.count[code] = static_cast<std::uint16_t>(count);
      here.bound += most_of_color_[count];
      here.singles += count == 1;
    }
  }

  // Makes the trial the line. The old line goes on after position `rest`, with `gained` points more.
  void accept(int rest, int gained) {
    make_repeated();
    for (int k = from_ + 1; k <= rest; ++k)
      free_.push(line_[k]);
    for (int k = rest + 1; gained != 0 && k <= length(); ++k) {
      room_[line_[k]].points += gained;
      room_[line_[k]].bound += gained;
    }
    line_.replace(from_ + 1, rest + 1, accepted_);
    reach_.replace(from_ + 1, rest + 1, accepted_reach_);
    trial_.clear();
  }

 private:
  // A step for the move after `before`, with the counters before it.
  Step& make_step(StepName name, const Step& before) {
    Step& after = room_[name];
    after.count = before.count;
    after.points = before.points;
    after.bound = before.bound;
    after.left = before.left;
    after.singles = before.singles;
    return after;
  }

  // Books the removal of a group in a step whose board is already without it.
  void score_group(Step& after, int code, int size) {
    const int before = after.count[code], rest = before - size;
    after.count[code] = static_cast<std::uint16_t>(rest);
    after.left -= size;
    after.points += group_points_[size];
    after.bound += group_points_[size] + most_of_color_[rest] - most_of_color_[before];
    after.singles += rest == 1;
    after.code = static_cast<std::uint8_t>(code);
    after.size = static_cast<std::uint16_t>(size);
  }

  // Plays the group around a block, if there is one.
  bool play(BlockId block) {
    const Step& before = now();
    if (!before.board.holds(block)) return false;
    return play_group(block, before.board.row_of(block), start_.code_at(block.column, block.row));
  }

  bool play_group(BlockId block, int row, int code) {
    const Step& before = now();
    alignas(32) Cells group;
    const ColumnSet touched = flood(before.board, block.column, row, code, group);
    const int size = count<Geometry>(group);
    if (size < 2) return false;
    ++moves_;
    now_ = free_.pop();
    trial_.push({.made = now_});
    Step& after = make_step(now_, before);
    take_out(after.board, before.board, group, touched, start_);
    after.block = block;
    after.touched = touched;
    after.reach = before.board.reach_of(touched);
    score_group(after, code, size);
    return true;
  }

  // Whether move k of the old line removes the blocks it removed before although columns it depends on have changed:
  // all its blocks are where they were, and the change brings no block of their colour next to them.
  bool takes_the_same(int k, ColumnSet changed) const {
    const Step& old = step(k);
    const Board &before = step(k - 1).board, &here = now().board;
    const ColumnSet near = old.reach & changed;
    if ((near & ~(before.columns & here.columns)) != 0) return false;
    const auto taken = [&](int c) { return static_cast<Column>(before.alive[c] & ~old.board.alive[c]); };
    const auto cells = [&](int c) { return static_cast<Column>(gather_bits(taken(c), before.alive[c])); };
    for (ColumnSet rest = near & old.touched; rest != 0; rest &= rest - 1) {
      const int c = std::countr_zero(rest);
      const std::uint32_t upto_highest = ~0u >> std::countl_zero(std::uint32_t{taken(c)});
      if (((here.alive[c] ^ before.alive[c]) & upto_highest) != 0) return false;
    }
    for (ColumnSet rest = near; rest != 0; rest &= rest - 1) {
      const int c = std::countr_zero(rest);
      const ColumnSet left = before.columns & bits_below<ColumnSet>(c);
      const ColumnSet right = before.columns & ~bits_below<ColumnSet>(c) & ~(1u << c);
      const Column own = cells(c);
      auto next_to = static_cast<Column>(own << 1);
      if (left != 0) next_to |= cells(31 - std::countl_zero(left));
      if (right != 0) next_to |= cells(std::countr_zero(right));
      if ((here.cells_of_code(c, old.code) & ~own & next_to) != 0) return false;
    }
    return true;
  }

  // Repeats move k, which takes the same blocks, in the columns that have changed. The rest follows in `catch_up`.
  void take_from_changed(int k, ColumnSet changed) {
    const ColumnSet columns = step(k).touched & changed;
    if (columns == 0) return;
    const Step& last = now();
    now_ = other_room();
    take_blocks(make_step(now_, last).board, last.board, columns, step(k - 1).board, step(k).board, start_);
  }

  // A place for a position that is not part of the trial. There are two, because one may be made from the other.
  StepName other_room() const { return now_ == kMadeSteps ? kMadeSteps + 1 : kMadeSteps; }

  // Fills `accepted_` with the positions of the trial: makes those after moves that were only noted as repeated.
  void make_repeated() {
    accepted_.clear();
    accepted_reach_.clear();
    StepName last = line_[from_];
    const auto add = [&](StepName name) {
      accepted_.push(name);
      accepted_reach_.push(static_cast<Column>(room_[name].reach));
      last = name;
    };
    for (int i = 0; i < trial_.size(); ++i) {
      const Part part = trial_[i];
      if (part.made != 0) {
        add(part.made);
        continue;
      }
      for (int k = part.first; k <= part.last; ++k) {
        const Step &before = room_[last], &old = step(k);
        const StepName name = free_.pop();
        Step& after = make_step(name, before);
        const Board& beside = step(k - 1).board;
        if ((difference(before.board, beside) & old.touched) == 0)
          copy_columns(after.board, before.board, old.board, old.touched);
        else
          take_blocks(after.board, before.board, old.touched, beside, old.board, start_);
        after.block = old.block;
        after.touched = old.touched;
        after.reach = old.reach;
        score_group(after, old.code, old.size);
        add(name);
      }
    }
  }

  // The first move of the old line from k on whose reach has changed; after its end if there is none.
  int next_reached(int k, ColumnSet changed) const {
    const int n = length();
#if defined(__AVX2__)
    if constexpr (Board::kSmall) {
      const __m256i wanted = _mm256_set1_epi16(static_cast<short>(changed));
      for (; k <= n; k += 16) {
        const __m256i reach = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(reach_.data() + k));
        const std::uint32_t reached = small_columns::nonzero_columns(_mm256_and_si256(reach, wanted));
        if (reached != 0) return std::min(k + std::countr_zero(reached), n + 1);
      }
      return n + 1;
    }
#endif
    while (k <= n && (reach_[k] & changed) == 0)
      ++k;
    return k;
  }

  Board start_;
  // By the number of blocks.
  std::array<int, game::kMaxCells + 1> group_points_, most_of_color_;
  int most_at_end_ = 0;
  std::vector<Step> room_;
  FixedList<StepName, 2 * kSteps> line_;  // positions of the line, the start first
  FixedList<Column, 2 * kSteps> reach_;   // of its moves: Step::reach
  FixedList<Part, 2 * kSteps> trial_;     // the change that is being tried, after position from_
  FixedList<StepName, 2 * kSteps> accepted_;
  FixedList<Column, 2 * kSteps> accepted_reach_;
  FixedList<StepName, 2 * kSteps> free_;
  int from_ = 0;
  StepName now_ = 0;  // the last position of the trial that was made ...
  int beside_ = 0;    // ... and the one of the old line that it is compared with
  std::uint64_t moves_ = 0, repeated_ = 0;
};

}  // namespace CHAINSHOT_BLOCKS
}  // namespace chainshot::cpu
