#include "host/engines/fallback_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

#include "host/engines/engines.hpp"
#include "tests/support/engine_cases.hpp"
#include "tests/support/scripted_engine.hpp"

namespace chainshot::host {
namespace {

using tests::batch_of;
using tests::result_with_best;
using tests::ScriptedEngine;

// Every request of the first engine scores 1, of the second 2.
struct TwoEngines {
  TwoEngines() {
    auto owned = std::make_unique<ScriptedEngine>("gpu", std::vector{result_with_best(1)});
    first = owned.get();
    engine = std::make_unique<FallbackEngine>(
        std::move(owned),
        [this] {
          ++made;
          if (!refusal.empty()) throw std::runtime_error(refusal);
          auto made_engine = std::make_unique<ScriptedEngine>("cpu", std::vector{result_with_best(2)});
          made_engine->error = second_error;
          second = made_engine.get();
          return made_engine;
        },
        [this](const std::string& sentence) { notices.push_back(sentence); });
  }

  ScriptedEngine* first = nullptr;
  ScriptedEngine* second = nullptr;
  std::string refusal, second_error;
  int made = 0;
  std::vector<std::string> notices;
  std::unique_ptr<FallbackEngine> engine;
};

int best_of(const game::Outcome& outcome) {
  EXPECT_EQ(outcome.error, "");
  return outcome.results.empty() ? -1 : outcome.results[0].best;
}

TEST(FallbackEngine, ACancelledBatchIsNoFault) {
  TwoEngines two;
  two.first->error = game::kCancelled;
  const game::Ticket ticket = two.engine->submit(batch_of({5}));
  two.engine->cancel();
  EXPECT_EQ(two.first->cancelled, 1);
  EXPECT_EQ(two.engine->wait(ticket).error, game::kCancelled);
  EXPECT_EQ(two.made, 0);
  EXPECT_TRUE(two.notices.empty());
}

TEST(FallbackEngine, WithoutAFaultTheSecondEngineIsNeverMade) {
  TwoEngines two;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(best_of(two.engine->run(batch_of({5}))), 1);
  EXPECT_EQ(two.made, 0);
  EXPECT_TRUE(two.notices.empty());
  EXPECT_EQ(two.engine->capabilities().name, "gpu");
}

TEST(FallbackEngine, AFaultInTheFirstBatchIsToldOnceAndTheBatchPlayedAgain) {
  TwoEngines two;
  two.first->error = "device lost";
  const game::Outcome outcome = two.engine->run(batch_of({5, 6}));
  EXPECT_EQ(best_of(outcome), 2);
  EXPECT_EQ(outcome.results.size(), 2u);
  EXPECT_EQ(two.notices, std::vector<std::string>{"engine gpu failed: device lost; cpu goes on with its work"});
  ASSERT_EQ(two.second->batches.size(), 1u);
  EXPECT_EQ(two.second->batches[0].requests[1].playouts, 6u);
  EXPECT_EQ(two.second->batches[0].requests[1].key, 1001u);
}

TEST(FallbackEngine, LaterBatchesGoToTheSecondEngineAlone) {
  TwoEngines two;
  two.first->error = "device lost";
  two.engine->run(batch_of({1}));
  two.first->error.clear();  // even if it would work again
  EXPECT_EQ(best_of(two.engine->run(batch_of({1}))), 2);
  EXPECT_EQ(two.first->batches.size(), 1u);
  EXPECT_EQ(two.notices.size(), 1u);
  EXPECT_EQ(two.engine->capabilities().name, "cpu");
}

TEST(FallbackEngine, BatchesInFlightAreReplayedWhateverTheOrderOfWaiting) {
  for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    TwoEngines two;
    std::vector<game::Ticket> tickets;
    EXPECT_EQ(best_of(two.engine->run(batch_of({7}))), 1);
    two.first->error = "device lost";
    for (std::uint32_t playouts = 10; playouts < 13; ++playouts)
      tickets.push_back(two.engine->submit(batch_of({playouts})));
    for (const std::size_t i : order)
      EXPECT_EQ(best_of(two.engine->wait(tickets[i])), 2);
    EXPECT_EQ(two.notices.size(), 1u);
    std::multiset<std::uint32_t> played;
    for (const game::Batch& batch : two.second->batches)
      played.insert(batch.requests[0].playouts);
    EXPECT_EQ(played, (std::multiset<std::uint32_t>{10, 11, 12}));
  }
}

// The fault is in the second of three: the third had not failed, but nothing of that engine is worth waiting for.
TEST(FallbackEngine, TheSecondEngineStartsOnAllBatchesAtTheFirstFault) {
  TwoEngines two;
  const game::Ticket whole = two.engine->submit(batch_of({1}));
  two.first->error = "device lost";
  const game::Ticket failed = two.engine->submit(batch_of({2}));
  two.first->error.clear();
  const game::Ticket pending = two.engine->submit(batch_of({3}));
  EXPECT_EQ(best_of(two.engine->wait(whole)), 1);
  EXPECT_EQ(best_of(two.engine->wait(failed)), 2);
  EXPECT_EQ(two.second->batches.size(), 2u);
  EXPECT_EQ(best_of(two.engine->wait(pending)), 2);
  EXPECT_EQ(two.second->batches.size(), 2u);
}

TEST(FallbackEngine, APollThatMeetsTheFaultIsTrueWhenTheSecondEngineIsDone) {
  TwoEngines two;
  two.first->error = "device lost";
  const game::Ticket ticket = two.engine->submit(batch_of({4}));
  EXPECT_FALSE(two.engine->poll(ticket));
  EXPECT_TRUE(two.notices.empty());
  two.first->done.insert(1);
  EXPECT_FALSE(two.engine->poll(ticket));
  EXPECT_EQ(two.notices.size(), 1u);
  two.second->done.insert(1);
  EXPECT_TRUE(two.engine->poll(ticket));
  EXPECT_EQ(best_of(two.engine->wait(ticket)), 2);
}

TEST(FallbackEngine, AnOutcomeThatAPollHasSeenIsHandedOverByTheWait) {
  TwoEngines two;
  const game::Ticket ticket = two.engine->submit(batch_of({4}));
  two.first->done.insert(1);
  EXPECT_TRUE(two.engine->poll(ticket));
  EXPECT_TRUE(two.engine->poll(ticket));
  EXPECT_EQ(best_of(two.engine->wait(ticket)), 1);
  EXPECT_EQ(two.engine->wait(ticket).error, "ticket 1 is not one the engine gave out, or was waited for before");
}

TEST(FallbackEngine, ASubmissionThatThrowsIsAFaultToo) {
  TwoEngines two;
  two.first->on_submit = [] { throw std::runtime_error("out of device memory"); };
  EXPECT_EQ(best_of(two.engine->run(batch_of({4}))), 2);
  EXPECT_EQ(two.notices,
            std::vector<std::string>{"engine gpu failed: out of device memory; cpu goes on with its work"});
}

TEST(FallbackEngine, ASecondEngineThatFailsTooIsTheCallersError) {
  TwoEngines two;
  two.first->error = "device lost";
  two.second_error = "out of memory";
  const game::Ticket earlier = two.engine->submit(batch_of({1}));
  const game::Ticket later = two.engine->submit(batch_of({1}));
  EXPECT_EQ(two.engine->wait(earlier).error, "out of memory");
  EXPECT_EQ(two.engine->wait(later).error, "out of memory");
  EXPECT_EQ(two.notices.size(), 1u);
}

TEST(FallbackEngine, WhereNoSecondEngineCanBeMadeBothReasonsAreTold) {
  TwoEngines two;
  two.first->error = "device lost";
  two.refusal = "no threads left";
  EXPECT_EQ(two.engine->run(batch_of({1})).error, "device lost; no other engine could take over: no threads left");
  EXPECT_TRUE(two.notices.empty());
  two.refusal.clear();
  EXPECT_EQ(best_of(two.engine->run(batch_of({1}))), 2);
  EXPECT_EQ(two.made, 2);
}

TEST(FallbackEngine, UsageCountsBothEngines) {
  TwoEngines two;
  two.first->busy_seconds = 3;
  two.engine->run(batch_of({10}));
  EXPECT_EQ(two.engine->usage().busy_seconds, 3);
  two.first->error = "device lost";
  two.engine->run(batch_of({20}));
  two.second->busy_seconds = 4;
  EXPECT_EQ(two.engine->usage().batches, 2u);
  EXPECT_EQ(two.engine->usage().playouts, 30u);  // the lost batch played none
  EXPECT_EQ(two.engine->usage().busy_seconds, 7);
}

TEST(FallbackEngine, TheNoticeMayUseTheEngine) {
  auto first = std::make_unique<ScriptedEngine>("gpu");
  first->error = "device lost";
  FallbackEngine* self = nullptr;
  int heard = 0;
  FallbackEngine engine(
      std::move(first), [] { return std::make_unique<ScriptedEngine>("cpu", std::vector{result_with_best(2)}); },
      [&](const std::string&) {
        ++heard;
        EXPECT_EQ(best_of(self->run(batch_of({1}))), 2);
      });
  self = &engine;
  EXPECT_EQ(best_of(engine.run(batch_of({1}))), 2);
  EXPECT_EQ(heard, 1);
}

// Eight threads, each with three batches in flight of a device that is lost at its 100th batch; the results are the
// reference's, and nobody is left without one.
TEST(FallbackEngine, NoBatchOfAnyThreadIsLost) {
  tests::Dice dice(81);
  game::Batch batch = tests::empty_batch(dice);
  batch.requests.push_back(tests::random_request(dice, tests::random_small_shape(dice), 16));
  const std::vector<game::Result> expected = tests::expected_results(batch, tests::Judge::kPosition);
  auto first = std::make_unique<ScriptedEngine>("gpu", expected);
  first->error = "device lost";
  first->error_from = 100;
  std::atomic<int> notices = 0;
  FallbackEngine engine(
      std::move(first), [] { return make_engine({.name = "cpu", .threads = 1}); },
      [&](const std::string&) { ++notices; });
  std::atomic<int> right = 0;
  const auto play = [&] {
    std::vector<game::Ticket> flights;
    for (int i = 0; i < 50 + 3; ++i) {
      if (i < 50) flights.push_back(engine.submit(batch));
      if (i < 3) continue;
      engine.poll(flights.front());
      const game::Outcome outcome = engine.wait(flights.front());
      flights.erase(flights.begin());
      if (outcome.error.empty() && outcome.results == expected) ++right;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(play);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(right, 8 * 50);
  EXPECT_EQ(notices, 1);
  EXPECT_TRUE(engine.capabilities().on_cpu);
}

}  // namespace
}  // namespace chainshot::host
