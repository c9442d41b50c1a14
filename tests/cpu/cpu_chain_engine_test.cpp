// The chain engine against single chains: whatever the threads and the instruction set, a chain does what the reference
// does alone.
#include "cpu/chain/cpu_chain_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "game/reference.hpp"
#include "game/reference_chain.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::cpu {
namespace {

using game::AcceptanceTable;
using game::ChainLayout;
using game::ChainObserver;
using game::ChainSet;
using game::ChainStart;
using game::ReferenceChain;
using tests::Dice;

constexpr const game::Scoring& kScoring = game::kStandardScoring;

std::vector<ChainStart> starts_of(int count) {
  std::vector<ChainStart> starts;
  for (int i = 0; i < count; ++i)
    starts.push_back({.chain = i, .tabu_color = i % 3 - 1, .seed = 100 + static_cast<std::uint32_t>(i)});
  return starts;
}

std::vector<ReferenceChain> reference_chains(const game::Position& board, int count) {
  std::vector<ReferenceChain> chains;
  for (const ChainStart& start : starts_of(count)) {
    chains.emplace_back(board, kScoring);
    chains.back().start({}, start.tabu_color, start.seed);
  }
  return chains;
}

// Compares all living chains and the best lines of all chains.
void expect_same(const ChainSet& chains, const std::vector<ReferenceChain>& slow, const ChainLayout& layout,
                 const AcceptanceTable& table) {
  std::vector<int> fitness, best;
  for (int i = 0; i < layout.chains(); ++i) {
    const ReferenceChain& chain = slow[static_cast<std::size_t>(i)];
    if (i % layout.members < chains.members()) fitness.push_back(chain.fitness(table));
    best.push_back(chain.best_score());
    EXPECT_EQ(chains.best_moves(i), chain.best_moves());
  }
  EXPECT_EQ(chains.fitness(table), fitness);
  EXPECT_EQ(chains.best_scores(), best);
}

TEST(CpuChainEngine, AdvancesEveryChainAsItWouldAlone) {
  Dice dice(1);
  const ChainLayout layout{.islands = 1, .members = 7};
  for (const tests::Shape shape : {tests::Shape{15, 15, 5}, tests::Shape{17, 9, 6}}) {
    const game::Position board = tests::full_board(dice, shape);
    const AcceptanceTable table(30, 5, kScoring);
    std::vector<ReferenceChain> slow = reference_chains(board, 7);
    for (ReferenceChain& chain : slow)
      chain.advance(table, 300);
    for (const Isa isa : available_isas())
      for (const int threads : {1, 3}) {
        const auto engine = make_cpu_chain_engine({.threads = threads, .isa = isa});
        const auto chains = engine->make_chains(board, kScoring, layout);
        ChainObserver unwatched;
        chains->start(starts_of(7), unwatched);
        chains->advance(table, 260, unwatched);
        chains->advance(table, 40, unwatched);
        expect_same(*chains, slow, layout, table);
        EXPECT_EQ(chains->counts().evaluations, 7u * 300);
      }
  }
}

TEST(CpuChainEngine, ResamplesEachIslandByItself) {
  Dice dice(2);
  const ChainLayout layout{.islands = 3, .members = 5, .first_island = 4};
  const game::Position board = tests::full_board(dice, {15, 15, 5});
  const AcceptanceTable hot(40, 10, kScoring), cold(20, 3, kScoring);
  const game::ResampleTable weights(40, 20);
  std::vector<ReferenceChain> slow = reference_chains(board, 15);
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(board, kScoring, layout);
  ChainObserver unwatched;
  chains->start(starts_of(15), unwatched);
  chains->advance(hot, 100, unwatched);
  for (ReferenceChain& chain : slow)
    chain.advance(hot, 100);
  int members = 5, moved = 0;
  for (const int next : {5, 4, 2}) {
    const std::uint64_t seed = 77 + static_cast<std::uint64_t>(next);
    chains->resample(cold, weights, next, seed);
    for (int island = 0; island < 3; ++island) {
      const auto slot = [&](int k) -> ReferenceChain& { return slow[static_cast<std::size_t>(5 * island + k)]; };
      std::vector<int> fitness;
      for (int k = 0; k < members; ++k)
        fitness.push_back(slot(k).fitness(cold));
      const auto slots = game::resampled_slots(fitness, weights, next, game::resampling_draw(seed, 4 + island));
      for (int k = 0; k < next; ++k) {
        const int from = slots[static_cast<std::size_t>(k)];
        moved += from != k;
        if (from != k) slot(k).take_line(slot(from));
      }
    }
    members = next;
    EXPECT_EQ(chains->members(), next);
    expect_same(*chains, slow, layout, cold);
    chains->advance(cold, 50, unwatched);
    for (int i = 0; i < 15; ++i)
      if (i % 5 < members) slow[static_cast<std::size_t>(i)].advance(cold, 50);
    expect_same(*chains, slow, layout, cold);
  }
  EXPECT_GT(moved, 3);
}

TEST(CpuChainEngine, KeepsOnlyTheFirstSlots) {
  Dice dice(3);
  const ChainLayout layout{.islands = 2, .members = 3};
  const game::Position board = tests::full_board(dice, {10, 10, 3});
  const AcceptanceTable table(20, 5, kScoring);
  std::vector<ReferenceChain> slow = reference_chains(board, 6);
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(board, kScoring, layout);
  EXPECT_EQ(chains->members(), 3);
  ChainObserver unwatched;
  chains->start(starts_of(6), unwatched);
  chains->keep(2);
  EXPECT_EQ(chains->members(), 2);
  chains->advance(table, 80, unwatched);
  for (const int i : {0, 1, 3, 4})
    slow[static_cast<std::size_t>(i)].advance(table, 80);
  expect_same(*chains, slow, layout, table);
}

TEST(CpuChainEngine, StartsChainsFromLines) {
  Dice dice(4);
  const game::Position board = tests::full_board(dice, {10, 10, 3});
  const AcceptanceTable table(20, 5, kScoring);
  std::vector<ReferenceChain> slow = reference_chains(board, 2);
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const ChainLayout layout{.islands = 1, .members = 2};
  const auto chains = engine->make_chains(board, kScoring, layout);
  ChainObserver unwatched;
  EXPECT_EQ(chains->best_scores(), (std::vector{ChainSet::kNoScore, ChainSet::kNoScore}));
  chains->start(std::vector{starts_of(2)[0]}, unwatched);
  EXPECT_TRUE(chains->exists(0));
  EXPECT_FALSE(chains->exists(1));
  const std::vector<game::Cell> line = chains->best_moves(0), part(line.begin(), line.begin() + 5);
  chains->start(std::vector{ChainStart{.chain = 1, .tabu_color = -1, .seed = 9, .moves = part}}, unwatched);
  slow[1] = ReferenceChain(board, kScoring);
  slow[1].start(game::blocks_of(board, part), -1, 9);
  expect_same(*chains, slow, layout, table);
  const std::vector<game::Cell> started = chains->best_moves(1);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), started.begin()));
}

// Counts what it is told, and stops the engine after so many slices.
class Recorder final : public ChainObserver {
 public:
  explicit Recorder(int slices = std::numeric_limits<int>::max()) : slices_(slices) {}

  bool stopped() override { return slices_ <= 0; }
  void advanced(std::uint64_t evaluations) override {
    --slices_;
    evaluations_ += evaluations;
  }
  bool wants(int score) override { return score > best_; }
  void found(int score, std::span<const game::Cell> moves) override {
    const std::lock_guard lock(mutex_);
    if (score <= best_) return;
    best_ = score;
    moves_.assign(moves.begin(), moves.end());
  }

  std::uint64_t evaluations() const { return evaluations_; }
  int best() const { return best_; }
  const std::vector<game::Cell>& moves() const { return moves_; }

 private:
  std::atomic<int> slices_;
  std::atomic<std::uint64_t> evaluations_ = 0;
  std::atomic<int> best_ = std::numeric_limits<int>::min();
  std::mutex mutex_;
  std::vector<game::Cell> moves_;
};

TEST(CpuChainEngine, ReportsLinesThatAreWanted) {
  Dice dice(5);
  const game::Position board = tests::full_board(dice, {15, 15, 5});
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(board, kScoring, {.islands = 2, .members = 2});
  Recorder recorder;
  chains->start(starts_of(4), recorder);
  const int first = recorder.best();
  chains->advance(AcceptanceTable(20, 5, kScoring), 10'000, recorder);
  EXPECT_EQ(recorder.evaluations(), 40'000u);
  EXPECT_GT(recorder.best(), first);
  const std::vector<int> scores = chains->best_scores();
  EXPECT_EQ(recorder.best(), *std::max_element(scores.begin(), scores.end()));
  EXPECT_EQ(game::replay(board, recorder.moves(), kScoring).score, recorder.best());
}

TEST(CpuChainEngine, StopsWithinASliceOfEachThread) {
  Dice dice(6);
  for (const std::uint64_t evaluations : {std::uint64_t{1'000'000'000}, ChainSet::kUntilStopped})
    for (const tests::Shape shape : {tests::Shape{15, 15, 5}, tests::Shape{31, 32, 9}}) {
      const auto engine = make_cpu_chain_engine({.threads = 2});
      const auto chains = engine->make_chains(tests::full_board(dice, shape), kScoring, {.islands = 1, .members = 4});
      ChainObserver unwatched;
      chains->start(starts_of(4), unwatched);
      Recorder recorder(3);
      chains->advance(AcceptanceTable(20, 5, kScoring), evaluations, recorder);
      EXPECT_GE(recorder.evaluations(), 3 * chains->slice());
      EXPECT_LE(recorder.evaluations(), 4 * chains->slice());
    }
}

TEST(CpuChainEngine, GoesRoundAllChainsUntilItIsStopped) {
  Dice dice(7);
  const game::Position board = tests::full_board(dice, {6, 6, 3});
  const AcceptanceTable table(20, 5, kScoring);
  std::vector<ReferenceChain> slow = reference_chains(board, 3);
  const auto engine = make_cpu_chain_engine({.threads = 1});
  const ChainLayout layout{.islands = 3, .members = 1};
  const auto chains = engine->make_chains(board, kScoring, layout);
  Recorder recorder(5);  // two slices of the first two chains, one of the last
  chains->start(starts_of(3), recorder);
  chains->advance(table, ChainSet::kUntilStopped, recorder);
  for (int i = 0; i < 3; ++i)
    slow[static_cast<std::size_t>(i)].advance(table, (i < 2 ? 2 : 1) * chains->slice());
  expect_same(*chains, slow, layout, table);
}

TEST(CpuChainEngine, StartsTheFirstChainsBeforeAStop) {
  class StopsAfter final : public ChainObserver {
   public:
    explicit StopsAfter(int looks) : looks_(looks) {}
    bool stopped() override { return looks_-- <= 0; }

   private:
    std::atomic<int> looks_;
  };
  Dice dice(8);
  const game::Position board = tests::full_board(dice, {15, 15, 5});
  for (int started = 0; started <= 4; ++started) {
    const auto engine = make_cpu_chain_engine({.threads = 2});
    const auto chains = engine->make_chains(board, kScoring, {.islands = 4, .members = 1});
    StopsAfter observer(started);
    chains->start(starts_of(4), observer);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(chains->exists(i), i < started);
  }
}

TEST(CpuChainEngine, RethrowsWhatGoesWrong) {
  class Thrower final : public ChainObserver {
    void advanced(std::uint64_t) override { throw std::logic_error("enough"); }
  };
  Dice dice(9);
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(tests::full_board(dice, {15, 15, 5}), kScoring, {.islands = 1, .members = 4});
  ChainObserver unwatched;
  const std::vector<game::Cell> illegal = {{20, 0}};
  EXPECT_THROW(chains->start(std::vector{ChainStart{.moves = illegal}}, unwatched), std::invalid_argument);
  chains->start(starts_of(4), unwatched);
  Thrower thrower;
  for (const std::uint64_t evaluations : {std::uint64_t{1'000'000'000}, ChainSet::kUntilStopped})
    EXPECT_THROW(chains->advance(AcceptanceTable(20, 5, kScoring), evaluations, thrower), std::logic_error);
}

TEST(CpuChainEngine, DescribesItself) {
  const auto engine = make_cpu_chain_engine({.threads = 3, .isa = Isa::kPortable});
  EXPECT_EQ(engine->capabilities().name, "cpu (portable, 3 threads)");
  EXPECT_TRUE(engine->capabilities().on_cpu);
  EXPECT_FALSE(engine->capabilities().advances_together);
  EXPECT_EQ(engine->capabilities().chains_at_once, 3);
  EXPECT_GT(engine->capabilities().evaluations_per_second, 0);
  EXPECT_EQ(engine->objection(game::Position(31, 32), kScoring), "");
}

}  // namespace
}  // namespace chainshot::cpu
