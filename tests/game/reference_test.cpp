// Tests the reference against hand-made drawings: every other implementation is compared with the reference.
#include "game/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random_boards.hpp"

namespace chainshot::game {
namespace {

using tests::board_of;

TEST(ReferenceBoard, FindsGroupsByTheirEdgesNotTheirCorners) {
  const ReferenceBoard board(board_of({"0110", "0011", "1001"}));
  // The zeros on the left and in the middle touch in row 1; those at the top right and the bottom left do not.
  EXPECT_EQ(board.component({0, 2}).size(), 5u);
  EXPECT_EQ(board.component({3, 2}).size(), 1u);
  EXPECT_EQ(board.component({0, 0}).size(), 1u);
  EXPECT_EQ(board.component({1, 2}).size(), 5u);
  EXPECT_EQ(board.groups().size(), 2u);
}

TEST(ReferenceBoard, RemovesTheGroupDropsBlocksAndClosesColumns) {
  ReferenceBoard board(board_of({"2131", "2110", "0113"}));
  EXPECT_EQ(board.apply({1, 0}), 5);
  EXPECT_EQ(board.to_position(), board_of({"2.1.", "2.0.", "033."}));
  EXPECT_EQ(board.apply({0, 2}), 2);
  EXPECT_EQ(board.apply({0, 0}), 0);
  EXPECT_EQ(board.to_position(), board_of({"..1.", "..0.", "033."}));
}

TEST(ReferenceBoard, ClosesSeveralColumnsAtOnce) {
  ReferenceBoard board(board_of({"2..3", "0000"}));
  EXPECT_EQ(board.apply({3, 0}), 4);
  EXPECT_EQ(board.to_position(), board_of({"....", "23.."}));
}

TEST(Replay, ScoresGroupsAndTheClearedBoard) {
  // The five ones earn 9 points, the three zeros 1 point and the cleared board 1000.
  const Position position = board_of({"0111", "0011"});
  const ReplayResult result = replay(position, {{3, 0}, {0, 0}}, kStandardScoring);
  EXPECT_EQ(result.score, 9 + 1 + 1000);
  EXPECT_EQ(result.moves, 2);
  EXPECT_EQ(result.left, 0);
  EXPECT_TRUE(result.cleared);
  EXPECT_TRUE(result.over);
  EXPECT_EQ(result.error, "");
}

TEST(Replay, ScoresAStoppedGameAsIfItEndedThere) {
  const ReplayResult result = replay(board_of({"0111", "0011"}), {{3, 0}}, kStandardScoring, 50);
  EXPECT_EQ(result.score, 50 + 9 - 1);  // three zeros are left and cost (3-2)^2
  EXPECT_EQ(result.left, 3);
  EXPECT_FALSE(result.cleared);
  EXPECT_FALSE(result.over);
  EXPECT_EQ(result.error, "");
}

TEST(Replay, NamesTheFirstIllegalMoveAndWhy) {
  const Position position = board_of({"01..", "0122", "3411"});
  const auto error = [&](Cell bad) { return replay(position, {{0, 1}, bad, {1, 1}}, kStandardScoring).error; };
  EXPECT_EQ(error({4, 0}), "move 2 at column 4, row 0 is illegal: it lies outside the board of 4 columns and 3 rows");
  EXPECT_EQ(error({0, 3}), "move 2 at column 0, row 3 is illegal: it lies outside the board of 4 columns and 3 rows");
  EXPECT_EQ(error({0, 1}), "move 2 at column 0, row 1 is illegal: the cell is empty");
  EXPECT_EQ(error({1, 0}), "move 2 at column 1, row 0 is illegal: the block has no equal neighbour");
}

TEST(Replay, StopsAtTheIllegalMove) {
  const ReplayResult result = replay(board_of({"00", "12"}), {{0, 1}, {0, 0}, {1, 0}}, kStandardScoring);
  EXPECT_EQ(result.moves, 1);
  EXPECT_EQ(result.left, 2);
  EXPECT_EQ(result.score, 0);  // the pair earns 0; single blocks cost points only when a game ends
  EXPECT_TRUE(result.over);
  EXPECT_FALSE(result.error.empty());
}

TEST(Replay, OfNoMovesClearsAnEmptyBoard) {
  const ReplayResult result = replay(Position(3, 3), {}, kStandardScoring);
  EXPECT_TRUE(result.cleared);
  EXPECT_TRUE(result.over);
  EXPECT_EQ(result.score, 1000);
}

TEST(ReferencePlay, PlaysForcedGamesToTheirOnlyEnd) {
  // 0110 is two forced pairs and clears. 0100 is one pair and leaves a single 0 and a single 1, which cost 1 each.
  for (const NamedPolicy& named : kPolicies) {
    if (named.policy.kind == PolicyKind::kLargestFirst) continue;  // the reference does not play it
    const PlayoutRules rules(named.policy, kStandardScoring, 4);
    const Playout cleared = reference_play(board_of({"0110"}), rules, {1, 2, 3}, 5);
    EXPECT_EQ(cleared.score, 1005) << named.name;
    EXPECT_EQ(cleared.length, 2) << named.name;
    const Playout stuck = reference_play(board_of({"0100"}), rules, {1, 2, 3}, 0);
    EXPECT_EQ(stuck.score, -2) << named.name;
    EXPECT_EQ(stuck.length, 1) << named.name;
  }
}

}  // namespace
}  // namespace chainshot::game
