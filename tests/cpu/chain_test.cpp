// Annealing chains take many short cuts. These tests replay every line of a chain without them.
#include "cpu/chain/chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::cpu {
namespace {

using game::Position;
using tests::Dice;

constexpr const game::Scoring& kScoring = game::kStandardScoring;

std::vector<Block> line_of(const Chain& chain) {
  std::vector<Block> line(kMaxLine);
  line.resize(static_cast<std::size_t>(chain.line(line)));
  return line;
}

// Plays a line of blocks by the reference rules and returns the cells of its moves, up to the first illegal one. A
// block is named by its column and row at the start, so each column keeps the original rows of the blocks it still
// holds.
std::vector<game::Cell> cells_of_line(const Position& start, const std::vector<Block>& line) {
  std::vector<std::vector<int>> columns;
  std::vector<int> origins;  // original index of each column that is not empty
  for (int c = 0; c < start.columns(); ++c) {
    std::vector<int> rows;
    for (int r = 0; r < start.rows(); ++r)
      if (start.color_at(c, r) != game::kEmpty) rows.push_back(r);
    columns.push_back(rows);
    if (!rows.empty()) origins.push_back(c);
  }
  game::ReferenceBoard board(start);
  std::vector<game::Cell> cells;
  for (const Block block : line) {
    const auto column = std::find(origins.begin(), origins.end(), block.column);
    if (column == origins.end()) return cells;
    const std::vector<int>& rows = columns[block.column];
    const auto row = std::find(rows.begin(), rows.end(), block.row);
    if (row == rows.end()) return cells;
    const game::Cell cell{static_cast<std::uint8_t>(column - origins.begin()),
                          static_cast<std::uint8_t>(row - rows.begin())};
    std::vector<game::Cell> group = board.component(cell);
    if (group.size() < 2) return cells;
    cells.push_back(cell);
    std::sort(group.begin(), group.end(), [](game::Cell a, game::Cell b) { return a.row > b.row; });
    for (const game::Cell gone : group) {
      std::vector<int>& names = columns[static_cast<std::size_t>(origins[gone.column])];
      names.erase(names.begin() + gone.row);
    }
    board.apply(cell);
    std::erase_if(origins, [&](int c) { return columns[static_cast<std::size_t>(c)].empty(); });
  }
  return cells;
}

void expect_true_line(const Position& board, const Chain& chain, const game::Scoring& scoring) {
  const std::vector<Block> line = line_of(chain);
  const std::vector<game::Cell> cells = cells_of_line(board, line);
  ASSERT_EQ(cells.size(), line.size()) << "the line has an illegal move on\n" << tests::drawing(board);
  const game::ReplayResult replayed = game::replay(board, cells, scoring);
  ASSERT_EQ(replayed.error, "");
  ASSERT_TRUE(replayed.over);
  ASSERT_EQ(replayed.score, chain.score()) << tests::drawing(board);
}

void expect_true_best(const Position& board, const Chain& chain, const game::Scoring& scoring) {
  const auto moves = chain.best_moves();
  const game::ReplayResult replayed = game::replay(board, {moves.begin(), moves.end()}, scoring);
  ASSERT_EQ(replayed.error, "");
  ASSERT_EQ(replayed.score, chain.best_score());
}

Position some_board(Dice& dice, bool wide) {
  return tests::random_board(dice, wide ? tests::random_shape(dice) : tests::random_small_shape(dice));
}

TEST(Chain, EveryLineReplaysByTheReferenceRulesToItsScore) {
  Dice dice(1);
  for (int i = 0; i < tests::scaled(64); ++i) {
    const Position board = some_board(dice, i % 4 == 0);
    const game::Scoring& scoring = game::kScorings[static_cast<std::size_t>(i) % game::kScorings.size()];
    const Heat heat(60, 10, scoring);
    for (const Isa isa : available_isas()) {
      const auto chain = make_chain(board, scoring, isa);
      chain->restart({}, dice.between(-1, 4), dice.word());
      for (int n = 0; n < 40; ++n) {
        ASSERT_NO_FATAL_FAILURE(expect_true_line(board, *chain, scoring));
        chain->advance(heat, n < 20 ? 1 : 25);
      }
      ASSERT_NO_FATAL_FAILURE(expect_true_best(board, *chain, scoring));
    }
  }
}

TEST(Chain, WalksTheSameWayOnEveryInstructionSet) {
  Dice dice(2);
  for (int i = 0; i < tests::scaled(12); ++i) {
    const Position board = i % 2 == 0 ? tests::full_board(dice, {15, 15, 5}) : some_board(dice, false);
    const std::uint64_t seed = dice.word();
    std::vector<std::vector<Block>> lines;
    for (const Isa isa : available_isas()) {
      const auto chain = make_chain(board, kScoring, isa);
      chain->restart({}, 1, seed);
      chain->advance(Heat(30, 5, kScoring), 3000);
      lines.push_back(line_of(*chain));
    }
    for (const auto& line : lines)
      EXPECT_EQ(line, lines.front()) << tests::drawing(board);
  }
}

TEST(Chain, UsesItsShortCuts) {
  Dice dice(3);
  const Position board = tests::full_board(dice, {15, 15, 5});
  const auto chain = make_chain(board, kScoring);
  chain->advance(Heat(25, 5, kScoring), 20000);
  const ChainCounts counts = chain->counts();
  EXPECT_EQ(counts.evaluations, 20000u);
  EXPECT_GT(counts.accepted, 0u);
  EXPECT_GT(counts.repeated, 0u);
  EXPECT_GT(counts.met, 0u);
  EXPECT_GT(counts.cut, 0u);
}

TEST(Chain, AcceptsNothingWorseAtTemperatureZero) {
  Dice dice(4);
  const Position board = tests::full_board(dice, {12, 12, 4});
  const auto chain = make_chain(board, kScoring);
  const Heat frozen(0, 5, kScoring);
  int fitness = chain->fitness(frozen);
  const int first = fitness;
  for (int i = 0; i < 300; ++i) {
    chain->advance(frozen, 10);
    EXPECT_GE(chain->fitness(frozen), fitness);
    fitness = chain->fitness(frozen);
  }
  EXPECT_GT(fitness, first);
}

TEST(Chain, DrawsItsTabuColorLast) {
  Dice dice(5);
  for (int i = 0; i < 20; ++i) {
    const Position start = tests::full_board(dice, {15, 15, 4});
    const int tabu = dice.below(4);
    const auto chain = make_chain(start, kScoring);
    chain->restart({}, tabu, dice.word());
    Position board = start;
    for (const game::Cell cell : cells_of_line(start, line_of(*chain))) {
      if (board.color_at(cell.column, cell.row) == tabu) {
        for (const game::Group& group : board.groups())
          EXPECT_EQ(group.color, tabu);
      }
      board.apply(cell);
    }
  }
}

TEST(Chain, StartsFromALineAndSkipsItsIllegalMoves) {
  // The columns are 00 and 11. Block (0,0) removes the whole first column, so block (0,1) is gone when its turn comes.
  const Position board = tests::board_of({"01", "01"});
  const auto chain = make_chain(board, kScoring);
  chain->restart(std::vector<Block>{{0, 0}, {0, 1}, {1, 1}}, -1, 1);
  EXPECT_EQ(line_of(*chain), (std::vector<Block>{{0, 0}, {1, 1}}));
  EXPECT_EQ(chain->score(), 1000);  // two groups of two, and a cleared board
}

TEST(Chain, StaysEmptyOnABoardWithoutMoves) {
  for (const Position& board : {Position(15, 15), tests::board_of({"01", "10"})}) {
    const auto chain = make_chain(board, kScoring);
    chain->advance(Heat(40, 10, kScoring), 100);
    EXPECT_EQ(line_of(*chain).size(), 0u);
    EXPECT_EQ(chain->score(), board.final_points(kScoring));
  }
}

TEST(Chain, NamesTheBlocksOfALineOfCells) {
  Dice dice(6);
  for (int i = 0; i < 50; ++i) {
    const Position board = some_board(dice, i % 2 == 0);
    const auto chain = make_chain(board, kScoring);
    chain->restart({}, 0, dice.word());
    const std::vector<Block> line = line_of(*chain);
    EXPECT_EQ(blocks_of(board, cells_of_line(board, line)), line);
  }
}

TEST(Chain, RefusesToNameAnIllegalMove) {
  const Position board = tests::board_of({"01", "00"});
  EXPECT_THROW(blocks_of(board, std::vector<game::Cell>{{1, 1}}), std::invalid_argument);          // stands alone
  EXPECT_THROW(blocks_of(board, std::vector<game::Cell>{{0, 2}}), std::invalid_argument);          // above the column
  EXPECT_THROW(blocks_of(board, std::vector<game::Cell>{{2, 0}}), std::invalid_argument);          // no such column
  EXPECT_THROW(blocks_of(board, std::vector<game::Cell>{{0, 0}, {0, 0}}), std::invalid_argument);  // only the 1 is left
}

TEST(Heat, AllowsALossOfTheTemperatureOnAverage) {
  // The mean of -T ln u over u in (0, 1) is T. Each loss is rounded down, which lowers the mean by half a point.
  for (const double temperature : {12.0, 40.0}) {
    const Heat heat(temperature, 5, kScoring);
    const double mean = std::accumulate(heat.loss.begin(), heat.loss.end(), 0.0) / Heat::kDraws;
    EXPECT_NEAR(mean, temperature - 0.5, 0.1);
  }
}

TEST(Heat, SpreadsTheBonusOverTheBlocksLeft) {
  const Heat heat(20, 4, kScoring);  // the bonus is 1000 (1 - left / 4)
  EXPECT_EQ(heat.bonus[0], 1000);
  EXPECT_EQ(heat.bonus[1], 750);
  EXPECT_EQ(heat.bonus[3], 250);
  EXPECT_EQ(heat.bonus[4], 0);
  EXPECT_EQ(heat.bonus[40], 0);
}

}  // namespace
}  // namespace chainshot::cpu
