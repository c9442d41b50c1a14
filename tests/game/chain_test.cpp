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

}  // namespace
}  // namespace chainshot::game
