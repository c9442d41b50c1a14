// The CPU engine in all its forms - every instruction set, both geometries, several threads - against playouts played
// one by one.
#include "cpu/cpu_engine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <set>
#include <thread>

#include "tests/engine_cases.hpp"
#include "tests/test_scale.hpp"

namespace chainshot {
namespace {

using cpu::CpuEngineOptions;
using game::Batch;
using game::Outcome;
using game::Policy;
using game::PolicyKind;
using game::Position;
using game::Request;
using game::Result;
using tests::Dice;
using tests::Judge;

struct Case {
  Batch batch;
  std::vector<Result> expected;
};

Case judged(Batch batch, Judge judge) {
  std::vector<Result> expected = tests::expected_results(batch, judge);
  return {std::move(batch), std::move(expected)};
}

// Judged once, shared by all forms of the engine.
const std::vector<Case>& small_cases() {
  static const std::vector<Case> cases = [] {
    Dice dice(51);
    std::vector<Case> out;
    for (int i = 0; i < 48; ++i)
      out.push_back(judged(tests::alike_batch(dice, tests::scaled_unless_sanitized(2'048), true), Judge::kReference));
    return out;
  }();
  return cases;
}

const std::vector<Case>& wide_cases() {
  static const std::vector<Case> cases = [] {
    Dice dice(52);
    std::vector<Case> out;
    for (int i = 0; i < 6; ++i)
      out.push_back(judged(tests::alike_batch(dice, tests::scaled_unless_sanitized(768), false), Judge::kReference));
    return out;
  }();
  return cases;
}

const std::vector<Case>& mixed_cases() {
  static const std::vector<Case> cases = [] {
    Dice dice(53);
    std::vector<Case> out;
    for (int i = 0; i < tests::scaled_unless_sanitized(6); ++i)
      out.push_back(judged(tests::mixed_batch(dice, 40, 60), Judge::kPosition));
    return out;
  }();
  return cases;
}

Batch batch_of(Request request) {
  Batch batch;
  batch.seed = 77;
  batch.requests = {std::move(request)};
  return batch;
}

Request request_of(const Position& position, const Policy& policy, std::uint32_t playouts) {
  Request request;
  request.position = position;
  request.policy = policy;
  request.playouts = playouts;
  request.key = 0x123456789;
  return request;
}

Position one_color(int columns, int rows) {
  Position position(columns, rows);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r)
      position.set(c, r, 0);
  return position;
}

class CpuEngine : public ::testing::TestWithParam<std::tuple<cpu::Isa, bool, int>> {
 public:
  static std::unique_ptr<game::Engine> make() {
    const auto [isa, wide_only, threads] = GetParam();
    return cpu::make_cpu_engine({.threads = threads, .isa = isa, .wide_only = wide_only});
  }
  static void expect(const Case& wanted) {
    ASSERT_NO_FATAL_FAILURE(tests::expect_outcome(wanted.batch, make()->run(wanted.batch), wanted.expected));
  }
  static void expect(const std::vector<Case>& cases) {
    for (const Case& wanted : cases)
      ASSERT_NO_FATAL_FAILURE(expect(wanted));
  }
};

std::string name_of_form(const ::testing::TestParamInfo<CpuEngine::ParamType>& info) {
  const auto [isa, wide_only, threads] = info.param;
  return std::string(cpu::name_of(isa)) + (wide_only ? "_wide_only_" : "_") + std::to_string(threads);
}

INSTANTIATE_TEST_SUITE_P(Forms, CpuEngine,
                         ::testing::Combine(::testing::ValuesIn(cpu::available_isas()), ::testing::Bool(),
                                            ::testing::Values(1, 2, 3)),
                         name_of_form);

// Threads share out the work and play no part in a game: each number of them takes a third of the cases.
TEST_P(CpuEngine, EqualsTheReferenceOnSmallBoards) {
  for (std::size_t i = static_cast<std::size_t>(std::get<2>(GetParam())) - 1; i < small_cases().size(); i += 3)
    ASSERT_NO_FATAL_FAILURE(expect(small_cases()[i]));
}

TEST_P(CpuEngine, EqualsTheReferenceOnBoardsOfEverySize) {
  for (std::size_t i = static_cast<std::size_t>(std::get<2>(GetParam())) - 1; i < wide_cases().size(); i += 3)
    ASSERT_NO_FATAL_FAILURE(expect(wide_cases()[i]));
}

TEST_P(CpuEngine, PlaysMixedBatchesOfRaggedRequests) {
  expect(mixed_cases());
}

TEST_P(CpuEngine, PlaysNothingWhenAskedForNothing) {
  const auto engine = make();
  EXPECT_TRUE(engine->run({}).results.empty());
  EXPECT_EQ(engine->run({}).error, "");
  Batch batch = batch_of(request_of(one_color(3, 3), {}, 0));
  batch.histogram.bins = 4;
  batch.requests.resize(3, batch.requests.front());
  const Outcome outcome = engine->run(batch);
  ASSERT_EQ(outcome.results.size(), 3u);
  for (const Result& result : outcome.results) {
    EXPECT_EQ(result.count, 0u);
    EXPECT_EQ(result.histogram, std::vector<std::uint64_t>(4));
  }
}

TEST_P(CpuEngine, ScoresBoardsWithoutAMoveAtOnce) {
  for (const game::NamedPolicy& named : game::kPolicies) {
    Batch batch = batch_of(request_of(Position(15, 15), named.policy, 5));
    batch.requests.push_back(request_of(tests::board_of({"0101", "1010"}), named.policy, 40));
    batch.requests.push_back(request_of(Position(31, 32), named.policy, 3));
    batch.requests.push_back(request_of(tests::board_of({"0"}), named.policy, 1));
    ASSERT_NO_FATAL_FAILURE(expect(judged(batch, Judge::kPosition)));
  }
}

// 240 blocks at once are the most points a small lane must hold: 238 * 238, or 240 * 239 for Bubble Breaker.
TEST_P(CpuEngine, HoldsTheLargestScores) {
  for (const game::Scoring& scoring : game::kScorings) {
    for (const game::NamedPolicy& named : game::kPolicies) {
      Batch batch = batch_of(request_of(one_color(15, 16), named.policy, 3));
      batch.scoring = scoring;
      batch.requests.push_back(request_of(one_color(15, 15), named.policy, 3));
      batch.requests.push_back(request_of(one_color(31, 32), named.policy, 3));
      for (Request& request : batch.requests)
        request.points = 1'000'000;
      const Case wanted = judged(batch, Judge::kPosition);
      ASSERT_EQ(wanted.expected[0].best, 1'000'000 + scoring.group_points(240) + scoring.clear_bonus);
      ASSERT_NO_FATAL_FAILURE(expect(wanted));
    }
  }
}

TEST_P(CpuEngine, NumbersPlayoutsFromTheFirstOne) {
  Dice dice(54);
  const auto engine = make();
  Request whole = request_of(tests::full_board(dice, {9, 9, 4}), {.epsilon = game::epsilon_from(0.1)}, 1'000);
  Request head = whole, tail = whole;
  head.playouts = 333;
  tail.playouts = 667;
  tail.first_playout = 333;
  Result sum = engine->run(batch_of(head)).results.at(0);
  sum.add(engine->run(batch_of(tail)).results.at(0));
  EXPECT_EQ(sum, engine->run(batch_of(whole)).results.at(0));
  whole.first_playout = 0xFFFFFF00u;
  whole.playouts = 256;
  expect(judged(batch_of(whole), Judge::kPosition));
}

TEST_P(CpuEngine, NamesTheLowestNumberAmongEqualBests) {
  // Two pairs in a row, cleared in either order: every playout scores 1000.
  const auto engine = make();
  Request request = request_of(tests::board_of({"0011"}), {.kind = PolicyKind::kRandom}, 3'000);
  request.first_playout = 17;
  const Result result = engine->run(batch_of(request)).results.at(0);
  EXPECT_EQ(result.best, 1000);
  EXPECT_EQ(result.worst, 1000);
  EXPECT_EQ(result.best_playout, 17u);
}

TEST_P(CpuEngine, ClampsHistogramsIntoTheirOuterBins) {
  Dice dice(55);
  Batch batch = batch_of(request_of(tests::full_board(dice, {8, 8, 4}), {}, 500));
  const Result range = tests::expected_results(batch, Judge::kPosition)[0];
  // Four bins in the middle of the scores, so that many lie beyond either end.
  batch.histogram = {.low = static_cast<int>(range.sum / 500) - 6, .width = 3, .bins = 4};
  ASSERT_LT(range.worst, batch.histogram.low);
  ASSERT_GT(range.best, batch.histogram.low + 12);
  expect(judged(batch, Judge::kPosition));
}

TEST_P(CpuEngine, TakesParametersFarOutOfRange) {
  Dice dice(56);
  const Position position = tests::full_board(dice, {10, 10, 5}), seven = tests::full_board(dice, {15, 16, 7});
  Batch batch;
  for (int below : {-5, 99, 100, 1'000'000})
    batch.requests.push_back(request_of(position, {.random_below = below}, 40));
  for (int color = 0; color < game::kMaxColors; ++color) {
    batch.requests.push_back(request_of(position, {.tabu_color = color}, 20));
    batch.requests.push_back(request_of(seven, {.tabu_color = color}, 20));
  }
  expect(judged(batch, Judge::kPosition));
}

TEST_P(CpuEngine, GivesATicketOneOutcome) {
  const auto engine = make();
  const game::Ticket ticket = engine->submit(batch_of(request_of(one_color(4, 4), {}, 10)));
  while (!engine->poll(ticket))
    std::this_thread::yield();
  EXPECT_EQ(engine->wait(ticket).results.size(), 1u);
  EXPECT_NE(engine->wait(ticket).error, "");
  EXPECT_NE(engine->wait(ticket + 100).error, "");
}

TEST_P(CpuEngine, StopsWithWorkInFlight) {
  Dice dice(57);
  const Position position = tests::full_board(dice, {15, 15, 5});
  const auto engine = make();
  for (int i = 0; i < 8; ++i)
    engine->submit(batch_of(request_of(position, {}, 1'000'000)));
}

TEST_P(CpuEngine, DescribesItself) {
  const auto engine = make();
  const game::Capabilities& capabilities = engine->capabilities();
  EXPECT_NE(capabilities.name.find(cpu::name_of(std::get<0>(GetParam()))), std::string::npos);
  EXPECT_TRUE(capabilities.on_cpu);
  EXPECT_GE(capabilities.lanes, 1);
  EXPECT_GE(capabilities.recommended_batch, 1u);
  EXPECT_GE(capabilities.largest_batch, capabilities.recommended_batch);
}

// Sizes and threads in earnest, on the best instruction set.
TEST(CpuEngineBatches, PlayAHundredThousandPlayoutsOfOnePosition) {
  Dice dice(58);
  const Request request = request_of(tests::full_board(dice, {6, 6, 4}), {}, 100'000);
  const Case wanted = judged(batch_of(request), Judge::kPosition);
  for (int threads : {1, 2, 3}) {
    const Outcome outcome = cpu::make_cpu_engine({.threads = threads})->run(wanted.batch);
    ASSERT_NO_FATAL_FAILURE(tests::expect_outcome(wanted.batch, outcome, wanted.expected));
  }
}

TEST(CpuEngineBatches, PlayEveryNumberOfPlayoutsAndPositions) {
  Dice dice(59);
  const auto engine = cpu::make_cpu_engine({.threads = 2});
  for (int positions : {1, 2, 31, 32, 33, 64, 65, 500, 4'096}) {
    for (int playouts : {1, 2, 7, 33, 200}) {
      if (positions * playouts > 9'000) continue;
      Batch batch = tests::empty_batch(dice);
      for (int i = 0; i < positions; ++i) {
        batch.requests.push_back(
            request_of(tests::full_board(dice, {8, 8, 4}), {}, static_cast<std::uint32_t>(playouts)));
        batch.requests.back().key = dice.word();
      }
      ASSERT_NO_FATAL_FAILURE(
          tests::expect_outcome(batch, engine->run(batch), tests::expected_results(batch, Judge::kPosition)));
    }
  }
}

TEST(CpuEngineBatches, AreCountedWhenTheyAreComplete) {
  const auto engine = cpu::make_cpu_engine({.threads = 2});
  EXPECT_EQ(engine->usage().batches, 0u);
  EXPECT_EQ(engine->usage().busy_seconds, 0);
  Dice dice(63);
  Batch batch;
  batch.requests.push_back(tests::random_request(dice, {15, 15, 5}, 3'000));
  batch.requests.push_back(tests::random_request(dice, {4, 4, 2}, 0));
  batch.requests.push_back(tests::random_request(dice, {20, 20, 9}, 70));
  engine->run(batch);
  EXPECT_EQ(engine->usage().batches, 1u);
  EXPECT_EQ(engine->usage().playouts, 3'070u);
  engine->run({});
  EXPECT_EQ(engine->usage().batches, 2u);
  EXPECT_EQ(engine->usage().playouts, 3'070u);
}

// Neither more than the clock says, nor what is spent waiting for work.
TEST(CpuEngineBatches, KeepTheEngineBusyOnlyWhileTheyArePlayed) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  };
  const auto engine = cpu::make_cpu_engine({.threads = 2});
  Dice dice(64);
  Batch batch;
  batch.requests.push_back(tests::random_request(dice, {15, 15, 5}, 20'000));
  const Clock::time_point start = Clock::now();
  engine->run(batch);
  const double first = engine->usage().busy_seconds, wall = seconds_since(start);
  EXPECT_GT(first, 0);
  EXPECT_LE(first, wall);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(engine->usage().busy_seconds, first);
  const Clock::time_point again = Clock::now();
  engine->run(batch);
  EXPECT_GT(engine->usage().busy_seconds, first);
  EXPECT_LE(engine->usage().busy_seconds, first + seconds_since(again));
}

TEST(CpuEngineBatches, MayBeInFlightTogetherFromManyThreads) {
  const auto engine = cpu::make_cpu_engine({.threads = 2});
  const std::vector<Case>& cases = mixed_cases();
  std::vector<std::thread> users;
  for (int user = 0; user < 4; ++user) {
    users.emplace_back([&, user] {
      std::deque<std::pair<std::size_t, game::Ticket>> flights;
      for (std::size_t i = 0; i < 12; ++i) {
        const std::size_t which = (i * 5 + static_cast<std::size_t>(user)) % cases.size();
        flights.emplace_back(which, engine->submit(cases[which].batch));
      }
      // Out of order: the last one first.
      for (; !flights.empty(); flights.pop_back()) {
        const Case& wanted = cases[flights.back().first];
        tests::expect_outcome(wanted.batch, engine->wait(flights.back().second), wanted.expected);
      }
    });
  }
  for (std::thread& user : users)
    user.join();
}

TEST(Isa, NamesReadBackAndTheBestIsAvailable) {
  const std::vector<cpu::Isa> isas = cpu::available_isas();
  ASSERT_FALSE(isas.empty());
  EXPECT_EQ(isas.front(), cpu::Isa::kPortable);
  EXPECT_EQ(isas.back(), cpu::best_isa());
  for (cpu::Isa isa : {cpu::Isa::kPortable, cpu::Isa::kAvx2, cpu::Isa::kAvx512})
    EXPECT_EQ(cpu::isa_named(cpu::name_of(isa)), isa);
  EXPECT_EQ(cpu::isa_named("mmx"), std::nullopt);
}

}  // namespace
}  // namespace chainshot
