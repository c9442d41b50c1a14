#include "host/dispatch/batch_pump.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "host/engines/engines.hpp"
#include "tests/support/scripted_engine.hpp"
#include "tools/measure/delay_engine.hpp"

namespace chainshot::host {
namespace {

using tests::ScriptedEngine;

// Sends a number of batches of one request each and records what happens to them, by their number from 0.
class Recorder final : public BatchClient<int> {
 public:
  explicit Recorder(int batches, std::uint32_t playouts = 1) : batches_(batches), playouts_(playouts) {}

  std::optional<FilledBatch<int>> fill(int engine) override {
    if (on_fill) on_fill(sent);
    if (sent == batches_) return std::nullopt;
    engines.push_back(engine);
    return FilledBatch<int>{tests::batch_of({playouts_}), playouts_, sent++};
  }
  void take(int number, std::vector<game::Result> results) override {
    EXPECT_EQ(results.size(), 1U);
    taken.push_back(number);
    if (on_take) on_take(number);
  }
  void give_back(int number) override {
    returned.push_back(number);
    batches_ = sent;
  }

  int sent = 0;
  std::vector<int> engines;  // of the batches, in the order of submission
  std::vector<int> taken;
  std::vector<int> returned;
  std::function<void(int number)> on_fill, on_take;

 private:
  int batches_;
  const std::uint32_t playouts_;
};

TEST(BatchPump, TakesResultsAsTheyAreReady) {
  ScriptedEngine first("first"), second("second");
  first.done = {2};
  second.done = {1};
  EngineQueues queues({&first, &second});
  Recorder client(4);
  BatchPump<int> pump(queues, client, ResultOrder::kAsReady);
  while (pump.turn()) {
  }
  // Batch 1 is back at once and leaves room for batch 2 with the second engine. Batch 3 is ticket 2 of the first.
  EXPECT_EQ(client.engines, (std::vector<int>{0, 1, 1, 0}));
  EXPECT_EQ(client.taken, (std::vector<int>{1, 3}));
  EXPECT_TRUE(pump.has_flights());
  EXPECT_FALSE(pump.has_finished());
  first.done = {1};
  second.done = {2};
  run_pumps(std::span(&pump, 1));
  EXPECT_EQ(client.taken, (std::vector<int>{1, 3, 0, 2}));
  EXPECT_TRUE(pump.has_finished());
}

TEST(BatchPump, TakesResultsInTheOrderOfSubmissionIfAsked) {
  ScriptedEngine first("first"), second("second");
  second.done = {1, 2, 3, 4, 5};  // long before the other
  EngineQueues queues({&first, &second});
  Recorder client(9);
  // Batch n is filled when the results of batches up to n - 2 are known, whatever is ready.
  client.on_fill = [&](int number) {
    if (number == 9) return;
    EXPECT_EQ(client.taken.size(), static_cast<std::size_t>(std::max(0, number - 1)));
  };
  BatchPump<int> pump(queues, client, ResultOrder::kAsSubmitted);
  run_pumps(std::span(&pump, 1));
  EXPECT_EQ(client.taken, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(BatchPump, HasNoMoreBatchesInFlightThanTheEngineAsksFor) {
  ScriptedEngine engine("device", {}, {.name = {}, .recommended_batch = 64, .batches_in_flight = 3});
  EngineQueues queues({&engine});
  Recorder client(10);
  std::size_t most = 0;
  client.on_take = [&](int) { most = std::max(most, engine.batches.size() - client.taken.size() + 1); };
  run_pump(queues, client);
  EXPECT_EQ(client.taken.size(), 10U);
  EXPECT_EQ(most, 3U);
}

TEST(BatchPump, ThrowsTheSentenceOfAFailedEngineAndGivesEveryBatchBack) {
  ScriptedEngine engine("device");
  engine.error = "the device was lost";
  engine.error_from = 3;
  EngineQueues queues({&engine});
  Recorder client(10);
  std::string sentence;
  try {
    run_pump(queues, client);
  } catch (const std::runtime_error& error) {
    sentence = error.what();
  }
  EXPECT_EQ(sentence, "the device was lost");
  EXPECT_EQ(client.taken, (std::vector<int>{0, 1}));
  EXPECT_EQ(client.returned, (std::vector<int>{2, 3}));
  EXPECT_EQ(client.sent, 4);
}

TEST(BatchPump, LeavesNothingInFlightWhenAnEngineOrAClientThrows) {
  ScriptedEngine engine("device");
  EngineQueues queues({&engine});
  const auto in_flight = [&] { return engine.batches.size() - engine.usage().batches; };
  {
    Recorder client(10);
    engine.on_submit = [&] {
      if (client.sent == 2) throw std::runtime_error("no memory");
    };
    EXPECT_THROW(run_pump(queues, client), std::runtime_error);
    EXPECT_EQ(client.returned, (std::vector<int>{1, 0}));
    engine.on_submit = {};
  }
  {
    Recorder client(10);
    client.on_take = [](int) { throw std::runtime_error("a line does not replay"); };
    EXPECT_THROW(run_pump(queues, client), std::runtime_error);
    EXPECT_EQ(client.returned, (std::vector<int>{1}));
  }
  {
    Recorder client(10);
    client.on_fill = [](int number) {
      if (number == 1) throw std::runtime_error("no memory");
    };
    EXPECT_THROW(run_pump(queues, client), std::runtime_error);
    EXPECT_EQ(client.returned, (std::vector<int>{0}));
  }
  EXPECT_EQ(in_flight(), 0U);
  // All places with the engine are free again.
  EXPECT_EQ(queues.reserve(), 0);
  EXPECT_EQ(queues.reserve(), 0);
  EXPECT_EQ(queues.reserve(), -1);
}

TEST(BatchPump, RejectsAnAnswerOfTheWrongSize) {
  class Forgetful final : public ScriptedEngine {
   public:
    Forgetful() : ScriptedEngine("forgetful") {}
    game::Outcome wait(game::Ticket ticket) override {
      ScriptedEngine::wait(ticket);
      return {};
    }
  } engine;
  EngineQueues queues({&engine});
  Recorder client(1);
  EXPECT_THROW(run_pump(queues, client), std::runtime_error);
  EXPECT_EQ(client.returned, (std::vector<int>{0}));
}

TEST(BatchPump, GivesCancelledBatchesBackWithoutAnError) {
  ScriptedEngine engine("device");
  engine.error = game::kCancelled;
  engine.error_from = 2;
  EngineQueues queues({&engine});
  Recorder client(10);
  run_pump(queues, client);
  EXPECT_EQ(client.taken, (std::vector<int>{0}));
  EXPECT_EQ(client.returned, (std::vector<int>{1, 2}));
}

TEST(BatchPump, SendsNothingMoreOnceAStopIsRequestedAndCancelsWhatIsInFlight) {
  ScriptedEngine engine("device");
  EngineQueues queues({&engine});
  Recorder client(1000);
  std::stop_source stop;
  client.on_take = [&](int number) {
    if (number == 5) stop.request_stop();
  };
  run_pump(queues, client, stop.get_token());
  EXPECT_LE(client.sent, 8);
  EXPECT_EQ(client.taken.size(), static_cast<std::size_t>(client.sent));
  EXPECT_EQ(engine.cancelled, 1);
}

TEST(BatchPump, CancelsABatchThatIsSubmittedWhileAStopIsRequested) {
  ScriptedEngine engine("device");
  EngineQueues queues({&engine});
  Recorder client(1000);
  std::stop_source stop;
  client.on_fill = [&](int number) {
    if (number == 3) stop.request_stop();
  };
  run_pump(queues, client, stop.get_token());
  EXPECT_EQ(client.sent, 4);
  EXPECT_EQ(engine.cancelled, 2);  // by the request, and once the batch was submitted
}

TEST(BatchPump, SendsMostBatchesToTheFastestEngine) {
  const auto device = [](double playouts_per_second) {
    return DelayEngine(make_engine({.name = "cpu", .threads = 1}),
                       {.playouts_per_second = playouts_per_second, .latency_us = 100, .recommended_batch = 64});
  };
  DelayEngine fast = device(1e5), slow = device(1e4);  // 0.64 ms and 6.4 ms for a batch
  EngineQueues queues({&fast, &slow});
  Recorder client(60, 64);
  run_pump(queues, client);
  EXPECT_EQ(client.taken.size(), 60U);
  EXPECT_GT(fast.report().batches, 2 * slow.report().batches);
  EXPECT_GT(slow.report().batches, 0U);
}

TEST(BatchPump, ServesSeveralThreadsThatShareTheEngines) {
  const auto first = make_engine({.name = "cpu", .threads = 1}), second = make_engine({.name = "cpu", .threads = 1});
  EngineQueues queues({first.get(), second.get()});
  queues.open(4);
  std::vector<Recorder> clients(4, Recorder(50, 3));
  std::vector<BatchPump<int>> pumps;
  for (Recorder& client : clients)
    pumps.emplace_back(queues, client, ResultOrder::kAsReady);
  {
    std::jthread other([&] { run_pumps(std::span(pumps).first(2)); });
    run_pumps(std::span(pumps).last(2));
  }
  for (const Recorder& client : clients)
    EXPECT_EQ(client.taken.size(), 50U);
  EXPECT_EQ(first->usage().batches + second->usage().batches, 200U);
  EXPECT_GT(queues.figures().in_flight, 0);
}

}  // namespace
}  // namespace chainshot::host
