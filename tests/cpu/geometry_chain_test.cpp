// Chains take many short cuts. Here they walk next to the reference, which takes none.
#include "cpu/chain/chain.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "game/reference.hpp"
#include "game/reference_chain.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::cpu {
namespace {

using game::AcceptanceTable;
using game::BlockId;
using game::Position;
using tests::Dice;

constexpr const game::Scoring& kScoring = game::kStandardScoring;

std::vector<BlockId> line_of(const Chain& chain) {
  std::vector<BlockId> line(game::kMaxLine);
  line.resize(static_cast<std::size_t>(chain.line(line)));
  return line;
}

Position some_board(Dice& dice, bool wide) {
  return tests::random_board(dice, wide ? tests::random_shape(dice) : tests::random_small_shape(dice));
}

std::uint32_t some_seed(Dice& dice) {
  return static_cast<std::uint32_t>(dice.word());
}

// A temperature as chains see it at the start, in the middle and at the end of annealing, and some that are far out.
AcceptanceTable some_table(Dice& dice, const game::Scoring& scoring) {
  constexpr std::array<double, 7> kTemperatures = {0, 0.5, 5, 12, 22, 60, 100'000};
  return AcceptanceTable(kTemperatures[static_cast<std::size_t>(dice.below(7))], dice.between(1, 80), scoring);
}

// The chain of one instruction set next to the reference.
struct Pair {
  Pair(const Position& board, const game::Scoring& scoring, Isa isa)
      : board(board), fast(make_chain(board, scoring, isa)), slow(board, scoring) {}

  void start(const std::vector<BlockId>& line, int tabu_color, std::uint32_t seed) {
    fast->restart(line, tabu_color, seed);
    slow.start(line, tabu_color, seed);
  }
  void advance(const AcceptanceTable& table, std::uint64_t evaluations) {
    fast->advance(table, evaluations);
    slow.advance(table, evaluations);
  }
  void expect_same(const AcceptanceTable& table) const {
    ASSERT_EQ(line_of(*fast), slow.line()) << "before evaluation " << slow.next_evaluation() << " on\n"
                                           << tests::drawing(board);
    ASSERT_EQ(fast->score(), slow.score());
    ASSERT_EQ(fast->fitness(table), slow.fitness(table));
    ASSERT_EQ(fast->tabu_color(), slow.tabu_color());
    ASSERT_EQ(fast->best_score(), slow.best_score());
    ASSERT_EQ(std::vector(fast->best_moves().begin(), fast->best_moves().end()), slow.best_moves());
  }

  Position board;
  std::unique_ptr<Chain> fast;
  game::ReferenceChain slow;
};

TEST(Chain, WalksAsTheReferenceDoesEvaluationByEvaluation) {
  Dice dice(1);
  for (int i = 0; i < tests::scaled(60); ++i) {
    const Position board = some_board(dice, i % 6 == 0);
    const game::Scoring& scoring = tests::scoring_case(i);
    for (const Isa isa : available_isas()) {
      Pair pair(board, scoring, isa);
      AcceptanceTable table = some_table(dice, scoring);
      pair.start({}, dice.between(-1, 6), some_seed(dice));
      for (int n = 0; n < 100; ++n) {
        ASSERT_NO_FATAL_FAILURE(pair.expect_same(table)) << name_of(isa);
        if (dice.one_in(10)) table = some_table(dice, scoring);
        pair.advance(table, 1);
      }
    }
  }
}

TEST(Chain, WalksAsTheReferenceDoesForLong) {
  Dice dice(2);
  for (int i = 0; i < tests::scaled(8); ++i) {
    const Position board = tests::full_board(dice, i % 4 == 3 ? tests::Shape{18, 12, 8} : tests::Shape{15, 15, 5});
    const std::uint32_t seed = some_seed(dice);
    const int tabu = dice.between(-1, 4);
    game::ReferenceChain slow(board, kScoring);
    slow.start({}, tabu, seed);
    for (const double temperature : {60.0, 22.0, 12.0})
      slow.advance(AcceptanceTable(temperature, 5, kScoring), 700);
    for (const Isa isa : available_isas()) {
      const auto fast = make_chain(board, kScoring, isa);
      fast->restart({}, tabu, seed);
      for (const double temperature : {60.0, 22.0, 12.0})
        fast->advance(AcceptanceTable(temperature, 5, kScoring), 700);
      EXPECT_EQ(line_of(*fast), slow.line()) << name_of(isa) << " on\n" << tests::drawing(board);
      EXPECT_EQ(fast->best_score(), slow.best_score());
    }
  }
}

TEST(Chain, AdvancesAsFarInManyCallsAsInOne) {
  Dice dice(7);
  for (const tests::Shape shape : {tests::Shape{15, 15, 5}, {20, 17, 6}}) {
    const Position board = tests::full_board(dice, shape);
    const AcceptanceTable table(25, 5, kScoring);
    for (const Isa isa : available_isas()) {
      const auto once = make_chain(board, kScoring, isa), often = make_chain(board, kScoring, isa);
      for (const auto& chain : {once.get(), often.get()})
        chain->restart({}, 1, 99);
      once->advance(table, 1608);
      for (int round = 0; round < 2; ++round) {
        for (const int evaluations : {1, 7, 0, 100, 3})
          often->advance(table, static_cast<std::uint64_t>(evaluations));
        often->advance(table, 693);
      }
      EXPECT_EQ(line_of(*often), line_of(*once));
      EXPECT_EQ(often->best_score(), once->best_score());
      EXPECT_EQ(often->counts().evaluations, once->counts().evaluations);
      EXPECT_EQ(often->counts().accepted, once->counts().accepted);
    }
  }
}

TEST(Chain, GoesOnFromALineItTookOverAsTheReferenceDoes) {
  Dice dice(8);
  for (int i = 0; i < tests::scaled(10); ++i) {
    const Position board = some_board(dice, i % 5 == 0);
    const AcceptanceTable table = some_table(dice, kScoring);
    for (const Isa isa : available_isas()) {
      Pair from(board, kScoring, isa), to(board, kScoring, isa);
      from.start({}, 0, some_seed(dice));
      to.start({}, -1, some_seed(dice));
      from.advance(table, 60);
      to.advance(table, 30);
      to.fast->take_line(line_of(*from.fast), from.fast->tabu_color());
      to.slow.take_line(from.slow);
      for (int n = 0; n < 20; ++n) {
        ASSERT_NO_FATAL_FAILURE(to.expect_same(table)) << name_of(isa);
        to.advance(table, 3);
      }
      to.start(from.slow.line(), 2, some_seed(dice));  // the best line is kept over starts
      to.advance(table, 30);
      ASSERT_NO_FATAL_FAILURE(to.expect_same(table)) << name_of(isa);
    }
  }
}

TEST(Chain, UsesItsShortCuts) {
  Dice dice(3);
  const Position board = tests::full_board(dice, {15, 15, 5});
  const auto chain = make_chain(board, kScoring);
  chain->restart({}, -1, 1);
  chain->advance(AcceptanceTable(25, 5, kScoring), 20000);
  const game::ChainCounts counts = chain->counts();
  EXPECT_EQ(counts.evaluations, 20000u);
  EXPECT_GT(counts.accepted, 0u);
  EXPECT_GT(counts.repeated, 0u);
  EXPECT_GT(counts.met, 0u);
  EXPECT_GT(counts.cut, 0u);
}

TEST(Chain, TakesNothingWorseAtTemperatureZero) {
  Dice dice(4);
  const Position board = tests::full_board(dice, {12, 12, 4});
  const auto chain = make_chain(board, kScoring);
  chain->restart({}, -1, 1);
  const AcceptanceTable frozen(0, 5, kScoring);
  int fitness = chain->fitness(frozen);
  const int first = fitness;
  for (int i = 0; i < 300; ++i) {
    chain->advance(frozen, 10);
    EXPECT_GE(chain->fitness(frozen), fitness);
    fitness = chain->fitness(frozen);
  }
  EXPECT_GT(fitness, first);
}

TEST(Chain, StartsFromALineAndLeavesOutWhatCannotBePlayed) {
  // Columns 00 and 11: block (0,0) takes the whole of the first column; its other block is gone by then.
  const Position board = tests::board_of({"01", "01"});
  const auto chain = make_chain(board, kScoring);
  chain->restart(std::vector<BlockId>{{0, 0}, {0, 1}, {1, 1}}, -1, 1);
  EXPECT_EQ(line_of(*chain), (std::vector<BlockId>{{0, 0}, {1, 1}}));
  EXPECT_EQ(chain->score(), 1000);  // two groups of two, and a cleared board
}

TEST(Chain, FindsNothingToDoOnABoardWithoutMoves) {
  for (const Position& board : {Position(15, 15), tests::board_of({"01", "10"})}) {
    const auto chain = make_chain(board, kScoring);
    chain->restart({}, -1, 1);
    chain->advance(AcceptanceTable(40, 10, kScoring), 100);
    EXPECT_EQ(line_of(*chain).size(), 0u);
    EXPECT_EQ(chain->score(), board.final_points(kScoring));
  }
}

TEST(Chain, NamesTheBlocksOfALineOfCells) {
  Dice dice(6);
  for (int i = 0; i < 50; ++i) {
    const Position board = some_board(dice, i % 2 == 0);
    const auto chain = make_chain(board, kScoring);
    chain->restart({}, 0, some_seed(dice));
    const auto moves = chain->best_moves();
    EXPECT_EQ(game::blocks_of(board, moves), line_of(*chain));
    const game::ReplayResult replayed = game::replay(board, {moves.begin(), moves.end()}, kScoring);
    EXPECT_EQ(replayed.error, "");
    EXPECT_EQ(replayed.score, chain->score());
  }
}

}  // namespace
}  // namespace chainshot::cpu
