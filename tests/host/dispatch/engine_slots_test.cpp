#include "host/dispatch/engine_slots.hpp"

#include <gtest/gtest.h>

#include "tests/support/scripted_engine.hpp"

namespace chainshot::host {
namespace {

using tests::ScriptedEngine;

// It has played for a second by the time slots are asked, so many playouts.
void play(ScriptedEngine& engine, std::uint64_t playouts) {
  engine.busy_seconds += 1;
  engine.playouts += playouts;
}

ScriptedEngine device(std::uint64_t batch) {
  return ScriptedEngine("device", {},
                        {.name = {}, .on_cpu = false, .recommended_batch = batch, .largest_batch = batch});
}

TEST(EngineSlots, GiveASlowEngineNoMoreThanAFastOneCanWaitFor) {
  ScriptedEngine fast = device(10'000), slow = device(10'000);
  EngineSlots slots({&fast, &slow});
  slots.open(1);
  EXPECT_EQ(slots.batch(1, 0), 10'000U);  // until it has played
  play(fast, 1'000'000);
  play(slow, 1'000);
  slots.open(1);
  // The fast one has a batch done in 10 ms; in four times that the slow one plays 40.
  EXPECT_EQ(slots.batch(0, 0), 10'000U);
  EXPECT_EQ(slots.batch(1, 0), 40U);
  // What was long ago does not count: the fast one has become as slow as the other, by falling back on a processor,
  // say.
  play(fast, 1'000);
  play(slow, 1'000);
  slots.open(1);
  EXPECT_EQ(slots.batch(0, 0), 10'000U);
  EXPECT_EQ(slots.batch(1, 0), 10'000U);
}

TEST(EngineSlots, AddUpTheRatesOfEngines) {
  ScriptedEngine fast = device(10'000), slow = device(10'000), idle = device(10'000);
  const EngineSlots slots({&fast, &slow, &idle});
  play(fast, 77);
  const std::vector<game::Usage> before = slots.usages();
  play(fast, 1'000'000);
  play(slow, 1'000);
  // Not 1,001,000 playouts in two seconds: both play at the same time.
  EXPECT_DOUBLE_EQ(slots.speed_since(before).rate, 1'001'000);
  EXPECT_EQ(slots.speed_since(before).devices, 3);
  EXPECT_DOUBLE_EQ(slots.speed_since(before).busy_devices, 2);
}

TEST(EngineSlots, DivideTheBatchOfProcessorsAmongTheGroves) {
  // The CPU engine recommends 4,096 playouts a thread, and a sixteenth of that keeps one busy.
  ScriptedEngine engine("cpu", {}, {.name = {}, .recommended_batch = 8 * 4096, .largest_batch = 1 << 30});
  EngineSlots slots({&engine});
  slots.open(1);
  EXPECT_EQ(slots.batch(0, 0), 8U * 256);
  slots.open(8);
  EXPECT_EQ(slots.batch(0, 0), 256U);
  EXPECT_EQ(slots.batch(0, 600 * 256), 600U);  // one playout for 256 that the trees know
  EXPECT_EQ(slots.batch(0, 1 << 30), 4U * 256);
}

TEST(EngineSlots, HeedWhatAnEngineSaysOfItselfNow) {
  ScriptedEngine engine = device(262'144);
  const EngineSlots slots({&engine});
  EXPECT_EQ(slots.batch(0, 0), 262'144U);
  engine.change_capabilities(
      {.name = {}, .recommended_batch = 4096, .largest_batch = 1 << 30});  // it has fallen back on a processor
  EXPECT_EQ(slots.batch(0, 0), 256U);
}

}  // namespace
}  // namespace chainshot::host
