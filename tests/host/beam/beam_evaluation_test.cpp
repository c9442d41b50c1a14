// Compares the children that the fast step finds, and their evaluations, with a plain computation on the reference
// board.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cpu/beam/cpu_beam_step.hpp"
#include "game/beam_step.hpp"
#include "game/reference.hpp"
#include "host/beam/evaluation.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"

namespace chainshot::host {
namespace {

using game::BeamTables;
using game::Cell;
using game::ReferenceBoard;
using tests::Dice;

// The definition of the evaluation, cell by cell.
class PlainEvaluation {
 public:
  PlainEvaluation(const ReferenceBoard& board, const BeamTables& tables) : board_(board), tables_(tables) {}

  std::int32_t value() const {
    int left = 0;
    for (const int n : board_.color_counts())
      left += n;
    const BeamTables::Weights& w = tables_.weights[static_cast<std::size_t>(left)];
    std::int32_t total = w.steps * steps() + w.columns * columns();
    for (int color = 0; color < game::kMaxColors; ++color) {
      const int n = board_.color_counts()[static_cast<std::size_t>(color)];
      if (n == 0) continue;
      const bool is_target = color == tables_.target;
      const int k = components(color, n), isolated = count(color, false), lonely = count(color, true);
      const auto& values = is_target ? tables_.target_value : tables_.other_value;
      total += values[static_cast<std::size_t>(n * tables_.stride + k)];
      total += (is_target ? w.target_components : w.other_components) * k;
      total += (is_target ? w.target_isolated : w.other_isolated) * isolated;
      total += (is_target ? w.target_lonely : w.other_lonely) * lonely;
      total += (is_target ? w.target_runs : w.other_runs) * runs(color);
    }
    return total;
  }

 private:
  int at(int c, int r) const {
    if (c < 0 || r < 0 || c >= board_.columns() || r >= board_.rows()) return game::kEmpty;
    return board_.color_at(c, r);
  }
  bool is(int c, int r, int color) const { return at(c, r) == color; }

  int components(int color, int blocks) const {
    int pairs = 0, squares = 0;
    for (int c = 0; c < board_.columns(); ++c)
      for (int r = 0; r < board_.rows(); ++r) {
        if (!is(c, r, color)) continue;
        pairs += (is(c + 1, r, color) ? 1 : 0) + (is(c, r + 1, color) ? 1 : 0);
        squares += is(c + 1, r, color) && is(c, r + 1, color) && is(c + 1, r + 1, color) ? 1 : 0;
      }
    return std::max(1, blocks - pairs + squares);
  }

  // Blocks without an equal one next to them, or among all eight around them.
  int count(int color, bool diagonals_too) const {
    int total = 0;
    for (int c = 0; c < board_.columns(); ++c)
      for (int r = 0; r < board_.rows(); ++r) {
        if (!is(c, r, color)) continue;
        bool alone = true;
        for (int dc = -1; dc <= 1; ++dc)
          for (int dr = -1; dr <= 1; ++dr) {
            const int distance = std::abs(dc) + std::abs(dr);
            if (distance == 1 || (distance == 2 && diagonals_too)) alone = alone && !is(c + dc, r + dr, color);
          }
        total += alone ? 1 : 0;
      }
    return total;
  }

  int runs(int color) const {
    int total = 0;
    bool before = false;
    for (int c = 0; c < board_.columns(); ++c) {
      bool now = false;
      for (int r = 0; r < board_.rows(); ++r)
        now = now || is(c, r, color);
      total += now && !before ? 1 : 0;
      before = now;
    }
    return total;
  }

  int steps() const {
    int total = 0;
    for (int c = 0; c < board_.columns(); ++c)
      for (int r = 0; r < board_.rows(); ++r)
        total += (at(c, r) != game::kEmpty) != (at(c + 1, r) != game::kEmpty) ? 1 : 0;
    return total;
  }
  int columns() const {
    int total = 0;
    for (int c = 0; c < board_.columns(); ++c)
      total += at(c, 0) != game::kEmpty ? 1 : 0;
    return total;
  }

  const ReferenceBoard& board_;
  const BeamTables& tables_;
};

using Child = std::pair<int, std::int32_t>;  // size of the group and evaluation

void expect_children(const game::Position& root, const game::Scoring& scoring, int target, cpu::Isa isa) {
  const auto step = cpu::make_cpu_beam_step({.threads = 1, .isa = isa});
  const BeamTables tables = beam_tables({}, root, scoring, target);
  step->begin({.seeds = {{root, 0}}, .tables = tables, .width = 1});
  const int points = 77;
  std::vector<Child> expected, found;
  std::map<std::uint64_t, game::Position> position_of_hash;
  for (const auto& group : ReferenceBoard(root).groups()) {
    ReferenceBoard after(root);
    const int size = after.apply(group.front());
    if (after.groups().empty()) continue;  // such a child is scored, not evaluated
    const int earned = points + scoring.group_points(size);
    expected.emplace_back(size, earned * game::kBeamScale + PlainEvaluation(after, tables).value());
  }
  for (const game::BeamChild& child : step->children(root, points)) {
    found.emplace_back(child.size, child.evaluation);
    ReferenceBoard after(root);
    EXPECT_EQ(after.apply(child.move), child.size);
    const auto [known, is_new] = position_of_hash.emplace(child.hash, after.to_position());
    EXPECT_TRUE(is_new || known->second == after.to_position()) << "two positions share a hash";
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found, expected) << tests::drawing(root);
}

TEST(BeamEvaluation, OfAChildEqualsThatOfTheBuiltBoard) {
  for (const cpu::Isa isa : cpu::available_isas()) {
    Dice dice(5);
    for (int i = 0; i < 120; ++i) {
      const tests::Shape shape = i % 4 == 0 ? tests::random_shape(dice) : tests::random_small_shape(dice);
      const game::Position root = tests::random_board(dice, shape);
      if (!root.has_moves()) continue;
      const game::Scoring& scoring = tests::scoring_case(i);
      expect_children(root, scoring, dice.below(root.colors()), isa);
    }
  }
}

// Under three times the points every weight counts three times as much.
TEST(BeamEvaluation, IsScaledToTheFormula) {
  Dice dice(8);
  const game::Position root = tests::full_board(dice, {8, 8, 3});
  const BeamTables plain = beam_tables({}, root, *game::scoring_named("points"), 0);
  const BeamTables triple = beam_tables({}, root, game::parse_scoring("points=3(n-2)^2"), 0);
  EXPECT_NEAR(triple.weights[30].columns, 3 * plain.weights[30].columns, 2);
  const std::size_t ten_blocks_in_two = 10 * static_cast<std::size_t>(plain.stride) + 2;
  EXPECT_NEAR(triple.other_value[ten_blocks_in_two], 3 * plain.other_value[ten_blocks_in_two], 2);
  EXPECT_NEAR(triple.target_value[ten_blocks_in_two], 3 * plain.target_value[ten_blocks_in_two], 2);
}

// Evaluations are sums of what the tables hold, in 32 bits. Each of the colours may have its largest value at once.
TEST(BeamEvaluation, StaysWithin32BitsWhateverTheFormula) {
  Dice dice(9);
  const game::Position root = tests::full_board(dice, {31, 32, 15});
  for (const char* const formula : {"points=20n^2; bonus=2000000", "points=-30n^2; bonus=-2000000", "points=2000n"}) {
    const BeamTables tables = beam_tables({}, root, game::parse_scoring(formula), 0);
    std::int64_t most = 0;
    for (const std::int32_t value : tables.other_value)
      most = std::max(most, std::abs(std::int64_t{value}));
    EXPECT_GT(most, 0);
    EXPECT_LE(15 * most + std::int64_t{kMostBeamScore} * game::kBeamScale, std::numeric_limits<std::int32_t>::max());
  }
}

TEST(BeamEvaluation, CountsTheFeaturesOfASmallBoard) {
  const game::Position root = tests::board_of({"0...", "10..", "1203", "4443"});
  // The move on 444 leaves the columns 1 1 0, 2 0, 0 and 3 3, from the bottom.
  BeamTables tables{.target = 1, .stride = 4};
  tables.target_value.assign(16, 0);
  tables.other_value.assign(16, 0);
  tables.weights.assign(12, {});
  for (auto& w : tables.weights) {
    w.other_isolated = 1;
    w.other_lonely = 100;
    w.columns = 10'000;
  }
  const auto step = cpu::make_cpu_beam_step({.threads = 1});
  step->begin({.seeds = {{root, 0}}, .tables = tables, .width = 1});
  for (const game::BeamChild& child : step->children(root, 0)) {
    if (child.size != 3) continue;
    // One group of three: (3 - 2)^2 = 1 point. Isolated: the three 0s and the 2. The 0s lie on a diagonal, so only the
    // 2 is lonely. Four columns.
    EXPECT_EQ(child.evaluation, game::kBeamScale + 4 * 1 + 1 * 100 + 4 * 10'000);
    return;
  }
  FAIL() << "the group of three was not found";
}

TEST(BeamEvaluation, LosesTheBonusWithTheLastBlockOfAColor) {
  const game::Position board = tests::board_of({"001", "001"});
  const BeamTables tables = beam_tables({}, board, game::kStandardScoring, 0);
  const auto one_block = static_cast<std::size_t>(tables.stride + 1);
  EXPECT_EQ(tables.target_value[one_block], -1000 * game::kBeamScale);
  EXPECT_EQ(tables.other_value[one_block], -1000 * game::kBeamScale);
}

TEST(BeamEvaluation, PerturbsByTheSeedAlone) {
  const BeamWeights once = perturbed({}, 0.2, 7, 3), again = perturbed({}, 0.2, 7, 3), other = perturbed({}, 0.2, 7, 4);
  EXPECT_EQ(once.other_scale, again.other_scale);
  EXPECT_NE(once.other_scale, other.other_scale);
  EXPECT_EQ(perturbed({}, 0, 7, 3).other_runs.full, BeamWeights{}.other_runs.full);
}

}  // namespace
}  // namespace chainshot::host
