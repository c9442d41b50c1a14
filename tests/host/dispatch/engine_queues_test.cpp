#include "host/dispatch/engine_queues.hpp"

#include <gtest/gtest.h>

#include "tests/support/scripted_engine.hpp"

namespace chainshot::host {
namespace {

using tests::ScriptedEngine;

// The engine reports `playouts` more, made in one more second.
void play(ScriptedEngine& engine, std::uint64_t playouts) {
  engine.busy_seconds += 1;
  engine.playouts += playouts;
}

game::Capabilities device(std::uint64_t batch, int batches_in_flight = 2) {
  return {.name = {}, .on_cpu = false, .recommended_batch = batch, .batches_in_flight = batches_in_flight};
}

game::Capabilities cpu(std::uint64_t batch) {
  return {.name = {}, .recommended_batch = batch};
}

TEST(EngineQueues, GiveASlowEngineNoMoreThanAFastOneCanWaitFor) {
  ScriptedEngine fast("fast", {}, device(10'000)), slow("slow", {}, device(10'000));
  EngineQueues queues({&fast, &slow});
  queues.open(1);
  EXPECT_EQ(queues.batch_size(1), 10'000U);  // its speed is not known yet
  play(fast, 1'000'000);
  play(slow, 1'000);
  queues.open(1);
  // The fast engine plays a batch in 10 ms; in four times that the slow one plays 40.
  EXPECT_EQ(queues.batch_size(0), 10'000U);
  EXPECT_EQ(queues.batch_size(1), 40U);
  // The fast engine has become as slow as the other. Only the time since the last `open` counts.
  play(fast, 1'000);
  play(slow, 1'000);
  queues.open(1);
  EXPECT_EQ(queues.batch_size(0), 10'000U);
  EXPECT_EQ(queues.batch_size(1), 10'000U);
}

TEST(EngineQueues, AddUpTheRatesOfEngines) {
  ScriptedEngine fast("fast", {}, device(10'000)), slow("slow", {}, device(10'000)), idle("idle", {}, device(10'000));
  const EngineQueues queues({&fast, &slow, &idle});
  play(fast, 77);
  const std::vector<game::Usage> before = queues.usages();
  play(fast, 1'000'000);
  play(slow, 1'000);
  // Not 1,001,000 playouts in two seconds: both play at the same time.
  EXPECT_DOUBLE_EQ(queues.speed_since(before).rate, 1'001'000);
  EXPECT_EQ(queues.speed_since(before).devices, 3);
  EXPECT_DOUBLE_EQ(queues.speed_since(before).busy_devices, 2);
}

TEST(EngineQueues, DivideTheBatchOfACpuAmongItsClients) {
  ScriptedEngine engine("cpu", {}, cpu(8 * 4096));
  EngineQueues queues({&engine}, {.cpu_divisor = 16, .cpu_growth = 4});
  queues.open(1);
  EXPECT_EQ(queues.batch_size(0), 8U * 256);
  queues.open(8);
  EXPECT_EQ(queues.batch_size(0), 256U);
  EXPECT_EQ(queues.batch_size(0, 600), 600U);
  EXPECT_EQ(queues.batch_size(0, 1 << 30), 4U * 256);
}

TEST(EngineQueues, FollowAnEngineThatFallsBackOnACpu) {
  ScriptedEngine engine("device", {}, device(262'144, 3));
  EngineQueues queues({&engine}, {.cpu_divisor = 16});
  queues.open(1);
  EXPECT_EQ(queues.batch_size(0), 262'144U);
  EXPECT_FALSE(queues.has_changed());
  engine.change_capabilities(cpu(4096));
  EXPECT_EQ(queues.batch_size(0), 256U);
  EXPECT_TRUE(queues.has_changed());
  EXPECT_EQ(queues.reserve(), 0);
  EXPECT_EQ(queues.reserve(), 0);
  EXPECT_EQ(queues.reserve(), -1);  // a CPU has two batches in flight, not the device's three
  queues.open(1);
  EXPECT_FALSE(queues.has_changed());
}

TEST(EngineQueues, ReserveAPlaceWithTheEngineThatHasMostRoom) {
  ScriptedEngine wide("wide", {}, device(64, 4)), narrow("narrow", {}, device(64, 2));
  EngineQueues queues({&wide, &narrow});
  queues.open(1);
  std::vector<int> engines;
  for (int i = 0; i < 7; ++i)
    engines.push_back(queues.reserve());
  // Free shares are 4/4 and 2/2, then 3/4 and 2/2, 3/4 and 1/2, 2/4 and 1/2, 1/4 and 1/2, 1/4 and 0.
  EXPECT_EQ(engines, (std::vector<int>{0, 1, 0, 0, 1, 0, -1}));
  EXPECT_GE(queues.reserve_any(), 0);
  queues.release(1);
  queues.release(0);
  EXPECT_GE(queues.reserve(), 0);
}

}  // namespace
}  // namespace chainshot::host
