#include "tools/measure/delay_engine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

#include "host/engines/engines.hpp"
#include "tests/support/engine_cases.hpp"
#include "tests/support/scripted_engine.hpp"

namespace chainshot::host {
namespace {

using tests::batch_of;
using tests::ScriptedEngine;

// One microsecond per playout; the latency is 10 us there and 10 us back.
constexpr DeviceSpec kSpec{.playouts_per_second = 1e6, .latency_us = 20, .batches_in_flight = 2};

TEST(DeviceTimetable, ALoneBatchTakesItsWorkAndTheLatency) {
  DeviceTimetable device(kSpec);
  EXPECT_DOUBLE_EQ(device.admit(100, 50), 100 + 10 + 50 + 10);
  // The device works 50 us of the 100 us since the submission.
  EXPECT_DOUBLE_EQ(device.busy_share(200), 0.5);
}

TEST(DeviceTimetable, TwoBatchesInFlightHideTheLatency) {
  DeviceTimetable device(kSpec);
  // The first works from 10 to 60 and is back at 70; the second is there at 10, works from 60 to 110, is back at 120.
  EXPECT_DOUBLE_EQ(device.admit(0, 50), 70);
  EXPECT_DOUBLE_EQ(device.admit(0, 50), 120);
  // The third takes the slot that is free at 70, arrives at 80, works from 110 to 160 and is back at 170.
  EXPECT_DOUBLE_EQ(device.admit(0, 50), 170);
  // The device worked without a pause from 10 to 160.
  EXPECT_DOUBLE_EQ(device.work_us(), 150);
  EXPECT_DOUBLE_EQ(device.busy_share(160), 150.0 / 160);
}

TEST(DeviceTimetable, OneSlotPaysTheLatencyEveryTime) {
  DeviceSpec spec = kSpec;
  spec.batches_in_flight = 1;
  DeviceTimetable device(spec);
  EXPECT_DOUBLE_EQ(device.admit(0, 50), 70);
  EXPECT_DOUBLE_EQ(device.admit(0, 50), 140);
  EXPECT_DOUBLE_EQ(device.admit(0, 50), 210);
  EXPECT_DOUBLE_EQ(device.busy_share(210), 150.0 / 210);
}

TEST(DeviceTimetable, AnIdleDeviceIsNotBusy) {
  DeviceTimetable device(kSpec);
  EXPECT_EQ(device.busy_share(1000), 0);
  device.admit(1000, 50);
  device.admit(1900, 50);
  EXPECT_DOUBLE_EQ(device.busy_share(2000), 100.0 / 1000);
}

TEST(DeviceTimetable, KnowsWhatIsDoneOfTheWorkAhead) {
  DeviceTimetable device(kSpec);
  EXPECT_EQ(device.worked_us(5), 0);
  // The batches work from 10 to 60 and from 60 to 110.
  device.admit(0, 50);
  device.admit(0, 50);
  EXPECT_DOUBLE_EQ(device.worked_us(0), 0);
  EXPECT_DOUBLE_EQ(device.worked_us(10), 0);
  EXPECT_DOUBLE_EQ(device.worked_us(35), 25);
  EXPECT_DOUBLE_EQ(device.worked_us(80), 70);
  EXPECT_DOUBLE_EQ(device.worked_us(500), 100);
  // The third works from 510 to 540.
  device.admit(500, 30);
  EXPECT_DOUBLE_EQ(device.worked_us(520), 110);
  EXPECT_DOUBLE_EQ(device.worked_us(540), 130);
}

TEST(DelayEngine, ResultsAreTheInnerEnginesWhateverTheOrderOfWaiting) {
  tests::Dice dice(4);
  DelayEngine engine(make_engine({.threads = 1}), {.playouts_per_second = 1e6, .latency_us = 100});
  std::vector<game::Batch> batches;
  std::vector<game::Ticket> tickets;
  for (int i = 0; i < 5; ++i) {
    game::Batch& batch = batches.emplace_back(tests::empty_batch(dice));
    batch.requests.push_back(tests::random_request(dice, tests::random_small_shape(dice), 20));
    tickets.push_back(engine.submit(batch));
  }
  for (const std::size_t i : {4, 0, 3, 1, 2})
    tests::expect_outcome(batches[i], engine.wait(tickets[i]),
                          tests::expected_results(batches[i], tests::Judge::kPosition));
  EXPECT_EQ(engine.report().batches, 5u);
  EXPECT_EQ(engine.report().playouts, 100u);
}

TEST(DelayEngine, NoBatchIsBackBeforeTheDeviceCouldHaveReturnedIt) {
  auto inner = std::make_unique<ScriptedEngine>("inner");
  inner->done = {1, 2};
  // 1000 playouts are 10 ms of work, the latency is 2 ms; the clock runs at half the device's speed: 24 ms.
  DelayEngine engine(std::move(inner), {.playouts_per_second = 1e5, .latency_us = 2000, .time_scale = 2});
  const auto start = std::chrono::steady_clock::now();
  const game::Ticket ticket = engine.submit(batch_of({600, 400}));
  const bool is_back = engine.poll(ticket);
  const bool is_early = std::chrono::steady_clock::now() - start < std::chrono::milliseconds(24);
  EXPECT_FALSE(is_back && is_early);
  engine.wait(ticket);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(24));
  EXPECT_EQ(engine.report().late, 0u);
  EXPECT_GT(engine.report().busy_share, 0);
  EXPECT_LE(engine.report().busy_share, 10.0 / 12);
}

TEST(DelayEngine, AnInnerEngineThatIsTooSlowIsReported) {
  // It is never done when polled; its results come only by waiting.
  DelayEngine engine(std::make_unique<ScriptedEngine>("inner"), {.playouts_per_second = 1e9, .latency_us = 0});
  engine.run(batch_of({1}));
  EXPECT_EQ(engine.report().late, 1u);
}

TEST(DelayEngine, ErrorsAndUnknownTicketsAreTheInnerEngines) {
  auto inner = std::make_unique<ScriptedEngine>("inner");
  inner->error = "device lost";
  DelayEngine engine(std::move(inner), kSpec);
  EXPECT_EQ(engine.run(batch_of({1})).error, "device lost");
  EXPECT_EQ(engine.wait(99).error, "no such ticket");
}

TEST(DelayEngine, ItsUsageIsTheTimetablesInSecondsOfTheClock) {
  auto inner = std::make_unique<ScriptedEngine>("inner");
  inner->busy_seconds = 77;
  // 1000 playouts are 1 ms of work, 3 ms by a clock that runs at a third of the device's speed.
  DelayEngine engine(std::move(inner), {.playouts_per_second = 1e6, .latency_us = 0, .time_scale = 3});
  EXPECT_EQ(engine.usage().busy_seconds, 0);
  engine.run(batch_of({400, 600}));
  EXPECT_EQ(engine.usage().batches, 1u);
  EXPECT_EQ(engine.usage().playouts, 1000u);
  EXPECT_NEAR(engine.usage().busy_seconds, 3e-3, 1e-9);
}

// A wait or a submission that blocks in the inner engine must not block other callers.
TEST(DelayEngine, OthersAreServedWhileTheInnerEngineBlocks) {
  std::promise<void> opened;
  const std::shared_future<void> gate = opened.get_future().share();
  auto inner = std::make_unique<ScriptedEngine>("inner");
  ScriptedEngine& scripted = *inner;
  DelayEngine engine(std::move(inner), kSpec);
  std::promise<void> submitting, waiting;
  scripted.on_submit = [&] { submitting.set_value(), gate.wait(); };
  scripted.on_wait = [&] { waiting.set_value(), gate.wait(); };
  std::thread submitter([&] { engine.submit(batch_of({1})); });
  std::thread waiter([&] { engine.wait(99); });
  const auto comes = [](const auto& future) {
    return future.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  };
  EXPECT_TRUE(comes(submitting.get_future()));
  EXPECT_TRUE(comes(waiting.get_future()));
  auto other = std::async(std::launch::async, [&] { return engine.poll(98), engine.report().batches; });
  EXPECT_TRUE(comes(other));
  opened.set_value();
  EXPECT_EQ(other.get(), 0u);
  submitter.join();
  waiter.join();
  EXPECT_EQ(engine.report().batches, 1u);
}

TEST(DelayEngine, ItsCapabilitiesAreADevices) {
  DeviceSpec spec = kSpec;
  spec.recommended_batch = 100'000;
  const DelayEngine engine(std::make_unique<ScriptedEngine>("inner"), spec);
  EXPECT_EQ(engine.capabilities().name, "delay(inner)");
  EXPECT_FALSE(engine.capabilities().on_cpu);
  EXPECT_EQ(engine.capabilities().recommended_batch, 100'000u);
  EXPECT_EQ(engine.capabilities().batches_in_flight, 2);
}

TEST(DelayEngine, RefusesADeviceThatMakesNoSense) {
  const auto made = [](DeviceSpec spec) { DelayEngine(std::make_unique<ScriptedEngine>("inner"), spec); };
  EXPECT_THROW(made({.playouts_per_second = 0}), std::invalid_argument);
  EXPECT_THROW(made({.latency_us = -1}), std::invalid_argument);
  EXPECT_THROW(made({.batches_in_flight = 0}), std::invalid_argument);
  EXPECT_THROW(made({.time_scale = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace chainshot::host
