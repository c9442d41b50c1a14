#include "game/chain.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

#include "tests/support/random_boards.hpp"

namespace chainshot::game {
namespace {

constexpr const Scoring& kScoring = kStandardScoring;

TEST(BlocksOf, NamesBlocksByWhereTheyStoodAtTheStart) {
  // The three ones go first; then the zeros stand in the lowest rows of their column, but keep their names.
  EXPECT_EQ(blocks_of(tests::board_of({"20", "10", "11"}), std::vector<Cell>{{0, 0}, {1, 1}}),
            (std::vector<BlockId>{{0, 0}, {1, 2}}));
  // Columns close to the left: each move plays the first column there is.
  EXPECT_EQ(blocks_of(tests::board_of({"012", "012"}), std::vector<Cell>{{0, 0}, {0, 1}, {0, 0}}),
            (std::vector<BlockId>{{0, 0}, {1, 1}, {2, 0}}));
}

TEST(CellsOf, FindsBlocksWhereTheyAreWhenTheirTurnComes) {
  // The line of blocks that the test above has as cells.
  EXPECT_EQ(cells_of(tests::board_of({"20", "10", "11"}), std::vector<BlockId>{{0, 0}, {1, 2}}),
            (std::vector<Cell>{{0, 0}, {1, 1}}));
  EXPECT_EQ(cells_of(tests::board_of({"012", "012"}), std::vector<BlockId>{{0, 0}, {1, 1}, {2, 0}}),
            (std::vector<Cell>{{0, 0}, {0, 1}, {0, 0}}));
}

TEST(CellsOf, RefusesABlockThatCannotBePlayed) {
  const Position board = tests::board_of({"01", "00"});
  EXPECT_THROW(cells_of(board, std::vector<BlockId>{{1, 1}}), std::invalid_argument);          // stands alone
  EXPECT_THROW(cells_of(board, std::vector<BlockId>{{0, 0}, {0, 0}}), std::invalid_argument);  // is gone
}

TEST(BlocksOf, RefusesAnIllegalMove) {
  const Position board = tests::board_of({"01", "00"});
  EXPECT_THROW(blocks_of(board, std::vector<Cell>{{1, 1}}), std::invalid_argument);          // stands alone
  EXPECT_THROW(blocks_of(board, std::vector<Cell>{{0, 2}}), std::invalid_argument);          // above the column
  EXPECT_THROW(blocks_of(board, std::vector<Cell>{{2, 0}}), std::invalid_argument);          // no such column
  EXPECT_THROW(blocks_of(board, std::vector<Cell>{{0, 0}, {0, 0}}), std::invalid_argument);  // only a 1 is left
}

TEST(AcceptanceTable, LosesItsTemperatureOnAverage) {
  // The mean of -T ln u over u in (0, 1) is T; each loss is rounded down, which takes off half a point.
  for (const double temperature : {12.0, 40.0}) {
    const AcceptanceTable table(temperature, 5, kScoring);
    const double mean = std::accumulate(table.loss.begin(), table.loss.end(), 0.0) / AcceptanceTable::kDraws;
    EXPECT_NEAR(mean, temperature - 0.5, 0.1);
  }
}

TEST(AcceptanceTable, SpreadsTheBonusOverTheBlocksLeft) {
  const AcceptanceTable table(20, 4, kScoring);  // 1000 (1 - left / 4)
  EXPECT_EQ(table.bonus[0], 1000);
  EXPECT_EQ(table.bonus[1], 750);
  EXPECT_EQ(table.bonus[3], 250);
  EXPECT_EQ(table.bonus[4], 0);
  EXPECT_EQ(table.bonus[40], 0);
}

TEST(ResampleTable, WeighsByTheDifferenceOfInverseTemperatures) {
  const ResampleTable table(2, 1);  // exp(-behind / 2) of 2^24
  EXPECT_EQ(table.weight(0), 16777216u);
  EXPECT_EQ(table.weight(2), 6171993u);  // 2^24 / e
  EXPECT_EQ(table.weight(20), 762u);     // 2^24 / e^10 is 761.69
  EXPECT_EQ(table.weight(100'000'000), 0u);
  const ResampleTable same(7, 7);
  EXPECT_EQ(same.weight(0), same.weight(5000));
  // Between 20 and 19 the weights reach from 2^24 to 1/2 over 25 ln 2 * 380 = 6,585 points: two points share a weight.
  const ResampleTable coarse(20, 19);
  EXPECT_EQ(coarse.weight(0), coarse.weight(1));
  EXPECT_NEAR(coarse.weight(380), 6171993.0, 1);
}

TEST(ResampledSlots, CopiesLinesByTheirWeights) {
  const ResampleTable even(7, 7), steep(2, 1);
  const std::uint64_t half = std::uint64_t{1} << 63;
  // Four lines of one weight w: u is 0, so the sums (i + 1) 2 w / 4 w reach 1 at slot 1 and 2 at slot 3.
  EXPECT_EQ(resampled_slots(std::vector<int>{9, 8, 7, 6}, even, 2, 0), (std::vector<int>{3, 1}));
  // u is 2 w, so they reach 1 at slot 0 and 2 at slot 2.
  EXPECT_EQ(resampled_slots(std::vector<int>{9, 8, 7, 6}, even, 2, half), (std::vector<int>{0, 2}));
  // Only the line of slot 2 weighs anything. Its first copy stays.
  EXPECT_EQ(resampled_slots(std::vector<int>{0, 0, 1000, 0}, steep, 4, half), (std::vector<int>{2, 2, 2, 2}));
  // Lines stay in their slots where all are copied once.
  EXPECT_EQ(resampled_slots(std::vector<int>{1, 2, 3}, even, 3, 0), (std::vector<int>{0, 1, 2}));
  // Weights 2^24 and 2^24 / e, 2.92 and 1.08 of 4 copies: with u = 0 they reach 2 and 4, with u = S / 2 3 and 4.
  EXPECT_EQ(resampled_slots(std::vector<int>{12, 10, -9999, -9999}, steep, 4, 0), (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(resampled_slots(std::vector<int>{12, 10, -9999, -9999}, steep, 4, half), (std::vector<int>{0, 1, 0, 0}));
}

}  // namespace
}  // namespace chainshot::game
