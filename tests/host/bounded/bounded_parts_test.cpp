// The parts of IDA* and A*: thresholds, the table of bounds, the store of states.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "game/board_text.hpp"
#include "host/bounded/bound_table.hpp"
#include "host/bounded/bounded_budget.hpp"
#include "host/bounded/cut_off_counts.hpp"
#include "host/bounded/state_store.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

TEST(CutOffCounts, ChooseTheHighestThresholdThatEnoughPositionsReach) {
  CutOffCounts counts(0, 100);
  for (const int f : {90, 80, 80, 80, 70, 60})
    counts.add(f);
  EXPECT_EQ(counts.threshold_for(1, 100), 90);
  EXPECT_EQ(counts.threshold_for(2, 100), 80);  // one at 90 and three at 80 are four
  EXPECT_EQ(counts.threshold_for(4, 100), 80);
  EXPECT_EQ(counts.threshold_for(5, 100), 70);
  EXPECT_EQ(counts.threshold_for(99, 100), 60);  // there are no more
  EXPECT_EQ(counts.threshold_for(0, 100), 90);   // the next bound
  EXPECT_EQ(counts.threshold_for(1, 85), 80);    // no more than 85
  counts.clear();
  counts.add(-3);  // a deduction
  EXPECT_EQ(counts.threshold_for(1, 50), 0);
}

TEST(CutOffCounts, TellScoresBelowZeroApart) {
  CutOffCounts counts(-500, -100);
  for (const int f : {-200, -300, -400})
    counts.add(f);
  EXPECT_EQ(counts.threshold_for(1, -100), -200);
  EXPECT_EQ(counts.threshold_for(3, -100), -400);
}

// A range of a million values shares its counts: the threshold may be lower than need be, but enough positions reach
// it.
TEST(CutOffCounts, RoundThresholdsDownWhereRangesAreWide) {
  CutOffCounts counts(0, 1'000'000);
  counts.add(999'999);
  counts.add(500'000);
  EXPECT_LE(counts.threshold_for(1, 1'000'000), 999'999);
  EXPECT_GT(counts.threshold_for(1, 1'000'000), 500'000);
  EXPECT_LE(counts.threshold_for(2, 1'000'000), 500'000);
  EXPECT_GT(counts.threshold_for(2, 1'000'000), 499'000);
}

TEST(BoundTable, KeepsTheLowestBoundOfAPositionWithinItsMemory) {
  BoundTable table(64 << 10);
  EXPECT_LE(table.bytes(), 64u << 10);
  const PositionKey key = key_of(game::standard_boards()[0].position),
                    other = key_of(game::standard_boards()[1].position);
  EXPECT_EQ(table.find(key), BoundTable::kUnknown);
  table.store(key, 100, 225);
  table.store(key, 120, 225);
  EXPECT_EQ(table.find(key), 100);
  table.store(key, 90, 225);
  EXPECT_EQ(table.find(key), 90);
  EXPECT_EQ(table.find(other), BoundTable::kUnknown);
  BoundTable none(0);
  none.store(key, 1, 225);
  EXPECT_EQ(none.find(key), BoundTable::kUnknown);
}

TEST(BoundTable, KeepsLargePositionsAndTheLastOfTheSmallOnes) {
  BoundTable table(64);  // one set of four entries
  for (std::uint64_t i = 1; i <= 5; ++i)
    table.store({0, i}, static_cast<int>(i), 100);
  table.store({0, 9}, 9, 2);
  EXPECT_EQ(table.find({0, 9}), 9);
  table.store({0, 10}, 10, 3);
  EXPECT_EQ(table.find({0, 9}), BoundTable::kUnknown);
  EXPECT_EQ(table.find({0, 10}), 10);
  int large = 0;
  for (std::uint64_t i = 1; i <= 5; ++i)
    large += table.find({0, i}) != BoundTable::kUnknown;
  EXPECT_EQ(large, 3);
}

TEST(PositionKey, TellsPositionsApart) {
  // All boards of two colours with four rows of three, and so of nothing but different cells.
  std::set<std::uint64_t> places, checks;
  for (int cells = 0; cells < 1 << 12; ++cells) {
    game::Position board(3, 4);
    for (int i = 0; i < 12; ++i)
      board.set(i % 3, i / 3, cells >> i & 1);
    places.insert(key_of(board).place);
    checks.insert(key_of(board).check);
  }
  EXPECT_EQ(places.size(), 1u << 12);
  EXPECT_EQ(checks.size(), 1u << 12);
}

TEST(StateStore, PopsTheHighestAndForgetsTheLowest) {
  const game::Position& root = game::standard_boards()[0].position;
  StateStore store(root, 0, 10'000, 1);  // the least: one chunk
  const std::size_t capacity = store.capacity();
  const StateStore::Id first = store.add(root, 9'000, StateStore::kNone);
  store.open(first, StateStore::kNone, {}, 0);
  store.close(first);
  Dice dice(92);
  std::vector<int> opened;
  game::Position last;
  for (std::size_t i = 1; i < capacity; ++i) {
    last = tests::full_board(dice, {15, 15, 5});
    const int points = dice.below(100), bound = dice.below(8'000);
    const StateStore::Id id = store.add(last, bound, first);
    ASSERT_NE(id, StateStore::kNone);
    store.open(id, first, {1, 2}, points);
    opened.push_back(points + bound);
    EXPECT_EQ(store.find(last), id);
    EXPECT_EQ(store.position(id), last);
  }
  std::sort(opened.begin(), opened.end());
  EXPECT_EQ(store.used(), capacity);
  EXPECT_EQ(store.open_bound(), opened.back());
  EXPECT_LT(store.dropped_bound(), 0);
  // One more: an eighth of the slots is given back, those with the lowest f.
  const StateStore::Id more = store.add(root, 1, first);
  ASSERT_NE(more, StateStore::kNone);
  const std::size_t dropped = capacity + 1 - store.used();
  EXPECT_GE(dropped, capacity / 8);
  EXPECT_LE(dropped, capacity / 8 + 1);
  EXPECT_EQ(store.dropped_bound(), opened[dropped - 1]);
  // The rest comes out in order of f.
  for (std::size_t i = opened.size(); i-- > dropped;) {
    const StateStore::Id id = store.highest();
    ASSERT_NE(id, StateStore::kNone);
    EXPECT_EQ(store.state(id).f(), opened[i]);
    EXPECT_EQ(store.path(id), (std::vector<game::Cell>{{1, 2}}));
    store.close(id);
  }
  EXPECT_EQ(store.highest(), StateStore::kNone);
}

TEST(StateStore, ForgetsClosedStatesThatLeadNowhereFirst) {
  Dice dice(93);
  const game::Position& root = game::standard_boards()[0].position;
  StateStore store(root, 0, 10'000, 1);
  const std::size_t capacity = store.capacity();
  const StateStore::Id first = store.add(root, 9'000, StateStore::kNone);
  store.open(first, StateStore::kNone, {}, 0);
  store.close(first);
  // One open state below a closed one; all others are closed and have nothing below them.
  const StateStore::Id middle = store.add(tests::full_board(dice, {15, 15, 5}), 50, first);
  store.open(middle, first, {1, 0}, 0);
  store.close(middle);
  const game::Position leaf_board = tests::full_board(dice, {15, 15, 5});
  const StateStore::Id leaf = store.add(leaf_board, 40, first);
  store.open(leaf, middle, {2, 0}, 0);
  for (std::size_t i = 3; i < capacity; ++i) {
    const StateStore::Id id = store.add(tests::full_board(dice, {15, 15, 5}), 60, first);
    store.open(id, first, {3, 0}, 0);
    store.close(id);
  }
  const StateStore::Id more = store.add(root, 1, first);
  EXPECT_NE(more, StateStore::kNone);
  EXPECT_EQ(store.used(), 4u);  // the root, the middle, the leaf and the new one
  EXPECT_LT(store.dropped_bound(), 0);
  EXPECT_EQ(store.find(leaf_board), leaf);
  EXPECT_EQ(store.path(leaf), (std::vector<game::Cell>{{1, 0}, {2, 0}}));
}

TEST(BoundedBudget, CountsNothingThatItDoesNotAllow) {
  BoundedBudget by_moves({.playouts = 10});
  EXPECT_TRUE(by_moves.expand(6));
  EXPECT_FALSE(by_moves.expand(5));
  EXPECT_TRUE(by_moves.expand(4));
  EXPECT_EQ(by_moves.evaluations(), 10u);
  EXPECT_EQ(by_moves.nodes(), 2u);
  std::stop_source stop;
  BoundedBudget stopped({});
  stopped.begin(stop.get_token());
  EXPECT_TRUE(stopped.expand(1));
  stop.request_stop();
  EXPECT_FALSE(stopped.expand(1));
}

}  // namespace
}  // namespace chainshot::host
