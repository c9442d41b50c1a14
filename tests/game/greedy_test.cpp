#include "game/greedy.hpp"

#include <gtest/gtest.h>

#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::game {
namespace {

using tests::Dice;

TEST(Greedy, PlaysSmallGroupsFirstAndKeepsAColorForLast) {
  // By size: the two 2s, the three 1s, and the 0s, which are kept, though they are fewer than three.
  const Position board = tests::board_of({"22...", "11100"});
  std::vector<Cell> moves;
  // (2-2)^2 + (3-2)^2 + (2-2)^2 and the bonus.
  EXPECT_EQ(play_greedily(board, kStandardScoring, 0, 0, &moves), 0 + 1 + 0 + 1000);
  EXPECT_EQ(moves, (std::vector<Cell>{{0, 1}, {0, 0}, {0, 0}}));
  // Without a colour to keep: of two groups of two the one that lies higher goes first.
  moves.clear();
  EXPECT_EQ(play_greedily(board, kStandardScoring, -1, 10, &moves), 10 + 0 + 0 + 1 + 1000);
  EXPECT_EQ(moves, (std::vector<Cell>{{0, 1}, {3, 0}, {0, 0}}));
}

TEST(Greedy, ScoresWhatTheReferenceRulesScore) {
  Dice dice(74);
  for (int i = 0; i < tests::scaled(100); ++i) {
    const Position board = tests::random_board(dice, tests::random_shape(dice, 16, 16));
    for (const Scoring& scoring : tests::scoring_cases()) {
      std::vector<Cell> moves;
      const int score = play_greedily(board, scoring, board.most_frequent_color(), 0, &moves);
      const ReplayResult replayed = replay(board, moves, scoring);
      EXPECT_EQ(replayed.error, "");
      EXPECT_EQ(replayed.score, score);
      Position end = board;
      for (const Cell cell : moves)
        end.apply(cell);
      EXPECT_FALSE(end.has_moves());
    }
  }
}

}  // namespace
}  // namespace chainshot::game
