// The chain, written over the geometry and compiled for every instruction set.
//
// The chain keeps every position of its line. It plays a change from the first move the change touches; the later moves
// of the old line follow as far as they can be played. Three short cuts make that cheap:
// - A move that the change has not reached, or that takes the blocks it took before, is only noted as repeated. It is
//   made when a later move does something else or the change is accepted.
// - When the position equals one of the old line again, the rest of the old line is the rest of the new one.
// - The least acceptable fitness is drawn first, and a change that cannot reach it any more is dropped.
#pragma once

#include <limits>
#include <utility>

#include "cpu/chain/chain.hpp"
#include "cpu/chain/evaluation_draws.hpp"
#include "cpu/chain/fixed_list.hpp"
#include "cpu/chain/trial_line.hpp"

namespace chainshot::cpu {

using game::AcceptanceTable;
using game::ChainCounts;

inline namespace CHAINSHOT_BLOCKS {

// How often each kind of change is tried, per cent.
constexpr int kLeaveOut = 20, kInsert = 20, kReplace = 20, kMoveElsewhere = 38;  // the rest plays the end anew

template <class Geometry>
class GeometryChain final : public Chain {
  using Line = TrialLine<Geometry>;
  using Step = typename Line::Step;
  using ColumnSet = typename Line::ColumnSet;
  using Draws = game::ChainDraws;

 public:
  GeometryChain(const game::Position& board, const game::Scoring& scoring) : scoring_(scoring), line_(board, scoring) {}

  void restart(std::span<const BlockId> line, int tabu_color, std::uint32_t seed) override {
    tabu_code_ = tabu_color + 1;
    seed_ = seed;
    draws_ = EvaluationDraws(seed, 0);
    next_evaluation_ = 1;
    line_.play_line(line);
    while (play_random()) {
    }
    line_.accept(line_.length(), 0);
    if (score() > best_score_) keep_best();
  }

  void take_line(std::span<const BlockId> line, int tabu_color) override {
    tabu_code_ = tabu_color + 1;
    line_.play_line(line);
    line_.accept(line_.length(), 0);
  }

  void advance(const AcceptanceTable& table, std::uint64_t evaluations) override {
    int fitness = this->fitness(table);
    for (std::uint64_t i = 0; i < evaluations; ++i)
      fitness = evaluate(table, fitness);
    counts_.evaluations += evaluations;
  }

  int line(std::span<BlockId> blocks) const override {
    for (int k = 1; k <= line_.length(); ++k)
      blocks[k - 1] = line_.step(k).block;
    return line_.length();
  }

  int tabu_color() const override { return tabu_code_ - 1; }
  int fitness(const AcceptanceTable& table) const override { return fitness_of(table, line_.step(line_.length())); }
  int score() const override {
    const Step& last = line_.step(line_.length());
    return last.points + end_points(last) + (last.left == 0 ? scoring_.clear_bonus : 0);
  }
  int best_score() const override { return best_score_; }
  std::span<const game::Cell> best_moves() const override {
    return {best_moves_.data(), static_cast<std::size_t>(best_moves_.size())};
  }
  ChainCounts counts() const override {
    ChainCounts counts = counts_;
    counts.moves = line_.moves();
    counts.repeated = line_.repeated();
    return counts;
  }

 private:
  // A change to the line whose beginning has been played: how the rest of the old line follows.
  struct Change {
    int next = 0;           // the first move of the old line to follow
    ColumnSet changed = 0;  // columns in which the position differs from the old one before that move
    int skipped = 0;        // a move of the old line to leave out, because it was played already
    int late_after = 0;     // after this move of the old line ...
    int late = 0;           // ... play this one
  };
  // How following the old line ended.
  struct End {
    int met = 0;            // it met this position of the old line; 0: the game ended
    bool hopeless = false;  // the change was given up
  };

  // Returns the deduction at the end of the game, without the bonus.
  int end_points(const Step& last) const {
    if (last.left == 0) return 0;
    int by_color = 0;
    for (int code = 1; code < Line::kCodes; ++code)
      if (const int r = last.count[code]; r > 0) by_color += scoring_.left_per_color.at(r);
    return scoring_.final_points(last.left, by_color);
  }
  int fitness_of(const AcceptanceTable& table, const Step& last) const {
    return last.points + end_points(last) + (last.left < AcceptanceTable::kSoft ? table.bonus[last.left] : 0);
  }

  bool play_random() { return line_.play_random(tabu_code_, draws_); }

  // A bonus that is deducted may be avoided.
  bool hopeless(const AcceptanceTable& table, int need) const {
    return line_.now().bound + std::max(0, table.bonus[line_.now().singles]) < need;
  }

  // Draws a change and plays its beginning; false if it changes nothing.
  bool propose(Change& change);
  End follow_line(const Change& change, const AcceptanceTable& table, int need);
  // Tries one change; returns the fitness of the line after it.
  int evaluate(const AcceptanceTable& table, int fitness);

  void keep_best() {
    best_score_ = score();
    best_moves_.clear();
    for (int k = 1; k <= line_.length(); ++k)
      best_moves_.push(line_.step(k - 1).board.cell_of(line_.step(k).block));
  }

  game::Scoring scoring_;
  Line line_;
  int tabu_code_ = 0;
  std::uint32_t seed_ = 0, next_evaluation_ = 0;
  EvaluationDraws draws_{0, 0};
  ChainCounts counts_;  // without those of the line
  int best_score_ = std::numeric_limits<int>::min();
  FixedList<game::Cell, Line::kMaxMoves> best_moves_;
};

// The kinds of change.
template <class Geometry>
bool GeometryChain<Geometry>::propose(Change& change) {
  const int n = line_.length();
  int pick = draws_.below(100, Draws::kKind);
  if (n < 2 || pick >= kLeaveOut + kInsert + kReplace + kMoveElsewhere) {
    line_.begin(draws_.below(n + 1, Draws::kMove));
    change.next = n + 1;
    return true;
  }
  const int k = 1 + draws_.below(n, Draws::kMove);
  if (pick < kLeaveOut) {
    line_.begin(k - 1);
    change = {.next = k + 1, .changed = line_.step(k).touched};
    return true;
  }
  if ((pick -= kLeaveOut) < kInsert) {
    line_.begin(k - 1);
    if (!play_random()) return false;
    change = {.next = k, .changed = line_.now().touched};
    return true;
  }
  if ((pick -= kInsert) < kReplace) {
    line_.begin(k - 1);
    if (!play_random()) return false;
    change = {.next = k + 1, .changed = difference(line_.now().board, line_.step(k).board)};
    return change.changed != 0;
  }
  int to = 1 + draws_.below(n - 1, Draws::kDestination);
  to += to >= k;
  if (to > k) {  // later
    line_.begin(k - 1);
    change = {.next = k + 1, .changed = line_.step(k).touched, .late_after = to, .late = k};
    return true;
  }
  line_.begin(to - 1);  // earlier
  if (!line_.play_blocks_of(k)) return false;
  change = {.next = to, .changed = difference(line_.now().board, line_.step(to - 1).board), .skipped = k};
  return true;
}

template <class Geometry>
typename GeometryChain<Geometry>::End GeometryChain<Geometry>::follow_line(const Change& change,
                                                                           const AcceptanceTable& table, int need) {
  const int n = line_.length();
  ColumnSet changed = change.changed;
  line_.set_beside(change.next - 1);
  for (int k = change.next; k <= n; ++k) {
    const int special = change.skipped >= k ? change.skipped : change.late_after >= k ? change.late_after : n + 1;
    const int first = std::exchange(k, line_.next_altered(k, special, changed));
    line_.repeat(first, k - 1);
    if (k > n) break;
    if (k == change.late_after && line_.next_altered(k, k + 1, changed) > k) {
      line_.repeat(k, k);
    } else {
      line_.catch_up(k - 1, changed);
      if (k != change.skipped) line_.play_blocks_of(k);
      line_.set_beside(k);
      changed = difference(line_.now().board, line_.step(k).board);
    }
    if (k == change.late_after) {
      line_.catch_up(k, changed);
      if (line_.play_blocks_of(change.late)) changed = difference(line_.now().board, line_.step(k).board);
    }
    if (changed == 0 && k >= change.late_after) return {.met = k};
    if (hopeless(table, need)) return {.hopeless = true};
  }
  line_.catch_up(line_.length(), changed);
  do {
    if (hopeless(table, need)) return {.hopeless = true};
  } while (play_random());
  return {};
}

template <class Geometry>
int GeometryChain<Geometry>::evaluate(const AcceptanceTable& table, int fitness) {
  draws_ = EvaluationDraws(seed_, next_evaluation_++);
  const int need = fitness - table.loss[draws_.draw(Draws::kAcceptance) >> (32 - AcceptanceTable::kDrawBits)];
  Change change;
  End end;
  if (!propose(change) || (end = follow_line(change, table, need)).hopeless) {
    counts_.cut += end.hopeless;
    return fitness;
  }
  counts_.met += end.met > 0;
  const int gained =
      end.met > 0 ? line_.now().points - line_.step(end.met).points : fitness_of(table, line_.now()) - fitness;
  if (fitness + gained < need) return fitness;
  ++counts_.accepted;
  if (end.met > 0)
    line_.accept(end.met, gained);
  else
    line_.accept(line_.length(), 0);
  // A soft bonus adds to the score, unless the bonus is deducted.
  const bool may_be_best = fitness + gained > best_score_ || scoring_.clear_bonus < 0;
  if (may_be_best && score() > best_score_) keep_best();
  return fitness + gained;
}

}  // namespace CHAINSHOT_BLOCKS
}  // namespace chainshot::cpu
