// The chain engine against single chains: whatever the threads and the instruction set, a chain does what it would do
// alone.
#include "cpu/chain/cpu_chain_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "cpu/chain/chain.hpp"
#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::cpu {
namespace {

using game::AcceptanceTable;
using game::ChainObserver;
using game::ChainStart;
using tests::Dice;

constexpr const game::Scoring& kScoring = game::kStandardScoring;

std::optional<std::vector<game::Cell>> random_line(std::size_t) {
  return std::vector<game::Cell>();
}

std::vector<ChainStart> starts_of(int count) {
  std::vector<ChainStart> starts;
  for (int i = 0; i < count; ++i)
    starts.push_back({i, i % 3 - 1, 100 + static_cast<std::uint64_t>(i)});
  return starts;
}

std::vector<int> numbers_up_to(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(CpuChainEngine, AdvancesEveryChainAsItWouldAlone) {
  Dice dice(1);
  for (const tests::Shape shape : {tests::Shape{15, 15, 5}, tests::Shape{17, 9, 6}}) {
    const game::Position board = tests::full_board(dice, shape);
    const AcceptanceTable table(30, 5, kScoring);
    std::vector<int> fitness, best;
    for (const ChainStart& start : starts_of(7)) {
      const auto chain = make_chain(board, kScoring, Isa::kPortable);
      chain->restart({}, start.tabu_color, start.seed);
      chain->advance(table, start.chain < 3 ? 601 : 600);
      fitness.push_back(chain->fitness(table));
      best.push_back(chain->best_score());
    }
    for (const Isa isa : available_isas())
      for (const int threads : {1, 3}) {
        const auto engine = make_cpu_chain_engine({.threads = threads, .isa = isa});
        const auto chains = engine->make_chains(board, kScoring, 7);
        ChainObserver unwatched;
        chains->start(starts_of(7), random_line, unwatched);
        chains->advance(numbers_up_to(7), table, 7 * 600 + 3, unwatched);
        EXPECT_EQ(chains->fitness(numbers_up_to(7), table), fitness);
        EXPECT_EQ(chains->best_scores(numbers_up_to(7)), best);
        EXPECT_EQ(chains->counts().evaluations, 7u * 600 + 3);
        for (int i = 0; i < 7; ++i)
          EXPECT_EQ(game::replay(board, chains->best_moves(i), kScoring).score, best[static_cast<std::size_t>(i)]);
      }
  }
}

TEST(CpuChainEngine, CopiesLinesOverOthers) {
  Dice dice(2);
  const game::Position board = tests::full_board(dice, {15, 15, 5});
  const AcceptanceTable table(20, 5, kScoring);
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(board, kScoring, 4);
  ChainObserver unwatched;
  chains->start(starts_of(4), random_line, unwatched);
  chains->advance(numbers_up_to(1), table, 3000, unwatched);
  chains->copy(std::vector<game::ChainCopy>{{0, 2, 8}, {0, 3, 9}}, unwatched);
  const std::vector<int> fitness = chains->fitness(numbers_up_to(4), table);
  EXPECT_EQ(fitness[2], fitness[0]);
  EXPECT_EQ(fitness[3], fitness[0]);
  EXPECT_NE(fitness[1], fitness[0]);
}

TEST(CpuChainEngine, StartsChainsFromTheLinesThatThereAre) {
  Dice dice(3);
  const game::Position board = tests::full_board(dice, {10, 10, 3});
  const AcceptanceTable exact(20, 1e-9, kScoring);  // the fitness is the score
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(board, kScoring, 4);
  ChainObserver unwatched;
  chains->start(starts_of(2), random_line, unwatched);
  EXPECT_TRUE(chains->exists(1));
  EXPECT_FALSE(chains->exists(2));
  chains->advance(numbers_up_to(1), exact, 2000, unwatched);
  const std::vector<game::Cell> line = chains->best_moves(0);
  const std::vector<int> before = chains->fitness(numbers_up_to(2), exact);
  chains->start(
      starts_of(4), [&](std::size_t start) { return start < 2 ? std::nullopt : std::optional(line); }, unwatched);
  const int score = game::replay(board, line, kScoring).score;
  EXPECT_EQ(chains->fitness(numbers_up_to(4), exact), (std::vector{before[0], before[1], score, score}));
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
  Dice dice(4);
  const game::Position board = tests::full_board(dice, {15, 15, 5});
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(board, kScoring, 4);
  Recorder recorder;
  chains->start(starts_of(4), random_line, recorder);
  const int first = recorder.best();
  chains->advance(numbers_up_to(4), AcceptanceTable(20, 5, kScoring), 40'000, recorder);
  EXPECT_EQ(recorder.evaluations(), 40'000u);
  EXPECT_GT(recorder.best(), first);
  const std::vector<int> scores = chains->best_scores(numbers_up_to(4));
  EXPECT_EQ(recorder.best(), *std::max_element(scores.begin(), scores.end()));
  EXPECT_EQ(game::replay(board, recorder.moves(), kScoring).score, recorder.best());
}

TEST(CpuChainEngine, StopsWithinASliceOfEachThread) {
  Dice dice(5);
  for (const tests::Shape shape : {tests::Shape{15, 15, 5}, tests::Shape{31, 32, 9}}) {
    const auto engine = make_cpu_chain_engine({.threads = 2});
    const auto chains = engine->make_chains(tests::full_board(dice, shape), kScoring, 4);
    ChainObserver unwatched;
    chains->start(starts_of(4), random_line, unwatched);
    Recorder recorder(3);
    chains->advance(numbers_up_to(4), AcceptanceTable(20, 5, kScoring), 1'000'000'000, recorder);
    EXPECT_LE(recorder.evaluations(), 4 * chains->slice());
  }
}

TEST(CpuChainEngine, MakesNoChainAfterAStop) {
  Dice dice(6);
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(tests::full_board(dice, {15, 15, 5}), kScoring, 4);
  Recorder stopped(0);
  chains->start(starts_of(4), random_line, stopped);
  for (int i = 0; i < 4; ++i)
    EXPECT_FALSE(chains->exists(i));
}

TEST(CpuChainEngine, RethrowsWhatALineMakerOrAnObserverThrows) {
  class Thrower final : public ChainObserver {
    void advanced(std::uint64_t) override { throw std::logic_error("enough"); }
  };
  Dice dice(7);
  const auto engine = make_cpu_chain_engine({.threads = 2});
  const auto chains = engine->make_chains(tests::full_board(dice, {15, 15, 5}), kScoring, 4);
  ChainObserver unwatched;
  const auto no_line = [](std::size_t) -> std::optional<std::vector<game::Cell>> { throw std::runtime_error("none"); };
  EXPECT_THROW(chains->start(starts_of(4), no_line, unwatched), std::runtime_error);
  const auto illegal = [](std::size_t) { return std::vector<game::Cell>{{20, 0}}; };
  EXPECT_THROW(chains->start(starts_of(4), illegal, unwatched), std::invalid_argument);
  chains->start(starts_of(4), random_line, unwatched);
  Thrower thrower;
  EXPECT_THROW(chains->advance(numbers_up_to(4), AcceptanceTable(20, 5, kScoring), 1'000'000'000, thrower),
               std::logic_error);
}

TEST(CpuChainEngine, DescribesItself) {
  const auto engine = make_cpu_chain_engine({.threads = 3, .isa = Isa::kPortable});
  EXPECT_EQ(engine->capabilities().name, "cpu (portable, 3 threads)");
  EXPECT_EQ(engine->capabilities().chains_at_once, 3);
  EXPECT_EQ(engine->capabilities().lines_at_once, 3);
  EXPECT_GT(engine->capabilities().evaluations_per_second, 0);
}

}  // namespace
}  // namespace chainshot::cpu
