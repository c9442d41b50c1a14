#include "host/tree/parallel/leaf_batch.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/engines/engines.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

RequestTerms terms() {
  return {.seed = 3, .scoring = game::kStandardScoring, .policy = {}, .merges_equal = true};
}

Walk& walk_at(LeafBatch& leaf_batch, const game::Position& position, int points) {
  Walk& walk = leaf_batch.room(1).front();
  walk.position = position;
  walk.points = points;
  return walk;
}

TEST(LeafBatch, AsksOnceForEqualPositionsAndAnswersEachWithItsOwnPoints) {
  const game::Position board = game::standard_boards()[1].position;
  LeafBatch leaf_batch(terms());
  leaf_batch.begin(3);
  std::uint64_t key = leaf_batch.add(walk_at(leaf_batch, board, 0), 0, 16, false, 100);
  key = leaf_batch.add(walk_at(leaf_batch, board, 40), 1, 16, false, key);
  EXPECT_EQ(key, 101U);
  EXPECT_EQ(leaf_batch.playouts(), 16U);
  EXPECT_EQ(leaf_batch.merged(), 1U);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  leaf_batch.answer(engine->run(leaf_batch.take_batch()).results);
  const game::Result first = leaf_batch.result_of(leaf_batch.leaves()[0]),
                     second = leaf_batch.result_of(leaf_batch.leaves()[1]);
  EXPECT_EQ(second.count, first.count);
  EXPECT_EQ(second.sum, first.sum + 16 * 40);
  EXPECT_EQ(second.best, first.best + 40);
  // sum of (x + 40)^2 = sum of x^2 + 80 sum of x + 16 * 1600
  EXPECT_EQ(static_cast<std::int64_t>(second.sum_of_squares),
            static_cast<std::int64_t>(first.sum_of_squares) + 80 * first.sum + 16 * 1600);
  const game::ReplayResult replayed =
      game::replay(board, leaf_batch.best_line_of(leaf_batch.leaves()[1]), game::kStandardScoring, 40);
  EXPECT_EQ(replayed.error, "");
  EXPECT_EQ(replayed.score, second.best);
}

TEST(LeafBatch, LooksAheadToEveryMoveOfALeaf) {
  const game::Position board = game::standard_boards()[2].position;
  LeafBatch leaf_batch(terms());
  leaf_batch.begin(1);
  const std::size_t moves = board.groups().size();
  // Two for each move, but for one that has to do with fewer: all are rounded up.
  leaf_batch.add(walk_at(leaf_batch, board, 7), 0, static_cast<std::uint32_t>(2 * moves - 1), true, 0);
  EXPECT_LE(leaf_batch.playouts(), 2 * moves);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  leaf_batch.answer(engine->run(leaf_batch.take_batch()).results);
  const game::Result result = leaf_batch.result_of(leaf_batch.leaves().front());
  EXPECT_EQ(result.count, 2 * moves);
  const game::ReplayResult replayed =
      game::replay(board, leaf_batch.best_line_of(leaf_batch.leaves().front()), game::kStandardScoring, 7);
  EXPECT_EQ(replayed.error, "");
  EXPECT_EQ(replayed.score, result.best);
  EXPECT_TRUE(replayed.over);
}

TEST(LeafBatch, PlaysPositionsThatDifferByColoursOnceIfAsked) {
  const game::Position board = tests::board_of({"1123", "2311", "3322"});
  const game::Position renamed = tests::board_of({"3312", "1233", "2211"});  // 1, 2, 3 became 3, 1, 2
  RequestTerms symmetric = terms();
  symmetric.merges_symmetric = true;
  LeafBatch leaf_batch(symmetric);
  leaf_batch.begin(2);
  leaf_batch.add(walk_at(leaf_batch, board, 0), 0, 8, false, 0);
  leaf_batch.add(walk_at(leaf_batch, renamed, 0), 0, 8, false, 1);
  EXPECT_EQ(leaf_batch.merged(), 1U);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  leaf_batch.answer(engine->run(leaf_batch.take_batch()).results);
  const game::ReplayResult replayed =
      game::replay(renamed, leaf_batch.best_line_of(leaf_batch.leaves()[1]), game::kStandardScoring);
  EXPECT_EQ(replayed.error, "");
  EXPECT_EQ(replayed.score, leaf_batch.result_of(leaf_batch.leaves()[1]).best);
}

}  // namespace
}  // namespace chainshot::host
