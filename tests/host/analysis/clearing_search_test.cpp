#include "host/analysis/clearing_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>

#include "game/reference.hpp"
#include "game/scoring.hpp"
#include "host/analysis/lost_positions.hpp"
#include "host/analysis/packed_board.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::board_of;
using tests::Dice;

// In Clickomania every block left costs a point, so a board can be cleared if its best score is 0.
const game::Scoring& clickomania() {
  return *std::find_if(game::kScorings.begin(), game::kScorings.end(),
                       [](const game::Scoring& scoring) { return scoring.name() == "clickomania"; });
}

ClearingAnswer decide(const game::Position& board, const ClearingLimit& limit = {}) {
  return make_clearing_search(board.columns(), board.rows(), std::max(board.colors(), 1))->decide(board, limit);
}

TEST(ClearingSearch, AgreesWithBruteForceOnRandomBoards) {
  Dice dice(1);
  int cleared = 0, lost = 0;
  for (int i = 0; i < tests::scaled(1500); ++i) {
    const tests::Shape shape = random_shape(dice, 5, 4, 5);
    const game::Position board = dice.one_in(3) ? ragged_board(dice, shape) : random_board(dice, shape);
    if (board.blocks() > 14) continue;
    const bool clearable = tests::BruteForce(clickomania()).best(game::ReferenceBoard(board)) == 0;
    const ClearingAnswer answer = decide(board);
    ASSERT_EQ(answer.clearable, clearable ? Clearable::kYes : Clearable::kNo) << tests::drawing(board);
    if (clearable) {
      ASSERT_TRUE(game::replay(board, answer.moves, game::kStandardScoring).cleared) << tests::drawing(board);
    }
    (clearable ? cleared : lost) += 1;
  }
  EXPECT_GT(cleared, 20);
  EXPECT_GT(lost, 20);
}

// A search is used for many boards; what it remembers of one must not touch the next.
TEST(ClearingSearch, AnswersDoNotDependOnBoardsBefore) {
  Dice dice(2);
  const auto search = make_clearing_search(5, 5, 3);
  for (int i = 0; i < tests::scaled(300); ++i) {
    const game::Position board = full_board(dice, {5, 5, 3});
    const ClearingAnswer again = search->decide(board, {}), alone = decide(board);
    ASSERT_EQ(again.clearable, alone.clearable);
    ASSERT_EQ(again.moves, alone.moves);
    ASSERT_EQ(again.nodes, alone.nodes);
  }
}

TEST(ClearingSearch, ClearsLargeBoardsOfEveryWidth) {
  Dice dice(3);
  // One, two, four and more words; two, three and four planes.
  for (const tests::Shape shape :
       {tests::Shape{8, 7, 3}, {10, 10, 2}, {15, 15, 3}, {15, 15, 4}, {9, 9, 4}, {20, 20, 2}, {31, 32, 2}}) {
    const game::Position board = full_board(dice, shape);
    const auto search =
        make_clearing_search(shape.columns, shape.rows, std::max(shape.colors, shape.rows == 9 ? 8 : 1));
    const ClearingAnswer answer = search->decide(board, {.nodes = 20'000});
    ASSERT_EQ(answer.clearable, Clearable::kYes) << shape.columns << 'x' << shape.rows;
    EXPECT_TRUE(game::replay(board, answer.moves, game::kStandardScoring).cleared);
  }
}

TEST(ClearingSearch, AnEmptyBoardIsClearedByNoMove) {
  const ClearingAnswer answer = decide(game::Position(3, 2));
  EXPECT_EQ(answer.clearable, Clearable::kYes);
  EXPECT_TRUE(answer.moves.empty());
}

// The chessboard of Takes 2009, theorem 2, cannot be cleared, which takes more than a hundred positions to find out.
TEST(ClearingSearch, StopsAtItsLimit) {
  game::Position board(12, 12);
  for (int c = 0; c < 12; ++c)
    for (int r = 0; r < 12; ++r)
      board.set(c, r, c == 6 && r == 6 ? (c + r + 1) % 2 : (c + r) % 2);
  for (const std::uint64_t nodes : {1u, 7u, 100u, 450u, 1000u}) {
    const ClearingAnswer answer = decide(board, {.nodes = nodes});
    EXPECT_EQ(answer.clearable, Clearable::kUnknown);
    EXPECT_EQ(answer.nodes, nodes);
    EXPECT_TRUE(answer.moves.empty());
  }
  std::stop_source stop;
  stop.request_stop();
  const ClearingAnswer stopped = decide(board, {.stop = stop.get_token()});
  EXPECT_EQ(stopped.clearable, Clearable::kUnknown);
  EXPECT_LT(stopped.nodes, 5000u);
}

template <int Words, int Planes>
void expect_same_rules(Dice& dice, const tests::Shape& shape) {
  const PackedRules<Words, Planes> rules(shape.columns, shape.rows);
  game::Position position = random_board(dice, shape);
  auto board = rules.pack(position);
  for (auto groups = position.groups(); !groups.empty(); groups = position.groups()) {
    const game::Group& group = groups[static_cast<std::size_t>(dice.below(static_cast<int>(groups.size())))];
    const auto color = rules.cells_of_color(board, group.color);
    PackedCells<Words> seed{};
    seed[rules.layout().word_of(group.cell.column)] |= std::uint64_t{1}
                                                       << (rules.layout().bit_of(group.cell.column) + group.cell.row);
    const auto cells = rules.flood(seed, color);
    int size = 0;
    for (const std::uint64_t word : cells)
      size += std::popcount(word);
    ASSERT_EQ(size, group.size) << tests::drawing(position);
    ASSERT_EQ(rules.with_neighbor(cells), cells);
    rules.remove(board, cells);
    position.apply(group.cell);
    ASSERT_EQ(board, rules.pack(position)) << tests::drawing(position);
    ASSERT_EQ(board.is_empty(), position.blocks() == 0);
  }
}

TEST(PackedRules, PlayAsPositionsDo) {
  Dice dice(4);
  for (int i = 0; i < tests::scaled(80); ++i) {
    const tests::Shape shape = random_shape(dice, 31, 32, 15);
    const int words = PackedLayout(shape.columns, shape.rows).words();
    if (words <= 1 && shape.colors <= 3) {
      expect_same_rules<1, 2>(dice, shape);
    } else if (words <= 2 && shape.colors <= 7) {
      expect_same_rules<2, 3>(dice, shape);
    } else if (words <= 4) {
      expect_same_rules<4, 4>(dice, shape);
    } else {
      expect_same_rules<31, 4>(dice, shape);
    }
  }
  for (int i = 0; i < tests::scaled(40); ++i) {
    expect_same_rules<1, 2>(dice, random_shape(dice, 7, 8, 3));
    expect_same_rules<2, 2>(dice, {10, 10, 2});
    expect_same_rules<4, 3>(dice, {15, 15, 5});
  }
}

TEST(LostPositions, RemembersWhatWasInserted) {
  LostPositions lost;
  Dice dice(5);
  std::vector<LostPositions::Key> keys;
  for (int i = 0; i < 3000; ++i)
    keys.push_back({dice.word(), dice.word()});
  for (std::size_t i = 0; i < keys.size(); i += 2)
    lost.insert(keys[i]);
  for (std::size_t i = 0; i < keys.size(); ++i)
    ASSERT_EQ(lost.contains(keys[i]), i % 2 == 0);
  lost.clear();
  for (const auto& key : keys)
    ASSERT_FALSE(lost.contains(key));
}

}  // namespace
}  // namespace chainshot::host
