// Chains on a device must equal the slow reference move for move, whatever the board, the scoring and the launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cuda/cuda_chain_engine.hpp"
#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "game/reference_chain.hpp"
#include "tests/support/cuda_cases.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"

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
      const std::vector<int> sources =
          game::resampled_slots(fitness, weights, members, game::resampling_draw(seed, layout_.first_island + island));
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
  int formulas = 0;
  for (int i = 0; i < tests::scaled(30); ++i) {
    const tests::Shape shape = static_cast<std::size_t>(i) < shapes.size() ? shapes[static_cast<std::size_t>(i)]
                                                                           : tests::random_shape(dice, 11, 11, 7);
    SCOPED_TRACE(std::to_string(i) + ": " + std::to_string(shape.columns) + " x " + std::to_string(shape.rows));
    const game::Position board = random_board(dice, i / 2, shape);
    const bool suits = engine->objection(board, tests::scoring_case(i)).empty();
    const game::Scoring& scoring = suits ? tests::scoring_case(i) : game::kStandardScoring;
    formulas += suits && game::is_formula(scoring.name());
    Pair pair(*engine, board, scoring, {.islands = 1, .members = dice.between(1, 20)});
    pair.start_all(static_cast<std::uint32_t>(i));
    for (const double temperature : {1000.0, 30.0, 5.0, 0.5}) {
      const AcceptanceTable table(temperature, temperature > 10 ? 10 : 3, scoring);
      pair.advance(table, 12);
      pair.expect_equal(table);
    }
    pair.expect_equal_best_lines();
    if (HasFailure()) break;
  }
  EXPECT_GE(formulas, 8);  // some fall below 0 points, which no device counts
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

// Counts what an observer hears, and stops after so many looks.
class Watcher final : public game::ChainObserver {
 public:
  bool stopped() override { return looks_-- <= 0; }
  void advanced(std::uint64_t evaluations) override { evaluations_ += evaluations; }
  bool wants(int score) override { return score > best_; }
  void found(int score, std::span<const Cell> moves) override {
    best_ = score;
    moves_.assign(moves.begin(), moves.end());
  }
  void stop_after(int looks) { looks_ = looks; }
  std::uint64_t evaluations() const { return evaluations_; }
  int best() const { return best_; }
  const std::vector<Cell>& moves() const { return moves_; }

 private:
  int looks_ = 1'000'000;
  std::uint64_t evaluations_ = 0;
  int best_ = game::ChainSet::kNoScore;
  std::vector<Cell> moves_;
};

std::vector<game::ChainStart> starts_of(int chains, std::uint32_t seed) {
  std::vector<game::ChainStart> starts;
  for (int i = 0; i < chains; ++i)
    starts.push_back({.chain = i, .tabu_color = i % 3 - 1, .seed = seed + static_cast<std::uint32_t>(i)});
  return starts;
}

constexpr const game::Scoring& kScoring = game::kStandardScoring;

TEST_F(CudaChain, BeginsWithTheLineItIsGiven) {
  Dice dice(52);
  const auto engine = engine_with();
  for (int i = 0; i < 8; ++i) {
    const game::Position board = tests::full_board(dice, {dice.between(3, 15), dice.between(3, 15), 4});
    Pair pair(*engine, board, kScoring, {.islands = 1, .members = 5});
    pair.start_all(1);
    // A whole line, beginnings of it, and none at all.
    const std::vector<Cell> line = pair.set().best_moves(0);
    std::vector<game::ChainStart> starts;
    for (const int chain : {3, 1, 0, 4})
      starts.push_back({.chain = chain,
                        .tabu_color = 1,
                        .seed = 7 + static_cast<std::uint32_t>(starts.size()),
                        .moves = std::span(line).first(line.size() * starts.size() / 3)});
    pair.start(starts);
    const AcceptanceTable table(20, 5, kScoring);
    pair.expect_equal(table);
    pair.advance(table, 10);
    pair.expect_equal(table);
    pair.expect_equal_best_lines();
  }
}

// With few spare slots, repeated moves are played instead.
TEST_F(CudaChain, EqualsTheReferenceWhereSpareSlotsRunOut) {
  Dice dice(53);
  for (const int spare : {0, 1}) {
    const auto engine = engine_with({.spare_slots = spare});
    for (int i = 0; i < 4; ++i) {
      Pair pair(*engine, random_board(dice, i, {14, 9, 4}), kScoring, {.islands = 1, .members = 16});
      pair.start_all(3);
      const AcceptanceTable table(25, 5, kScoring);
      pair.advance(table, 40);
      pair.expect_equal(table);
      pair.expect_equal_best_lines();
    }
  }
}

TEST_F(CudaChain, DoesNotDependOnLaunches) {
  constexpr int kChains = 40;
  const game::Position& board = game::standard_boards()[0].position;
  const AcceptanceTable table(30, 5, kScoring);
  std::vector<std::vector<int>> results;
  for (const int turns : {cuda::kFewestTurns, 700, 60'000}) {
    const auto engine = engine_with({.turns = turns});
    const auto chains = engine->make_chains(board, kScoring, {.islands = 1, .members = kChains});
    Watcher watcher;
    chains->start(starts_of(kChains, 5), watcher);
    // One call or two.
    chains->advance(table, turns == 700 ? 130 : 200, watcher);
    if (turns == 700) chains->advance(table, 70, watcher);
    EXPECT_EQ(watcher.evaluations(), 200u * kChains);
    EXPECT_EQ(chains->counts().evaluations, 200u * kChains);
    std::vector<int> result = chains->fitness(table);
    const std::vector<int> scores = chains->best_scores();
    result.insert(result.end(), scores.begin(), scores.end());
    result.push_back(static_cast<int>(chains->counts().accepted));
    results.push_back(result);
    const auto best = std::max_element(scores.begin(), scores.end());
    EXPECT_EQ(watcher.best(), *best);
    EXPECT_EQ(game::replay(board, watcher.moves(), kScoring).score, *best);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_F(CudaChain, StopsBetweenLaunches) {
  const auto engine = engine_with({.turns = cuda::kFewestTurns});
  const auto chains = engine->make_chains(game::standard_boards()[2].position, kScoring, {.islands = 1, .members = 8});
  Watcher watcher;
  const std::vector<game::ChainStart> starts = starts_of(8, 9);
  watcher.stop_after(0);
  chains->start(starts, watcher);
  EXPECT_FALSE(chains->exists(0));
  EXPECT_EQ(chains->best_scores(), std::vector<int>(8, game::ChainSet::kNoScore));
  watcher.stop_after(1);
  chains->start(starts, watcher);
  EXPECT_TRUE(chains->exists(7));
  watcher.stop_after(3);
  chains->advance(AcceptanceTable(20, 5, kScoring), game::ChainSet::kUntilStopped, watcher);
  EXPECT_GT(watcher.evaluations(), 3 * 8 * 10u);
  EXPECT_LT(watcher.evaluations(), 3 * 8 * std::uint64_t{cuda::kFewestTurns});
  EXPECT_EQ(chains->counts().evaluations, watcher.evaluations());
  EXPECT_GT(chains->slice(), 1u);
}

TEST_F(CudaChain, ResamplesByTheRule) {
  Dice dice(54);
  const auto engine = engine_with();
  // Also islands of more chains than a block has threads.
  for (const auto& [islands, members] : {std::pair{1, 1}, std::pair{5, 40}, std::pair{2, 700}}) {
    const game::Position board = tests::full_board(dice, {5, members == 700 ? 3 : 6, 3});
    Pair pair(*engine, board, kScoring, {.islands = islands, .members = members, .first_island = 3});
    pair.start_all(2);
    int size = members;
    double temperature = 40;
    for (std::uint64_t step = 0; step < 4; ++step) {
      const AcceptanceTable table(temperature, 5, kScoring);
      pair.advance(table, 3);
      const int next = std::max(1, step == 0 ? size : size / 2 - 1);
      pair.resample(table, game::ResampleTable(temperature, temperature / 3), next, 77 + step);
      size = next;
      temperature /= 3;
      pair.expect_equal(table);
    }
    pair.advance(AcceptanceTable(5, 5, kScoring), 3);
    pair.expect_equal(AcceptanceTable(5, 5, kScoring));
    pair.expect_equal_best_lines();
  }
}

TEST_F(CudaChain, AdvancesOnlyTheChainsThatLive) {
  Dice dice(55);
  const auto engine = engine_with();
  Pair pair(*engine, tests::full_board(dice, {6, 6, 3}), kScoring, {.islands = 3, .members = 10});
  pair.start_all(4);
  const AcceptanceTable table(30, 5, kScoring);
  pair.advance(table, 5);
  pair.set().keep(7);
  EXPECT_EQ(pair.set().members(), 7);
  pair.advance(table, 20);
  pair.expect_equal(table);
  EXPECT_EQ(pair.set().counts().evaluations, 3u * 10 * 5 + 3u * 7 * 20);
}

TEST_F(CudaChain, SaysWhatItCanDo) {
  const auto engines = cuda::make_cuda_chain_engines({}, 100 << 20);
  ASSERT_EQ(engines.size(), cuda::list_devices().devices.size());
  const game::ChainCapabilities& can = engines[0]->capabilities();
  EXPECT_EQ(can.name, "cuda (" + cuda::list_devices().devices[0].name + ")");
  EXPECT_FALSE(can.on_cpu);
  EXPECT_TRUE(can.advances_together);
  EXPECT_GT(can.chains_at_once, 0);
  EXPECT_GT(can.evaluations_per_second, 0);
  const game::Position& board = game::standard_boards()[0].position;
  const int most = engines[0]->most_members(board, 1);
  EXPECT_GT(most, (100 << 20) / 14'000);
  EXPECT_LT(most, (100 << 20) / 12'000);
  const std::uint64_t free = cuda::list_devices().devices[0].free_memory;
  const auto chains = engines[0]->make_chains(board, kScoring, {.islands = most, .members = 1});
  EXPECT_LE(free - cuda::list_devices().devices[0].free_memory, std::uint64_t{100 << 20});
}

TEST_F(CudaChain, ObjectsToBoardsThatAreTooLarge) {
  Dice dice(56);
  const auto engine = engine_with();
  const auto objection = [&](const tests::Shape& shape) {
    return engine->objection(tests::full_board(dice, shape), kScoring);
  };
  EXPECT_EQ(objection({15, 15, 7}), "");
  EXPECT_EQ(objection({16, 3, 2}),
            "the device anneals boards of up to 15 columns, 15 rows and 7 colours; this one has 16 columns, 3 rows and "
            "2 colours");
  EXPECT_NE(objection({3, 16, 2}), "");
  EXPECT_NE(objection({15, 15, 8}), "");
}

TEST_F(CudaChain, ObjectsToPointsThatItsRecordsDoNotHold) {
  const auto engine = engine_with();
  const game::Position board = tests::board_of({"0000", "0000"});
  EXPECT_EQ(engine->objection(board, game::parse_scoring("points=1000n^2+n")), "");  // 64,008 points at most
  EXPECT_EQ(engine->objection(board, game::parse_scoring("points=1024n^2")),
            "the device anneals boards on which groups earn 0 to 65535 points together; on this one they could earn 0 "
            "to 65536 by the scoring points=1024n^2");
  EXPECT_NE(engine->objection(board, game::parse_scoring("points=n-3")), "");  // a pair costs a point
}

}  // namespace
}  // namespace chainshot
