#include "host/analysis/chessboards.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stop_token>
#include <string>

#include "game/generate.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

const NamedChessClaim& claim_of(ChessClaim claim) {
  return kChessClaims[static_cast<std::size_t>(claim)];
}

ChessTask task_of(ChessClaim claim, int columns, int rows) {
  return {.claim = claim_of(claim), .columns = columns, .rows = rows, .most_boards = 200, .nodes = 100'000};
}

// Cells of a chessboard that have the wrong colour, as rows and columns of the paper: from 1, from the top left.
std::vector<std::pair<int, int>> mistakes(const game::Position& board) {
  std::vector<std::pair<int, int>> found;
  for (int i = 1; i <= board.rows(); ++i)
    for (int j = 1; j <= board.columns(); ++j)
      if (board.color_at(j - 1, board.rows() - i) != (j - 1 + board.rows() - i) % 2) found.emplace_back(i, j);
  return found;
}

TEST(Chessboards, Theorem1InvertsTheBottomRightCell) {
  const game::Position board = board_of_claim(ChessClaim::kCorner, 5, 4, 0);
  EXPECT_EQ(mistakes(board), (std::vector<std::pair<int, int>>{{4, 5}}));
  EXPECT_EQ(
      board,
      game::generate_board(
          {.kind = game::BoardKind::kChessboard, .columns = 5, .rows = 4, .colors = 2, .inverted = {{4, 0}}}, 1, 0));
}

// Rows 1 to floor(h / 2) are the upper half of theorem 2; all others are the lower half, the middle row included.
TEST(Chessboards, HalvesTogetherInvertEveryCellOnce) {
  for (const int rows : {5, 6, 7}) {
    std::set<std::pair<int, int>> cells;
    for (const ChessClaim claim : {ChessClaim::kUpperHalf, ChessClaim::kLowerHalf}) {
      const std::uint64_t boards = boards_of_claim(claim_of(claim), 6, rows).value();
      for (std::uint64_t i = 0; i < boards; ++i) {
        const auto wrong = mistakes(board_of_claim(claim, 6, rows, i));
        ASSERT_EQ(wrong.size(), 1u);
        EXPECT_EQ(wrong[0].first <= rows / 2, claim == ChessClaim::kUpperHalf);
        cells.insert(wrong[0]);
      }
    }
    EXPECT_EQ(cells.size(), static_cast<std::size_t>(6 * rows));
  }
}

// Two rows above: none, one or two blocks of two colours, 1 + 2 + 4 = 7 ways per column.
TEST(Chessboards, Theorem3HasEveryUpperPart) {
  for (const int rows : {5, 6}) {
    std::set<std::string> boards;
    const std::uint64_t all = boards_of_claim(claim_of(ChessClaim::kHalfChess), 5, rows).value();
    EXPECT_EQ(all, 16807u);
    for (std::uint64_t i = 0; i < all; i += tests::kSanitized ? 97 : 7) {
      const game::Position board = board_of_claim(ChessClaim::kHalfChess, 5, rows, i);
      for (const auto& [row, column] : mistakes(board))
        ASSERT_LT(row, (rows + 1) / 2) << tests::drawing(board);  // ceil(h / 2)
      ASSERT_TRUE(board.is_settled());
      ASSERT_TRUE(boards.insert(tests::drawing(board)).second);
    }
  }
  EXPECT_EQ(boards_of_claim(claim_of(ChessClaim::kHalfChess), 31, 32), std::nullopt);
  EXPECT_EQ(boards_of_claim(claim_of(ChessClaim::kHalfChess), 4, 9), 0u);
  EXPECT_EQ(boards_of_claim(claim_of(ChessClaim::kCorner), 4, 3), 0u);
}

TEST(Chessboards, TheClaimsHoldForSmallBoards) {
  for (const NamedChessClaim& claim : kChessClaims) {
    for (int rows = claim.smallest; rows <= 7; ++rows) {
      for (int columns = claim.smallest; columns <= 7; ++columns) {
        const ChessResult found = check_claim(task_of(claim.claim, columns, rows));
        EXPECT_TRUE(found.complete);
        EXPECT_GT(found.boards, 0u);
        EXPECT_EQ(found.as_claimed, found.boards) << claim.name << ' ' << columns << 'x' << rows;
        EXPECT_EQ(found.every, claim.claim != ChessClaim::kHalfChess);
      }
    }
  }
  ChessTask task = task_of(ChessClaim::kHalfChess, 5, 5);
  task.most_boards = tests::kSanitized ? 2000 : 16807;
  EXPECT_EQ(check_claim(task).as_claimed, task.most_boards);
}

// Were the claim the opposite, every board would refute it.
TEST(Chessboards, AFalseClaimIsRefutedByItsFirstBoard) {
  for (const ChessClaim claim : {ChessClaim::kCorner, ChessClaim::kLowerHalf, ChessClaim::kUpperHalf}) {
    ChessTask task = task_of(claim, 6, 5);
    task.claim.solvable = !task.claim.solvable;
    task.threads = 3;
    const ChessResult found = check_claim(task);
    EXPECT_EQ(found.contrary, found.boards);
    EXPECT_EQ(found.as_claimed, 0u);
    ASSERT_TRUE(found.counterexample.has_value());
    EXPECT_EQ(*found.counterexample, board_of_claim(claim, 6, 5, 0));
  }
}

TEST(Chessboards, ALimitLeavesBoardsUndecided) {
  ChessTask task = task_of(ChessClaim::kUpperHalf, 8, 8);
  task.nodes = 2;
  const ChessResult found = check_claim(task);
  EXPECT_TRUE(found.complete);
  EXPECT_GT(found.undecided, 0u);
  EXPECT_EQ(found.as_claimed + found.undecided, found.boards);
  EXPECT_EQ(found.contrary, 0u);
}

TEST(Chessboards, RandomBoardsDependOnTheSeedAlone) {
  ChessTask task = task_of(ChessClaim::kHalfChess, 7, 7);
  const std::uint64_t nodes = check_claim(task).nodes;
  task.threads = 3;
  EXPECT_EQ(check_claim(task).nodes, nodes);
  task.seed = 2;
  EXPECT_NE(check_claim(task).nodes, nodes);
}

TEST(Chessboards, AStopEndsTheWork) {
  std::stop_source stop;
  stop.request_stop();
  ChessTask task = task_of(ChessClaim::kHalfChess, 15, 15);
  task.stop = stop.get_token();
  EXPECT_FALSE(check_claim(task).complete);
}

}  // namespace
}  // namespace chainshot::host
