// Chains on a device must equal the slow reference move for move, whatever the board, the scoring and the launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cuda/cuda_chain_engine.hpp"
#include "game/board_text.hpp"
#include "game/reference_chain.hpp"
#include "tests/support/cuda_cases.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot {
namespace {

using game::AcceptanceTable;
using game::Cell;
using game::ReferenceChain;
using tests::Dice;

using CudaChain = tests::WithDevice;

std::unique_ptr<game::ChainEngine> engine_with(const cuda::ChainLaunchLimits& limits = {}) {
  return std::move(cuda::make_cuda_chain_engines({0}, 0, limits).front());
}

// The chains of a set, and the same ones by the reference.
class Pair {
 public:
  Pair(game::ChainEngine& engine, const game::Position& board, const game::Scoring& scoring,
       const game::ChainLayout& layout)
      : board_(board),
        layout_(layout),
        set_(engine.make_chains(board, scoring, layout)),
        references_(static_cast<std::size_t>(layout.chains()), ReferenceChain(board, scoring)) {}

  void start(const std::vector<game::ChainStart>& starts) {
    set_->start(starts, unwatched_);
    for (const game::ChainStart& s : starts)
      reference(s.chain).start(game::blocks_of(board_, s.moves), s.tabu_color, s.seed);
  }
  // Every chain with a seed and a tabu colour of its own.
  void start_all(std::uint32_t seed) {
    std::vector<game::ChainStart> starts;
    for (int i = 0; i < layout_.chains(); ++i)
      starts.push_back({.chain = i,
                        .tabu_color = i % (board_.colors() + 1) - 1,
                        .seed = seed * 1000 + static_cast<std::uint32_t>(i)});
    start(starts);
  }
  void advance(const AcceptanceTable& table, std::uint64_t evaluations) {
    set_->advance(table, evaluations, unwatched_);
    for (const int chain : living())
      reference(chain).advance(table, evaluations);
  }
  void resample(const AcceptanceTable& table, const game::ResampleTable& weights, int members, std::uint64_t seed) {
    const int living_members = set_->members();
    set_->resample(table, weights, members, seed);
    for (int island = 0; island < layout_.islands; ++island) {
      const auto slot = [&](int k) -> ReferenceChain& { return reference(island * layout_.members + k); };
      std::vector<int> fitness;
      for (int k = 0; k < living_members; ++k)
        fitness.push_back(slot(k).fitness(table));
      const std::vector<int> sources = game::resampled_slots(
          fitness, weights, members, game::resampling_draw(seed, layout_.first_island + island));
      for (int k = 0; k < members; ++k)
        if (sources[static_cast<std::size_t>(k)] != k) slot(k).take_line(slot(sources[static_cast<std::size_t>(k)]));
    }
    EXPECT_EQ(set_->members(), members);
  }

  void expect_equal(const AcceptanceTable& table) {
    std::vector<int> fitness, scores;
    for (const int chain : living())
      fitness.push_back(reference(chain).fitness(table));
    for (const ReferenceChain& chain : references_)
      scores.push_back(chain.best_score());
    EXPECT_EQ(set_->fitness(table), fitness);
    EXPECT_EQ(set_->best_scores(), scores);
  }
  void expect_equal_best_lines() {
    for (int i = 0; i < layout_.chains(); ++i)
      EXPECT_EQ(set_->best_moves(i), reference(i).best_moves()) << i;
  }
  game::ChainSet& set() { return *set_; }
  ReferenceChain& reference(int chain) { return references_[static_cast<std::size_t>(chain)]; }

 private:
  std::vector<int> living() const {
    std::vector<int> chains;
    for (int i = 0; i < layout_.chains(); ++i)
      if (i % layout_.members < set_->members()) chains.push_back(i);
    return chains;
  }

  const game::Position board_;
  const game::ChainLayout layout_;
  std::unique_ptr<game::ChainSet> set_;
  std::vector<ReferenceChain> references_;
  game::ChainObserver unwatched_;
};

game::Position random_board(Dice& dice, int number, const tests::Shape& shape) {
  switch (number % 3) {
    case 0:
      return tests::full_board(dice, shape);
    case 1:
      return tests::ragged_board(dice, shape);
    default:
      return tests::patchy_board(dice, shape);
  }
}

TEST_F(CudaChain, EqualsTheReferenceOnEveryKindOfBoard) {
  Dice dice(51);
  const auto engine = engine_with();
  const std::vector<tests::Shape> shapes = {{1, 15, 2}, {15, 1, 2}, {2, 2, 1}, {1, 1, 1},  {15, 2, 3}, {2, 15, 7},
                                            {9, 8, 4},  {8, 9, 5},  {7, 7, 2}, {12, 5, 6}, {5, 12, 3}, {3, 3, 2}};
  for (int i = 0; i < tests::scaled(30); ++i) {
    const tests::Shape shape = static_cast<std::size_t>(i) < shapes.size() ? shapes[static_cast<std::size_t>(i)]
                                                                           : tests::random_shape(dice, 11, 11, 7);
    SCOPED_TRACE(std::to_string(i) + ": " + std::to_string(shape.columns) + " x " + std::to_string(shape.rows));
    const game::Scoring& scoring = game::kScorings[static_cast<std::size_t>(i) % game::kScorings.size()];
    Pair pair(*engine, random_board(dice, i / 2, shape), scoring, {.islands = 1, .members = dice.between(1, 20)});
    pair.start_all(static_cast<std::uint32_t>(i));
    for (const double temperature : {1000.0, 30.0, 5.0, 0.5}) {
      const AcceptanceTable table(temperature, temperature > 10 ? 10 : 3, scoring);
      pair.advance(table, 12);
      pair.expect_equal(table);
    }
    pair.expect_equal_best_lines();
    if (HasFailure()) break;
  }
}

TEST_F(CudaChain, EqualsTheReferenceOnStandardBoards) {
  const auto engine = engine_with();
  for (const std::size_t board : {0, 7, 15}) {
    Pair pair(*engine, game::standard_boards()[board].position, game::kStandardScoring, {.islands = 1, .members = 24});
    pair.start_all(static_cast<std::uint32_t>(board));
    for (const double temperature : {40.0, 22.0, 12.0}) {
      const AcceptanceTable table(temperature, 5, game::kStandardScoring);
      pair.advance(table, 25);
      pair.expect_equal(table);
    }
    pair.expect_equal_best_lines();
  }
}

}  // namespace
}  // namespace chainshot
