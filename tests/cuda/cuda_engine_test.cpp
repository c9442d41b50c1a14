// The CUDA engine against the slow reference on small work and against the CPU engine on larger: every field of every
// result.
#include "cuda/cuda_engine.hpp"

#include <chrono>
#include <deque>
#include <thread>

#include "tests/cuda/cuda_cases.hpp"

namespace chainshot {
namespace {

using game::Batch;
using game::Outcome;
using game::Policy;
using game::PolicyKind;
using game::Position;
using game::Request;
using game::Result;
using tests::batch_for;
using tests::Case;
using tests::Dice;
using tests::Judge;
using tests::judged;
using tests::judged_by_cpu;
using tests::one_color;
using tests::request_for;

class CudaEngine : public tests::WithDevice {
 protected:
  // One for all tests, as a program would have.
  static game::Engine& engine() {
    static const std::unique_ptr<game::Engine> made = cuda::make_cuda_engine({});
    return *made;
  }
  static void expect(const Case& wanted) { ASSERT_NO_FATAL_FAILURE(tests::expect_right(engine(), wanted)); }
};

// What a policy can be told, each value of it once.
std::vector<Policy> policies_with_parameters() {
  std::vector<Policy> out;
  for (const game::NamedPolicy& named : game::kPolicies)
    out.push_back(named.policy);
  for (const PolicyKind kind : {PolicyKind::kRandom, PolicyKind::kTabuRandom, PolicyKind::kTabuColorRandom}) {
    for (const std::uint32_t epsilon : {game::epsilon_from(0.003), 0x80000000u, 0xFFFFFFFFu})
      out.push_back({.kind = kind, .epsilon = epsilon});
    for (const int below : {1, 20, 48, 992})
      out.push_back({.kind = kind, .random_below = below});
    out.push_back({.kind = kind, .epsilon = game::epsilon_from(0.2), .random_below = 30});
    out.push_back({.kind = kind, .vs_pruning = true});
  }
  for (const int color : {0, 2, 6, 7, 14}) {
    out.push_back({.tabu_color = color});
    out.push_back({.tabu_color = color, .epsilon = game::epsilon_from(0.1), .random_below = 12});
  }
  for (const double beta : {0.0, 1.0, 8.0})
    for (const double theta : {0.0, 1.0, 2.5})
      out.push_back({.kind = PolicyKind::kRoulette, .beta = beta, .theta = theta});
  out.push_back({.kind = PolicyKind::kRoulette, .full_cells = 300});
  out.push_back({.kind = PolicyKind::kRoulette, .vs_pruning = true});
  return out;
}

TEST_F(CudaEngine, PlaysEveryPolicyUnderEveryScoring) {
  Dice dice(201);
  for (const game::Scoring& scoring : game::kScorings) {
    Batch batch;
    batch.seed = dice.word();
    batch.scoring = scoring;
    for (const Policy& policy : policies_with_parameters()) {
      for (const tests::Shape& shape : {tests::Shape{8, 9, 3}, {15, 16, 7}}) {
        batch.requests.push_back(request_for(tests::random_board(dice, shape), policy, 5));
        batch.requests.back().key = dice.word();
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect(judged(std::move(batch), Judge::kReference)));
  }
}

TEST_F(CudaEngine, PlaysEveryPolicyOnWideBoards) {
  Dice dice(202);
  Batch batch = tests::empty_batch(dice);
  for (const Policy& policy : policies_with_parameters()) {
    for (const tests::Shape& shape : {tests::Shape{17, 8, 9}, {6, 21, 4}}) {
      batch.requests.push_back(request_for(tests::random_board(dice, shape), policy, 20));
      batch.requests.back().key = dice.word();
    }
  }
  expect(judged(std::move(batch), Judge::kReference));
}

TEST_F(CudaEngine, PlaysBoardsOfEverySmallSize) {
  Dice dice(203);
  for (int round = 0; round < tests::scaled(1); ++round) {
    Batch batch = tests::empty_batch(dice);
    for (int columns = 1; columns <= 15; ++columns)
      for (int rows = 1; rows <= 16; ++rows)
        for (const int colors : {dice.between(1, 6), 7})
          batch.requests.push_back(tests::random_request(dice, {columns, rows, colors}, 2));
    ASSERT_NO_FATAL_FAILURE(expect(judged(std::move(batch), Judge::kReference)));
  }
}

// Sizes at which a board stops being small, and the largest ones.
TEST_F(CudaEngine, PlaysBoardsOfWideSizes) {
  Dice dice(204);
  for (int round = 0; round < tests::scaled(1); ++round) {
    Batch batch = tests::empty_batch(dice);
    for (const tests::Shape& shape : {tests::Shape{1, 17, 3},
                                      {16, 1, 3},
                                      {15, 17, 5},
                                      {16, 16, 5},
                                      {15, 16, 8},
                                      {3, 3, 15},
                                      {31, 1, 2},
                                      {1, 32, 2},
                                      {31, 32, 2},
                                      {31, 32, 15}})
      for (int i = 0; i < 8; ++i)
        batch.requests.push_back(tests::random_request(dice, shape, 3));
    ASSERT_NO_FATAL_FAILURE(expect(judged(std::move(batch), Judge::kReference)));
  }
}

TEST_F(CudaEngine, PlaysManySmallPositionsAsASearchSendsThem) {
  Dice dice(205);
  for (int i = 0; i < tests::scaled(8); ++i)
    ASSERT_NO_FATAL_FAILURE(expect(judged(tests::alike_batch(dice, 2'048, true), Judge::kReference)));
}

TEST_F(CudaEngine, PlaysManyPositionsOfEverySizeAsASearchSendsThem) {
  Dice dice(206);
  for (int i = 0; i < tests::scaled(4); ++i)
    ASSERT_NO_FATAL_FAILURE(expect(judged(tests::alike_batch(dice, 200, false), Judge::kReference)));
}

TEST_F(CudaEngine, PlaysMixedBatchesOfRaggedRequests) {
  Dice dice(207);
  for (int i = 0; i < tests::scaled(6); ++i)
    ASSERT_NO_FATAL_FAILURE(expect(judged_by_cpu(tests::mixed_batch(dice, 40, 60))));
}

// Around the sizes of a warp, of a block and of a piece.
TEST_F(CudaEngine, PlaysAnyNumberOfPlayoutsOfARequest) {
  Dice dice(208);
  Batch batch = tests::empty_batch(dice);
  for (const std::uint32_t playouts : {0u, 1u, 2u, 31u, 32u, 33u, 127u, 128u, 129u, 4'095u, 4'096u, 4'097u, 5'000u})
    batch.requests.push_back(tests::random_request(dice, tests::random_shape(dice, 6, 6, 4), playouts));
  expect(judged_by_cpu(std::move(batch)));
}

TEST_F(CudaEngine, PlaysAnyNumberOfPositions) {
  Dice dice(209);
  for (const int positions : {1, 2, 31, 32, 33, 500, 4'096})
    ASSERT_NO_FATAL_FAILURE(expect(judged_by_cpu(tests::ragged_batch(dice, positions, 4))));
}

TEST_F(CudaEngine, PlaysAHundredThousandPlayoutsOfOnePosition) {
  Dice dice(210);
  Batch batch = batch_for(request_for(tests::full_board(dice, {5, 5, 3}), {}, 100'000));
  batch.histogram = {.low = -50, .width = 40, .bins = 20};
  expect(judged_by_cpu(std::move(batch)));
}

// Equal boards are sent once; what differs is what the request says of them.
TEST_F(CudaEngine, PlaysEqualPositionsOfManyRequests) {
  Dice dice(211);
  for (const tests::Shape& shape : {tests::Shape{8, 8, 4}, {18, 5, 9}}) {
    const Position boards[] = {tests::full_board(dice, shape), tests::full_board(dice, shape)};
    Batch batch = tests::empty_batch(dice);
    for (int i = 0; i < 120; ++i) {
      Request request = request_for(boards[dice.below(2)], {}, static_cast<std::uint32_t>(dice.between(1, 3)));
      request.policy.kind = dice.one_in(2) ? PolicyKind::kTabuRandom : PolicyKind::kTabuColorRandom;
      if (dice.one_in(2)) request.policy.tabu_color = dice.below(shape.colors + 2);
      request.key = static_cast<std::uint64_t>(dice.below(10));
      request.points = dice.below(100);
      batch.requests.push_back(request);
    }
    ASSERT_NO_FATAL_FAILURE(expect(judged(std::move(batch), Judge::kReference)));
  }
}

TEST_F(CudaEngine, GivesTheSameAnswerToTheSameQuestion) {
  Dice dice(212);
  Batch batch = tests::empty_batch(dice);
  batch.requests.resize(50, tests::random_request(dice, {9, 9, 4}, 20));
  const Outcome outcome = engine().run(batch);
  ASSERT_EQ(outcome.results.size(), 50u);
  EXPECT_EQ(outcome.results[0].count, 20u);
  for (const Result& result : outcome.results)
    EXPECT_EQ(result, outcome.results[0]);
}

TEST_F(CudaEngine, PlaysNothingWhenAskedForNothing) {
  EXPECT_TRUE(engine().run({}).results.empty());
  EXPECT_EQ(engine().run({}).error, "");
  Batch batch = batch_for(request_for(one_color(3, 3), {}, 0));
  batch.histogram.bins = 4;
  batch.requests.resize(3, batch.requests.front());
  batch.requests[1].policy.kind = PolicyKind::kLargestFirst;
  const Outcome outcome = engine().run(batch);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.results.size(), 3u);
  for (const Result& result : outcome.results) {
    EXPECT_EQ(result.count, 0u);
    EXPECT_EQ(result.histogram, std::vector<std::uint64_t>(4));
  }
}

TEST_F(CudaEngine, ScoresBoardsWithoutAMoveAtOnce) {
  for (const game::Scoring& scoring : game::kScorings) {
    Batch batch;
    batch.scoring = scoring;
    for (const Policy& policy : policies_with_parameters()) {
      batch.requests.push_back(request_for(Position(15, 15), policy, 5));
      batch.requests.push_back(request_for(tests::board_of({"0101", "1010"}), policy, 40));
      batch.requests.push_back(request_for(Position(31, 32), policy, 3));
      batch.requests.push_back(request_for(tests::board_of({"0"}), policy, 1));
      batch.requests.push_back(request_for(tests::board_of({"E"}), policy, 1));
    }
    const Case wanted = judged(std::move(batch), Judge::kPosition);
    ASSERT_EQ(wanted.expected[0].best, scoring.clear_bonus);
    ASSERT_EQ(wanted.expected[0].moves, 0u);
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
  }
}

// A whole board at once is the most points a game can earn: 238 * 238 on a small one, 992 * 991 for Bubble Breaker on
// the largest.
TEST_F(CudaEngine, HoldsTheLargestScores) {
  for (const game::Scoring& scoring : game::kScorings) {
    for (const int points : {1'000'000, -1'000'000}) {
      Batch batch;
      batch.scoring = scoring;
      for (const game::NamedPolicy& named : game::kPolicies) {
        batch.requests.push_back(request_for(one_color(15, 16), named.policy, 3));
        batch.requests.push_back(request_for(one_color(31, 32), named.policy, 1));
      }
      for (Request& request : batch.requests)
        request.points = points;
      const Case wanted = judged(std::move(batch), Judge::kPosition);
      ASSERT_EQ(wanted.expected[0].best, points + scoring.group_points(240) + scoring.clear_bonus);
      ASSERT_EQ(wanted.expected[1].worst, points + scoring.group_points(992) + scoring.clear_bonus);
      ASSERT_NO_FATAL_FAILURE(expect(wanted));
    }
  }
}

// Checkerboards of one colour and gaps cannot be; two colours that alternate leave the most blocks to be deducted for.
TEST_F(CudaEngine, HoldsTheLargestDeductions) {
  Position small(15, 16), wide(31, 32);
  for (Position* board : {&small, &wide})
    for (int c = 0; c < board->columns(); ++c)
      for (int r = 0; r < board->rows(); ++r)
        board->set(c, r, (c + r) % 2);
  for (const game::Scoring& scoring : game::kScorings) {
    Batch batch = batch_for(request_for(small, {}, 2));
    batch.requests.push_back(request_for(wide, {}, 2));
    batch.scoring = scoring;
    const Case wanted = judged(std::move(batch), Judge::kPosition);
    const int halves[] = {496, 496};
    ASSERT_EQ(wanted.expected[1].best, scoring.final_points(halves));
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
  }
}

TEST_F(CudaEngine, NumbersPlayoutsFromTheFirstOne) {
  Dice dice(213);
  const Request whole = request_for(tests::full_board(dice, {7, 7, 4}), {.epsilon = game::epsilon_from(0.1)}, 1'000);
  Request head = whole, tail = whole;
  head.playouts = 333;
  tail.playouts = 667;
  tail.first_playout = 333;
  Result sum = engine().run(batch_for(head)).results.at(0);
  sum.add(engine().run(batch_for(tail)).results.at(0));
  EXPECT_EQ(sum, engine().run(batch_for(whole)).results.at(0));
}

// The number after 2^32 - 1 is 0, also where the request is cut into pieces on either side of it.
TEST_F(CudaEngine, NumbersOfPlayoutsWrap) {
  Dice dice(214);
  const Position board = tests::full_board(dice, {5, 5, 3});
  Batch batch = tests::empty_batch(dice);
  for (const auto& [first, playouts] :
       {std::pair{0xFFFFFFFFu, 1u}, {0xFFFFFFFFu, 2u}, {0xFFFFFF00u, 256u}, {0xFFFFFF00u, 600u}, {0xFFFFF448u, 9'000u}})
    for (const PolicyKind kind : {PolicyKind::kTabuRandom, PolicyKind::kTabuColorRandom}) {
      batch.requests.push_back(request_for(board, {.kind = kind}, playouts));
      batch.requests.back().first_playout = first;
    }
  const Case wanted = judged(batch, Judge::kPosition);
  ASSERT_NO_FATAL_FAILURE(expect(wanted));
  EXPECT_EQ(judged_by_cpu(std::move(batch)).expected, wanted.expected);
}

TEST_F(CudaEngine, NamesTheLowestNumberAmongEqualBests) {
  // Two pairs in a row, cleared in either order: every playout scores 1000.
  Request request = request_for(tests::board_of({"0011"}), {.kind = PolicyKind::kRandom}, 9'000);
  request.first_playout = 17;
  Result result = engine().run(batch_for(request)).results.at(0);
  EXPECT_EQ(result.best, 1000);
  EXPECT_EQ(result.worst, 1000);
  EXPECT_EQ(result.best_playout, 17u);
  request.first_playout = 0xFFFFF000u;
  result = engine().run(batch_for(request)).results.at(0);
  EXPECT_EQ(result.best_playout, 0u);
}

TEST_F(CudaEngine, UsesAllBitsOfKeyAndSeed) {
  Dice dice(215);
  const Position board = tests::full_board(dice, {8, 8, 3});
  std::vector<std::uint64_t> digests;
  for (const std::uint64_t seed : {std::uint64_t{5}, std::uint64_t{5} << 32 | 5}) {
    Batch batch;
    batch.seed = seed;
    for (const std::uint64_t key : {std::uint64_t{9}, std::uint64_t{1} << 32 | 9, std::uint64_t{1} << 63 | 9}) {
      batch.requests.push_back(request_for(board, {}, 10));
      batch.requests.back().key = key;
    }
    const Case wanted = judged(std::move(batch), Judge::kReference);
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
    for (const Result& result : wanted.expected)
      digests.push_back(result.digest);
  }
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::unique(digests.begin(), digests.end()), digests.end());
}

TEST_F(CudaEngine, ClampsHistogramsIntoTheirOuterBins) {
  Dice dice(216);
  Batch batch = batch_for(request_for(tests::full_board(dice, {8, 8, 4}), {}, 500));
  batch.requests.push_back(request_for(tests::full_board(dice, {8, 8, 4}), {.kind = PolicyKind::kLargestFirst}, 20));
  const Result range = tests::expected_results(batch, Judge::kPosition)[0];
  // Four bins in the middle of the scores, so that many lie beyond either end.
  batch.histogram = {.low = static_cast<int>(range.sum / 500) - 6, .width = 3, .bins = 4};
  ASSERT_LT(range.worst, batch.histogram.low);
  ASSERT_GT(range.best, batch.histogram.low + 12);
  ASSERT_NO_FATAL_FAILURE(expect(judged(batch, Judge::kPosition)));
  batch.histogram = {.low = range.best + 1, .width = 3, .bins = 1};
  expect(judged(batch, Judge::kPosition));
}

// Together more counters than a launch has, so that it takes several.
TEST_F(CudaEngine, CountsLargeHistograms) {
  Dice dice(217);
  Batch batch;
  batch.histogram = {.low = -1'000, .width = 1, .bins = 60'000};
  for (int i = 0; i < 9; ++i)
    batch.requests.push_back(tests::random_request(dice, {4, 4, 2}, 10));
  expect(judged(std::move(batch), Judge::kPosition));
}

TEST_F(CudaEngine, SaysHowManyBinsItCounts) {
  Batch batch = batch_for(request_for(one_color(3, 3), {}, 2));
  batch.histogram.bins = 1 << 18;
  const Case wanted = judged(batch, Judge::kPosition);
  ASSERT_NO_FATAL_FAILURE(expect(wanted));
  ++batch.histogram.bins;
  const Outcome outcome = engine().run(batch);
  EXPECT_EQ(outcome.error, "the CUDA engine counts at most 262144 bins of a histogram, not 262145");
  EXPECT_TRUE(outcome.results.empty());
}

TEST_F(CudaEngine, TakesParametersFarOutOfRange) {
  Dice dice(218);
  const Position position = tests::full_board(dice, {10, 10, 5}), seven = tests::full_board(dice, {15, 16, 7});
  Batch batch;
  for (int below : {-5, 99, 100, 1'000'000})
    batch.requests.push_back(request_for(position, {.random_below = below}, 40));
  for (int color = 0; color < game::kMaxColors; ++color) {
    batch.requests.push_back(request_for(position, {.tabu_color = color}, 20));
    batch.requests.push_back(request_for(seven, {.tabu_color = color}, 5));
  }
  expect(judged(std::move(batch), Judge::kPosition));
}

TEST_F(CudaEngine, GivesATicketOneOutcome) {
  const game::Ticket ticket = engine().submit(batch_for(request_for(one_color(4, 4), {}, 10)));
  while (!engine().poll(ticket))
    std::this_thread::yield();
  EXPECT_TRUE(engine().poll(ticket));
  const Outcome outcome = engine().wait(ticket);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results.size(), 1u);
  const std::string refusal =
      "ticket " + std::to_string(ticket) + " is not one the engine gave out, or was waited for before";
  EXPECT_EQ(engine().wait(ticket).error, refusal);
  EXPECT_NE(engine().wait(ticket + 100).error, "");
  EXPECT_NE(engine().wait(0).error, "");
  EXPECT_TRUE(engine().poll(ticket));
  EXPECT_TRUE(engine().poll(ticket + 100));
}

TEST_F(CudaEngine, AnEmptyBatchIsCompleteAtOnce) {
  const game::Ticket ticket = engine().submit({});
  EXPECT_TRUE(engine().poll(ticket));
  EXPECT_EQ(engine().wait(ticket).error, "");
  EXPECT_NE(engine().wait(ticket).error, "");
}

// Policies that play on the single position are played elsewhere; a ticket waits for both parts.
TEST_F(CudaEngine, OneTicketIsForAllPartsOfABatch) {
  Dice dice(219);
  Batch batch = tests::empty_batch(dice);
  batch.requests.push_back(request_for(tests::full_board(dice, {6, 6, 3}), {}, 200));
  batch.requests.push_back(
      request_for(tests::full_board(dice, {15, 15, 5}), {.kind = PolicyKind::kLargestFirst}, 2'000));
  const Case wanted = judged(std::move(batch), Judge::kPosition);
  const game::Ticket ticket = engine().submit(wanted.batch);
  while (!engine().poll(ticket))
    std::this_thread::yield();
  tests::expect_outcome(wanted.batch, engine().wait(ticket), wanted.expected);
}

TEST_F(CudaEngine, TakesBatchesOfManyThreadsAtOnce) {
  std::vector<Case> cases;
  Dice dice(220);
  for (int i = 0; i < 5; ++i)
    cases.push_back(judged_by_cpu(tests::ragged_batch(dice, 30, 20)));
  std::vector<std::thread> users;
  for (int user = 0; user < 4; ++user) {
    users.emplace_back([&, user] {
      std::deque<std::pair<std::size_t, game::Ticket>> flights;
      for (std::size_t i = 0; i < 10; ++i) {
        const std::size_t which = (i * 3 + static_cast<std::size_t>(user)) % cases.size();
        flights.emplace_back(which, engine().submit(cases[which].batch));
      }
      // Out of order: the last one first.
      for (; !flights.empty(); flights.pop_back()) {
        const Case& wanted = cases[flights.back().first];
        tests::expect_outcome(wanted.batch, engine().wait(flights.back().second), wanted.expected);
      }
    });
  }
  for (std::thread& user : users)
    user.join();
}

TEST_F(CudaEngine, StopsWithWorkInFlight) {
  Dice dice(221);
  const Position position = tests::full_board(dice, {5, 5, 3});
  const auto made = cuda::make_cuda_engine({.devices = {}, .memory = tests::kSmallestMemory});
  for (int i = 0; i < 8; ++i)
    made->submit(batch_for(request_for(position, {}, 100'000)));
}

TEST_F(CudaEngine, DescribesItself) {
  const game::Capabilities& capabilities = engine().capabilities();
  EXPECT_EQ(capabilities.name.rfind("cuda (" + cuda::list_devices().devices.at(0).name, 0), 0u) << capabilities.name;
  EXPECT_FALSE(capabilities.on_cpu);
  EXPECT_GE(capabilities.lanes, 32);
  EXPECT_GE(capabilities.recommended_batch, static_cast<std::uint64_t>(capabilities.lanes));
  EXPECT_GE(capabilities.largest_batch, capabilities.recommended_batch);
  EXPECT_GE(capabilities.batches_in_flight, 2);
}

TEST_F(CudaEngine, CountsBatchesAndPlayoutsWhenTheyAreComplete) {
  const auto made = cuda::make_cuda_engine({});
  EXPECT_EQ(made->usage().batches, 0u);
  EXPECT_EQ(made->usage().busy_seconds, 0);
  Batch batch;
  batch.requests.push_back(request_for(one_color(5, 5), {}, 3'000));
  batch.requests.push_back(request_for(one_color(4, 4), {}, 0));
  batch.requests.push_back(request_for(one_color(20, 3), {}, 70));
  made->run(batch);
  EXPECT_EQ(made->usage().batches, 1u);
  EXPECT_EQ(made->usage().playouts, 3'070u);
}

// As those of the CPU engine, which counts a batch of nothing, too.
TEST_F(CudaEngine, CountsWhatIsPlayedOnTheSinglePositionAndBatchesOfNothing) {
  const auto made = cuda::make_cuda_engine({});
  made->run(batch_for(request_for(one_color(4, 4), {.kind = PolicyKind::kLargestFirst}, 5)));
  EXPECT_EQ(made->usage().batches, 1u);
  EXPECT_EQ(made->usage().playouts, 5u);
  made->run({});
  EXPECT_EQ(made->usage().batches, 2u);
  EXPECT_EQ(made->usage().playouts, 5u);
}

// Neither more than the clock says, nor what is spent waiting for work.
TEST_F(CudaEngine, IsBusyOnlyWhileKernelsRun) {
  using Clock = std::chrono::steady_clock;
  const auto made = cuda::make_cuda_engine({});
  Dice dice(222);
  const Batch batch = batch_for(request_for(tests::full_board(dice, {6, 6, 3}), {}, 5'000));
  const Clock::time_point start = Clock::now();
  made->run(batch);
  const double first = made->usage().busy_seconds;
  EXPECT_GT(first, 0);
  EXPECT_LE(first, std::chrono::duration<double>(Clock::now() - start).count());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(made->usage().busy_seconds, first);
  made->run(batch);
  EXPECT_GT(made->usage().busy_seconds, first);
}

TEST_F(CudaEngine, RefusesDevicesThatAreNotThere) {
  const std::size_t devices = cuda::list_devices().devices.size();
  for (const int index : {-1, static_cast<int>(devices), 77}) {
    try {
      cuda::make_cuda_engine({.devices = {index}});
      FAIL() << index;
    } catch (const cuda::NoDevice& error) {
      EXPECT_EQ(error.what(),
                "there is no CUDA device " + std::to_string(index) + "; this machine has " + std::to_string(devices));
    }
  }
}

// The number it names is the truth: with so many MB there is an engine, with one less there is none.
TEST_F(CudaEngine, SaysHowMuchMemoryItNeedsAtLeast) {
  std::string sentence;
  try {
    cuda::make_cuda_engine({.devices = {}, .memory = 1 << 20});
  } catch (const cuda::NoDevice& error) {
    sentence = error.what();
  }
  int needed = 0;
  ASSERT_EQ(std::sscanf(sentence.c_str(), "the CUDA engine needs at least %d MB of device memory", &needed), 1)
      << sentence;
  EXPECT_EQ(sentence,
            "the CUDA engine needs at least " + std::to_string(needed) + " MB of device memory, and may use 1 MB");
  const auto with_megabytes = [](int megabytes) {
    return cuda::make_cuda_engine({.devices = {}, .memory = static_cast<std::uint64_t>(megabytes) << 20});
  };
  EXPECT_THROW(with_megabytes(needed - 1), cuda::NoDevice);
  Dice dice(223);
  tests::expect_right(*with_megabytes(needed), judged_by_cpu(tests::ragged_batch(dice, 20, 20)));
}

}  // namespace
}  // namespace chainshot
