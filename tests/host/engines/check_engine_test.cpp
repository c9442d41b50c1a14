#include "host/engines/check_engine.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "host/engines/engines.hpp"
#include "tests/support/engine_cases.hpp"
#include "tests/support/scripted_engine.hpp"

namespace chainshot::host {
namespace {

using tests::batch_of;
using tests::result_with_best;
using tests::ScriptedEngine;

struct Pair {
  explicit Pair(std::vector<game::Result> fast_results, std::vector<game::Result> slow_results, double share = 1) {
    auto first = std::make_unique<ScriptedEngine>("fast", std::move(fast_results));
    auto second = std::make_unique<ScriptedEngine>("slow", std::move(slow_results));
    fast = first.get();
    slow = second.get();
    engine = std::make_unique<CheckEngine>(std::move(first), std::move(second), share);
  }
  ScriptedEngine* fast;
  ScriptedEngine* slow;
  std::unique_ptr<CheckEngine> engine;
};

TEST(CheckEngine, EqualResultsPassUnchanged) {
  const std::vector<game::Result> results = {result_with_best(3), result_with_best(5)};
  Pair pair(results, results);
  const game::Outcome outcome = pair.engine->run(batch_of({1, 1}));
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results, results);
  EXPECT_EQ(pair.engine->counts().checked, 2u);
  EXPECT_EQ(pair.engine->counts().mismatches, 0u);
}

TEST(CheckEngine, AMismatchNamesTheRequestAndWhatDiffers) {
  Pair pair({result_with_best(3), result_with_best(5)}, {result_with_best(3), result_with_best(6)});
  const game::Outcome outcome = pair.engine->run(batch_of({1, 1}));
  EXPECT_EQ(outcome.error, "request 1 (key 1001) of engine fast differs from slow: sum is 5, not 6");
  EXPECT_TRUE(outcome.results.empty());
  EXPECT_EQ(pair.engine->counts().mismatches, 1u);
}

TEST(CheckEngine, EveryRequestThatDiffersIsCounted) {
  Pair pair({result_with_best(3), result_with_best(5), result_with_best(7)},
            {result_with_best(4), result_with_best(5), result_with_best(8)});
  EXPECT_EQ(pair.engine->run(batch_of({1, 1, 1})).error,
            "request 0 (key 1000) of engine fast differs from slow: sum is 3, not 4");
  EXPECT_EQ(pair.engine->counts().checked, 3u);
  EXPECT_EQ(pair.engine->counts().mismatches, 2u);
}

TEST(CheckEngine, EveryFieldIsCompared) {
  const game::Result same = result_with_best(4);
  EXPECT_EQ(difference(same, same), "");
  const auto changed = [&](auto change) {
    game::Result other = same;
    change(other);
    return difference(same, other);
  };
  EXPECT_EQ(changed([](auto& r) { r.count = 2; }), "count is 1, not 2");
  EXPECT_EQ(changed([](auto& r) { r.sum = -4; }), "sum is 4, not -4");
  EXPECT_EQ(changed([](auto& r) { r.sum_of_squares = 17; }), "sum of squares is 16, not 17");
  EXPECT_EQ(changed([](auto& r) { r.moves = 9; }), "moves is 1, not 9");
  EXPECT_EQ(changed([](auto& r) { r.best = 5; }), "best is 4, not 5");
  EXPECT_EQ(changed([](auto& r) { r.worst = 3; }), "worst is 4, not 3");
  EXPECT_EQ(changed([](auto& r) { r.best_playout = 8; }), "best playout is 0, not 8");
  EXPECT_NE(changed([](auto& r) { r.digest ^= 1; }).find("digest is "), std::string::npos);
  EXPECT_EQ(changed([](auto& r) { r.histogram = {1}; }), "number of histogram bins is 0, not 1");
  game::Result left = same, right = same;
  left.histogram = {1, 0};
  right.histogram = {1, 2};
  EXPECT_EQ(difference(left, right), "histogram bin 1 is 0, not 2");
}

TEST(CheckEngine, TheWitnessPlaysOnlyItsShare) {
  Pair none({}, {}, 0), all({}, {}, 1), quarter({}, {}, 0.25);
  for (Pair* pair : {&none, &all, &quarter})
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(pair->engine->run(batch_of({1, 1, 1, 1})).error, "");
  EXPECT_EQ(none.slow->playouts, 0u);
  EXPECT_EQ(all.slow->playouts, 400u);
  // Binomial with 400 draws of 1/4: mean 100, deviation sqrt(400 * 3/16) = 8.7; six of them are 52.
  EXPECT_NEAR(static_cast<double>(quarter.slow->playouts), 100, 52);
  EXPECT_EQ(quarter.engine->counts().checked, quarter.slow->playouts);
  EXPECT_EQ(quarter.engine->counts().requests, 400u);
}

TEST(CheckEngine, FailuresOfEitherEngineAreToldApart) {
  Pair pair({}, {});
  pair.fast->error = "out of memory";
  EXPECT_EQ(pair.engine->run(batch_of({1})).error, "out of memory");
  pair.fast->error.clear();
  pair.slow->error = "out of luck";
  EXPECT_EQ(pair.engine->run(batch_of({1})).error, "the witness slow failed: out of luck");
}

TEST(CheckEngine, ABatchWhoseWitnessWasCancelledWasCancelled) {
  Pair pair({}, {});
  pair.slow->error = game::kCancelled;
  EXPECT_EQ(pair.engine->run(batch_of({1})).error, game::kCancelled);
}

// The exception used to leave submit, and the batch's outcome with a ticket that nobody had.
TEST(CheckEngine, AWitnessThatTakesNoBatchLeavesTheCallerHisTicket) {
  Pair pair({result_with_best(3)}, {});
  pair.slow->on_submit = [] { throw std::runtime_error("no room"); };
  const game::Ticket ticket = pair.engine->submit(batch_of({1}));
  EXPECT_FALSE(pair.engine->poll(ticket));
  pair.fast->done.insert(1);
  EXPECT_TRUE(pair.engine->poll(ticket));
  EXPECT_EQ(pair.engine->wait(ticket).error, "the witness slow failed: no room");
  EXPECT_EQ(pair.fast->wait(1).error, "no such ticket");
  EXPECT_EQ(pair.engine->counts().checked, 0u);
  pair.slow->on_submit = nullptr;
  EXPECT_EQ(pair.engine->counts().requests, 1u);
}

TEST(CheckEngine, ItsUsageIsThatOfTheCheckedEngine) {
  Pair pair({}, {});
  pair.fast->busy_seconds = 2;
  pair.slow->busy_seconds = 30;
  pair.engine->run(batch_of({3, 4}));
  EXPECT_EQ(pair.engine->usage().batches, 1u);
  EXPECT_EQ(pair.engine->usage().playouts, 7u);
  EXPECT_EQ(pair.engine->usage().busy_seconds, 2);
}

TEST(CheckEngine, ABatchIsCompleteWhenBothEnginesAreDone) {
  Pair pair({}, {});
  const game::Ticket ticket = pair.engine->submit(batch_of({1}));
  EXPECT_FALSE(pair.engine->poll(ticket));
  pair.fast->done.insert(1);
  EXPECT_FALSE(pair.engine->poll(ticket));
  pair.slow->done.insert(1);
  EXPECT_TRUE(pair.engine->poll(ticket));
  EXPECT_EQ(pair.engine->wait(ticket).error, "");
  EXPECT_EQ(pair.engine->wait(ticket).error, "no such ticket");
}

TEST(CheckEngine, AShareIsANumberFromZeroToOne) {
  EXPECT_THROW(Pair({}, {}, 1.5), std::invalid_argument);
  EXPECT_THROW(Pair({}, {}, -0.1), std::invalid_argument);
}

TEST(CheckEngine, OneThreadAndTwoAgreeOnRandomRequests) {
  CheckEngine engine(make_engine({.threads = 2}), make_engine({.threads = 1, .isa = "portable"}), 1);
  tests::Dice dice(20);
  game::Batch batch = tests::empty_batch(dice);
  for (int i = 0; i < 50; ++i)
    batch.requests.push_back(tests::random_request(dice, tests::random_shape(dice), 1 + i % 40));
  const game::Outcome outcome = engine.run(batch);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results.size(), 50u);
}

}  // namespace
}  // namespace chainshot::host
