// The specification of chains, where it can be checked by hand.
#include "game/reference_chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"

namespace chainshot::game {
namespace {

using tests::Dice;

constexpr const Scoring& kScoring = kStandardScoring;

TEST(ChainDraws, ArePhiloxOfRandom123) {
  // From the known answers in Random123's kat_vectors (philox2x32 10).
  using Pair = std::array<std::uint32_t, 2>;
  EXPECT_EQ(ChainDraws::pair(0, 0, 0), (Pair{0xff1dae59, 0x6cd10df2}));
  EXPECT_EQ(ChainDraws::pair(0xffffffff, 0xffffffff, 0xffffffff), (Pair{0x2c3f628b, 0xab4fd7ad}));
  EXPECT_EQ(ChainDraws::pair(0x13198a2e, 0x243f6a88, 0x85a308d3), (Pair{0xdd7ce038, 0xf62a4c12}));
}

TEST(ChainDraws, TakeWordAfterWordOfPairAfterPair) {
  ChainDraws draws(7, 9);
  for (std::uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(draws.draw(i), ChainDraws::pair(7, 9, i / 2)[i % 2]);
  EXPECT_EQ(ChainDraws(0, 0).below(100, 0), 99);  // 0xff1dae59 / 2^32 is 0.9965
  EXPECT_EQ(ChainDraws(0, 0).below(100, 1), 42);  // 0x6cd10df2 / 2^32 is 0.4251
  for (std::uint32_t i = 4; i < 8; ++i)           // random moves begin with draw 4
    EXPECT_EQ(draws.next_below(1000), draws.below(1000, i));
}

// What a chain does is shown on a board of one row of pairs, "00112233...". A move takes one pair and changes nothing
// for the others, so every line is an order of the pairs, all fitness is the same, and every change is accepted.
class PairsModel {
 public:
  PairsModel(int pairs, bool small, std::uint32_t seed) : seed_(seed) {
    for (int i = 0; i < (small ? 8 : pairs); ++i) {
      const int columns[] = {i, i + 8};
      for (const int c : columns)
        if (small ? c % 2 == 0 && c / 2 < pairs : c == i) draw_order_.push_back(small ? c / 2 : i);
    }
    ChainDraws draws(seed, 0);
    finish(line_, draws);
  }

  const std::vector<int>& line() const { return line_; }

  void evaluate(std::uint32_t evaluation) {
    ChainDraws draws(seed_, evaluation);
    const int n = static_cast<int>(line_.size()), kind = draws.below(100, 1);
    const int k = draws.below(n, 2);  // from 0, unlike the moves of a chain
    int to = draws.below(n - 1, 3);
    to += to >= k;
    if (kind >= 98) {
      line_.resize(static_cast<std::size_t>(draws.below(n + 1, 2)));
      finish(line_, draws);
    } else if (kind < 20) {
      move(k, n - 1);
    } else if (kind < 40) {
      move(random_place(k, draws), k);
    } else if (kind < 60) {
      const int place = random_place(k, draws);  // of the pair that is played instead of pair k
      if (place == k) return;
      const int replaced = line_[static_cast<std::size_t>(k)];
      move(place, k);
      move(at(replaced), n - 1);
    } else {
      move(k, to);
    }
  }

 private:
  int at(int pair) const { return static_cast<int>(std::find(line_.begin(), line_.end(), pair) - line_.begin()); }

  std::vector<int> missing_from(const std::vector<int>& line) const {
    std::vector<int> rest;
    for (const int pair : draw_order_)
      if (std::find(line.begin(), line.end(), pair) == line.end()) rest.push_back(pair);
    return rest;
  }
  void finish(std::vector<int>& line, ChainDraws& draws) const {
    for (std::vector<int> rest; !(rest = missing_from(line)).empty();)
      line.push_back(rest[static_cast<std::size_t>(draws.next_below(static_cast<int>(rest.size())))]);
  }
  int random_place(int k, ChainDraws& draws) const {
    const std::vector<int> rest = missing_from({line_.begin(), line_.begin() + k});
    return at(rest[static_cast<std::size_t>(draws.next_below(static_cast<int>(rest.size())))]);
  }
  void move(int from, int to) {
    const int pair = line_[static_cast<std::size_t>(from)];
    line_.erase(line_.begin() + from);
    line_.insert(line_.begin() + to, pair);
  }

  std::uint32_t seed_;
  std::vector<int> draw_order_;  // of pairs
  std::vector<int> line_;
};

std::vector<int> pairs_of(const ReferenceChain& chain) {
  std::vector<int> pairs;
  for (const BlockId block : chain.line()) {
    EXPECT_EQ(block.column % 2, 0);  // random moves are named by the left block of a pair
    pairs.push_back(block.column / 2);
  }
  return pairs;
}

TEST(ReferenceChain, ReordersIndependentMovesByEveryKindOfChange) {
  for (const auto& [row, small] : {std::pair{"00112233445566", true}, {"00112233445566778899", false}}) {
    const Position board = tests::board_of({row});
    const int pairs = board.columns() / 2;
    ReferenceChain chain(board, kScoring);
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      chain.start({}, -1, seed);
      PairsModel model(pairs, small, seed);
      ASSERT_EQ(pairs_of(chain), model.line());
      for (std::uint32_t evaluation = 1; evaluation <= 100; ++evaluation) {
        EXPECT_EQ(chain.next_evaluation(), evaluation);
        chain.advance(AcceptanceTable(0, 5, kScoring), 1);
        model.evaluate(evaluation);
        ASSERT_EQ(pairs_of(chain), model.line()) << "evaluation " << evaluation << " of seed " << seed;
      }
      EXPECT_EQ(chain.score(), 1000);
    }
  }
}

// The first seed whose evaluation 1 makes the wanted change.
template <class Wanted>
std::uint32_t seed_with(Wanted wanted) {
  std::uint32_t seed = 0;
  while (!wanted(ChainDraws(seed, 1)))
    ++seed;
  return seed;
}

TEST(ReferenceChain, PlaysTheTornPiecesOfAGroup) {
  // First the ones between the zeros, then the four zeros, for 4 points. Without the first move the zeros are torn:
  // two moves for nothing, and then the ones, at random.
  const Position board = tests::board_of({"001100"});
  const std::vector<BlockId> line = {{2, 0}, {0, 0}};
  const AcceptanceTable hot(1000, 5, kScoring), frozen(0, 5, kScoring);
  const std::uint32_t seed = seed_with([&](const ChainDraws& draws) {
    return draws.below(100, 1) < 20 && draws.below(2, 2) == 0 && hot.loss[draws.draw(0) >> 20] >= 4;
  });
  ReferenceChain chain(board, kScoring);
  chain.start(line, -1, seed);
  EXPECT_EQ(chain.line(), line);
  EXPECT_EQ(chain.score(), 1004);
  chain.advance(frozen, 1);
  EXPECT_EQ(chain.line(), line);
  chain.start(line, -1, seed);
  chain.advance(hot, 1);
  EXPECT_EQ(chain.line(), (std::vector<BlockId>{{0, 0}, {4, 0}, {2, 0}}));
  EXPECT_EQ(chain.score(), 1000);
  EXPECT_EQ(chain.best_score(), 1004);
  EXPECT_EQ(chain.best_moves(), (std::vector<Cell>{{2, 0}, {0, 0}}));
}

TEST(ReferenceChain, FindsTornPiecesInTheOrderOfColumns) {
  // Move 3 takes six zeros in three places. Played before move 1 they are three pieces.
  const auto line_after = [](std::string_view row) {
    const std::vector<BlockId> line = {{2, 0}, {6, 0}, {0, 0}};
    const AcceptanceTable hot(1000, 5, kScoring);
    const std::uint32_t seed = seed_with([&](const ChainDraws& draws) {
      const int kind = draws.below(100, 1);
      return kind >= 60 && kind < 98 && draws.below(3, 2) == 2 && draws.below(2, 3) == 0 &&
             hot.loss[draws.draw(0) >> 20] >= 1016;
    });
    ReferenceChain chain(tests::board_of({row}), kScoring);
    chain.start(line, -1, seed);
    EXPECT_EQ(chain.line(), line);
    chain.advance(hot, 1);
    return chain.line();
  };
  EXPECT_EQ(line_after("0011002200"), (std::vector<BlockId>{{0, 0}, {8, 0}, {4, 0}, {2, 0}, {6, 0}}));
  // The same on a wide board; two columns of other colours take no part.
  EXPECT_EQ(line_after("001100220034343434"), (std::vector<BlockId>{{0, 0}, {4, 0}, {8, 0}, {2, 0}, {6, 0}}));
}

TEST(ReferenceChain, StartsFromWhatCanBePlayedOfALine) {
  // Block (0,0) takes the whole of the first column; its other block is gone by then.
  ReferenceChain chain(tests::board_of({"01", "01"}), kScoring);
  chain.start(std::vector<BlockId>{{0, 0}, {0, 1}, {1, 1}}, -1, 1);
  EXPECT_EQ(chain.line(), (std::vector<BlockId>{{0, 0}, {1, 1}}));
  EXPECT_EQ(chain.moves(), (std::vector<Cell>{{0, 0}, {0, 1}}));
  EXPECT_EQ(chain.score(), 1000);
}

TEST(ReferenceChain, KeepsTheTabuColorForLast) {
  ReferenceChain chain(tests::board_of({"001122"}), kScoring);
  for (std::uint32_t seed = 0; seed < 10; ++seed)
    for (int tabu = 0; tabu < 3; ++tabu) {
      chain.start({}, tabu, seed);
      EXPECT_EQ(chain.line().back(), (BlockId{static_cast<std::uint8_t>(2 * tabu), 0}));
    }
}

TEST(ReferenceChain, ScoresTheEndAsEveryScoringSays) {
  // No move: two blocks of one colour and one of another are left, three in all.
  const Position board = tests::board_of({"010"});
  const std::array<int, 5> deductions = {-1, -1, 0, -3, 0};  // in the order of kScorings
  for (std::size_t i = 0; i < kScorings.size(); ++i) {
    ReferenceChain chain(board, kScorings[i]);
    chain.start({}, -1, 1);
    const AcceptanceTable table(20, 6, kScorings[i]);
    chain.advance(table, 10);
    EXPECT_EQ(chain.score(), deductions[i]);
    EXPECT_EQ(chain.fitness(table), deductions[i] + kScorings[i].clear_bonus / 2);  // three of six blocks
  }
}

TEST(ReferenceChain, PlaysByTheRules) {
  Dice dice(1);
  for (int i = 0; i < 40; ++i) {
    const Position board = tests::random_board(dice, tests::random_shape(dice, 20, 16, 5));
    const Scoring& scoring = tests::scoring_case(i);
    ReferenceChain chain(board, scoring);
    chain.start({}, dice.between(-1, 4), static_cast<std::uint32_t>(dice.word()));
    chain.advance(AcceptanceTable(30, 5, scoring), 20);
    const ReplayResult replayed = replay(board, chain.moves(), scoring);
    EXPECT_EQ(replayed.error, "");
    EXPECT_TRUE(replayed.over);
    EXPECT_EQ(replayed.score, chain.score());
    EXPECT_EQ(replay(board, chain.best_moves(), scoring).score, chain.best_score());
  }
}

TEST(ReferenceChain, TakesOverALineAndKeepsItsDrawsAndItsBest) {
  Dice dice(2);
  const Position board = tests::full_board(dice, {8, 8, 3});
  const AcceptanceTable table(20, 5, kScoring);
  ReferenceChain from(board, kScoring), to(board, kScoring), fresh(board, kScoring);
  from.start({}, 2, 5);
  from.advance(table, 200);
  to.start({}, -1, 6);
  to.advance(table, 10);
  const int best = to.best_score();
  to.take_line(from);
  EXPECT_EQ(to.line(), from.line());
  EXPECT_EQ(to.tabu_color(), 2);
  EXPECT_EQ(to.next_evaluation(), 11u);
  EXPECT_EQ(to.best_score(), best);
  // It goes on as a chain does that was brought to the same line and number in another way.
  fresh.start({}, 2, 6);
  fresh.advance(table, 10);
  fresh.take_line(from);
  fresh.advance(table, 50);
  to.advance(table, 50);
  EXPECT_EQ(to.line(), fresh.line());
  EXPECT_NE(to.line(), from.line());
}

}  // namespace
}  // namespace chainshot::game
