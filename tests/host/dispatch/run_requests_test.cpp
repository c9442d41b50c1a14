#include "host/dispatch/run_requests.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "game/board_text.hpp"
#include "host/engines/engines.hpp"
#include "tests/support/scripted_engine.hpp"
#include "tools/measure/delay_engine.hpp"

namespace chainshot::host {
namespace {

using tests::ScriptedEngine;

// Requests of every size between nothing and more than a batch, on several boards, with a histogram.
game::Batch mixed_requests() {
  game::Batch batch{.seed = 7, .histogram = {.low = 0, .width = 100, .bins = 40}};
  for (const std::uint32_t playouts : {1U, 300U, 0U, 17U, 64U, 65U, 1U, 1000U, 2U})
    batch.requests.push_back({.position = game::standard_boards()[batch.requests.size()].position,
                              .points = 10,
                              .playouts = playouts,
                              .key = 100 + batch.requests.size(),
                              .first_playout = 5});
  return batch;
}

// An engine whose recommended batch is `batch`.
DelayEngine device(std::uint64_t batch, double playouts_per_second) {
  return DelayEngine(make_engine({.name = "cpu", .threads = 1}), {.playouts_per_second = playouts_per_second,
                                                                  .latency_us = 50,
                                                                  .batches_in_flight = 2,
                                                                  .recommended_batch = batch});
}

TEST(RunRequests, ResultsDoNotDependOnHowTheListIsSplit) {
  const game::Batch batch = mixed_requests();
  const std::vector<game::Result> whole = make_engine({.name = "cpu", .threads = 1})->run(batch).results;
  for (const std::uint64_t size : {1U, 7U, 64U, 100'000U}) {
    DelayEngine fast = device(size, 1e8), slow = device(3 * size, 1e6);
    for (const std::vector<game::Engine*>& engines :
         {std::vector<game::Engine*>{&fast}, std::vector<game::Engine*>{&slow, &fast}}) {
      EngineQueues queues(engines);
      for (int again = 0; again < 2; ++again) {  // the second time the speeds are known
        const auto results = run_requests(queues, batch);
        ASSERT_TRUE(results.has_value());
        EXPECT_EQ(*results, whole) << size;
      }
    }
  }
}

TEST(RunRequests, SendsBatchesOfTheRecommendedSize) {
  ScriptedEngine engine("device", {}, {.name = {}, .recommended_batch = 64});
  EngineQueues queues({&engine});
  ASSERT_TRUE(run_requests(queues, tests::batch_of({100, 20, 8, 70})).has_value());
  std::vector<std::vector<std::uint32_t>> sent;
  for (const game::Batch& batch : engine.batches) {
    sent.emplace_back();
    for (const game::Request& request : batch.requests)
      sent.back().push_back(request.playouts);
  }
  EXPECT_EQ(sent, (std::vector<std::vector<std::uint32_t>>{{64}, {36, 20, 8}, {64}, {6}}));
  EXPECT_EQ(engine.batches[1].requests[0].first_playout, 64U);
  EXPECT_EQ(engine.batches[1].requests[0].key, 1000U);
}

TEST(RunRequests, FollowsAnEngineThatFallsBackOnACpu) {
  ScriptedEngine engine("device", {}, {.name = {}, .on_cpu = false, .recommended_batch = 1000});
  engine.on_wait = [&] { engine.change_capabilities({.name = {}, .recommended_batch = 10}); };
  EngineQueues queues({&engine});
  ASSERT_TRUE(run_requests(queues, tests::batch_of({3000})).has_value());
  // Two batches of the device were in flight; what is left of the 3,000 goes to the CPU ten by ten.
  EXPECT_EQ(engine.batches.size(), 2U + 100U);
}

TEST(RunRequests, DividesAShortListAmongTheEngines) {
  ScriptedEngine first("first"), second("second");  // each recommends 64
  second.on_submit = [&] { first.done = second.done = {1}; };
  EngineQueues queues({&first, &second});
  ASSERT_TRUE(run_requests(queues, tests::batch_of({1, 1, 1, 1, 1, 1})).has_value());
  EXPECT_EQ(first.playouts, 3U);
  EXPECT_EQ(second.playouts, 3U);
}

TEST(RunRequests, AnEmptyListHasNoResults) {
  ScriptedEngine engine("device");
  EngineQueues queues({&engine});
  EXPECT_EQ(run_requests(queues, {}).value().size(), 0U);
  EXPECT_TRUE(engine.batches.empty());
}

TEST(RunRequests, ThrowsTheSentenceOfAnEngineThatFails) {
  ScriptedEngine good("good"), bad("bad");
  bad.error = "the device was lost";
  bad.done = {1};
  EngineQueues queues({&good, &bad});
  try {
    run_requests(queues, tests::batch_of({500}));
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the device was lost");
  }
}

TEST(RunRequests, ReturnsNothingOnceStopped) {
  ScriptedEngine engine("device");
  EngineQueues queues({&engine});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(run_requests(queues, tests::batch_of({500}), stop.get_token()).has_value());
  EXPECT_TRUE(engine.batches.empty());
}

// The list would take minutes.
TEST(RunRequests, ObeysAStopInTheMiddleOfABatch) {
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  EngineQueues queues({engine.get()});
  game::Batch batch;
  batch.requests.push_back({.position = game::standard_boards()[0].position, .playouts = 1'000'000'000});
  std::stop_source stop;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  EXPECT_FALSE(run_requests(queues, batch, stop.get_token()).has_value());
}

}  // namespace
}  // namespace chainshot::host
