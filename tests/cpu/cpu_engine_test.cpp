// Compares the CPU engine in all its forms - every instruction set, both geometries, several threads - with playouts
// played one at a time.
#include "cpu/engine/cpu_engine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/support/engine_contract.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot {
namespace {

using game::Batch;
using game::Outcome;
using game::Request;
using tests::batch_for;
using tests::Case;
using tests::Dice;
using tests::Judge;
using tests::judged;
using tests::request_for;

// The expected results are computed once and shared by all forms of the engine.
const std::vector<Case>& small_cases() {
  static const std::vector<Case> kCases = [] {
    Dice dice(51);
    std::vector<Case> out;
    for (int i = 0; i < tests::scaled(48); ++i)
      out.push_back(judged(tests::alike_batch(dice, 2'048, true), Judge::kReference));
    return out;
  }();
  return kCases;
}

const std::vector<Case>& wide_cases() {
  static const std::vector<Case> kCases = [] {
    Dice dice(52);
    std::vector<Case> out;
    for (int i = 0; i < 6; ++i)
      out.push_back(judged(tests::alike_batch(dice, tests::scaled(768), false), Judge::kReference));
    return out;
  }();
  return kCases;
}

const std::vector<Case>& mixed_cases() {
  static const std::vector<Case> kCases = [] {
    Dice dice(53);
    std::vector<Case> out;
    for (int i = 0; i < tests::scaled(6); ++i)
      out.push_back(judged(tests::mixed_batch(dice, 40, 60), Judge::kPosition));
    return out;
  }();
  return kCases;
}

class CpuEngine : public ::testing::TestWithParam<std::tuple<cpu::Isa, bool, int>> {
 public:
  static void expect(const Case& wanted) {
    const auto [isa, wide_only, threads] = GetParam();
    const auto engine = cpu::make_cpu_engine({.threads = threads, .isa = isa, .wide_only = wide_only});
    EXPECT_NE(engine->capabilities().name.find(cpu::name_of(isa)), std::string::npos);
    EXPECT_TRUE(engine->capabilities().on_cpu);
    ASSERT_NO_FATAL_FAILURE(tests::expect_right(*engine, wanted));
  }
  static void expect(const std::vector<Case>& cases) {
    for (const Case& wanted : cases)
      ASSERT_NO_FATAL_FAILURE(expect(wanted));
  }
};

std::string name_of(cpu::Isa isa, bool wide_only, int threads) {
  return std::string(cpu::name_of(isa)) + (wide_only ? "_wide_only_" : "_") + std::to_string(threads);
}

INSTANTIATE_TEST_SUITE_P(Forms, CpuEngine,
                         ::testing::Combine(::testing::ValuesIn(cpu::available_isas()), ::testing::Bool(),
                                            ::testing::Values(1, 2, 3)),
                         [](const auto& test) { return std::apply(name_of, test.param); });

std::vector<tests::EngineForm> forms() {
  std::vector<tests::EngineForm> out;
  for (const cpu::Isa isa : cpu::available_isas())
    for (const bool wide_only : {false, true})
      for (const int threads : {1, 2, 3})
        out.push_back({name_of(isa, wide_only, threads),
                       [=] { return cpu::make_cpu_engine({.threads = threads, .isa = isa, .wide_only = wide_only}); }});
  out.push_back({"one_of_two_waits", [] { return cpu::make_cpu_engine({.threads = 2, .caller_threads = 1}); }});
  return out;
}

// Threads only divide the work, so each number of threads plays just a third of the cases.
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

// The remaining tests play large batches on the best instruction set.
TEST(CpuEngineBatches, PlayAHundredThousandPlayoutsOfOnePosition) {
  Dice dice(58);
  const Request request = request_for(tests::full_board(dice, {6, 6, 4}), {}, 100'000);
  const Case wanted = judged(batch_for(request), Judge::kPosition);
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
            request_for(tests::full_board(dice, {8, 8, 4}), {}, static_cast<std::uint32_t>(playouts)));
        batch.requests.back().key = dice.word();
      }
      ASSERT_NO_FATAL_FAILURE(
          tests::expect_outcome(batch, engine->run(batch), tests::expected_results(batch, Judge::kPosition)));
    }
  }
}

// An engine without threads of its own plays in the threads that call `wait`.
TEST(CpuEngineBatches, ArePlayedByTheThreadsThatWait) {
  const auto engine = cpu::make_cpu_engine({.threads = 1, .caller_threads = 1});
  std::vector<game::Ticket> tickets;
  for (const Case& wanted : mixed_cases())
    tickets.push_back(engine->submit(wanted.batch));
  EXPECT_FALSE(engine->poll(tickets.front()));
  const auto take = [&](std::size_t i) {
    const Case& wanted = mixed_cases()[i];
    tests::expect_outcome(wanted.batch, engine->wait(tickets[i]), wanted.expected);
  };
  const std::size_t half = tickets.size() / 2;
  std::thread other([&] {
    for (std::size_t i = half; i < tickets.size(); ++i)
      take(i);
  });
  for (std::size_t i = half; i-- > 0;)  // waits for the last submitted first
    take(i);
  other.join();
  EXPECT_EQ(engine->usage().batches, tickets.size());
}

TEST(CpuEngineBatches, EndEarlyWhenCancelled) {
  Dice dice(57);
  const game::Position board = tests::full_board(dice, {31, 32, 15});
  for (const int caller_threads : {0, 1}) {
    const auto engine = cpu::make_cpu_engine({.threads = 1, .caller_threads = caller_threads});
    for (const game::PolicyKind kind : {game::PolicyKind::kLargestFirst, game::PolicyKind::kRandom}) {
      // This batch would take hours.
      Batch batch;
      batch.requests.assign(2, {.position = board, .policy = {.kind = kind}, .playouts = 2'000'000'000});
      const game::Ticket first = engine->submit(batch), second = engine->submit(batch);
      std::jthread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        engine->cancel();
      });
      EXPECT_EQ(engine->wait(first).error, game::kCancelled);
      EXPECT_EQ(engine->wait(second).error, game::kCancelled);
    }
    Batch next;
    next.requests.push_back({.position = board, .policy = {}, .playouts = 3});
    const Outcome outcome = engine->run(next);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.results.at(0).count, 3U);
  }
}

TEST(Isa, NamesParseBackAndTheBestIsAvailable) {
  const std::vector<cpu::Isa> isas = cpu::available_isas();
  ASSERT_FALSE(isas.empty());
  EXPECT_EQ(isas.front(), cpu::Isa::kPortable);
  EXPECT_EQ(isas.back(), cpu::best_isa());
  for (cpu::Isa isa : cpu::kIsas)
    EXPECT_EQ(cpu::isa_named(cpu::name_of(isa)), isa);
  EXPECT_EQ(cpu::isa_named("mmx"), std::nullopt);
  if (std::find(isas.begin(), isas.end(), cpu::Isa::kAvx512Zmm) != isas.end()) {
    EXPECT_EQ(cpu::isa_named(cpu::kAvx512), cpu::best_isa());
  }
}

}  // namespace

namespace tests {
INSTANTIATE_TEST_SUITE_P(Cpu, EnginePromises, ::testing::ValuesIn(forms()), name_of_form);
}  // namespace tests

}  // namespace chainshot
