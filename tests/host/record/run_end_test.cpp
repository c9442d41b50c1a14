#include "host/record/run_end.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace chainshot::host {
namespace {

using namespace std::chrono_literals;

TEST(RunEnd, HasNoEndUnlessOneIsGiven) {
  const RunEnd end({}, {});
  EXPECT_FALSE(end.seconds_left());
  EXPECT_FALSE(end.is_reached());
}

TEST(RunEnd, ComesAfterTheSeconds) {
  const RunEnd end(0.05, {});
  EXPECT_GT(*end.seconds_left(), 0);
  std::this_thread::sleep_for(60ms);
  EXPECT_EQ(*end.seconds_left(), 0);
  EXPECT_TRUE(end.is_reached());
}

TEST(RunEnd, ComesAtTheTimeOfDayOrAfterTheSecondsWhicheverIsFirst) {
  const auto now = std::chrono::system_clock::now();
  EXPECT_NEAR(*RunEnd({}, now + 100s).seconds_left(), 100, 10);
  EXPECT_NEAR(*RunEnd(50, now + 100s).seconds_left(), 50, 10);
  EXPECT_NEAR(*RunEnd(500, now + 100s).seconds_left(), 100, 10);
  EXPECT_TRUE(RunEnd({}, now - 1s).is_reached());
}

TEST(RunEnd, SaysNothingWhileTheClockIsRight) {
  RunEnd end(100, {});
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(end.clock_jump(), "");
}

}  // namespace
}  // namespace chainshot::host
