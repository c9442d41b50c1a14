#include "game/engine.hpp"

#include <gtest/gtest.h>

#include "game/playout.hpp"

namespace chainshot::game {
namespace {

TEST(Result, AddsUpPlayouts) {
  Result result;
  result.add({1, 2, 30}, 5, 4);
  result.add({1, 2, 31}, -3, 6);
  result.add({1, 2, 32}, 5, 2);
  EXPECT_EQ(result.count, 3u);
  EXPECT_EQ(result.sum, 7);
  EXPECT_EQ(result.sum_of_squares, 25u + 9u + 25u);
  EXPECT_EQ(result.moves, 12u);
  EXPECT_EQ(result.best, 5);
  EXPECT_EQ(result.worst, -3);
  EXPECT_EQ(result.best_playout, 30u);
  EXPECT_EQ(result.digest,
            playout_digest({1, 2, 30}, 5, 4) + playout_digest({1, 2, 31}, -3, 6) + playout_digest({1, 2, 32}, 5, 2));
}

// 2^25 scores of 981,100, as a board of 31 x 32 in one colour has them, have squares of more than 2^64 in all.
TEST(Result, AddsUpSquaresThatDoNotFitInto64Bits) {
  Result result;
  result.add({1, 2, 3}, 981'100, 1);
  for (int doubling = 0; doubling < 25; ++doubling)
    result.add(Result(result));
  EXPECT_EQ(result.count, 1u << 25);
  EXPECT_EQ(static_cast<std::uint64_t>(result.sum_of_squares >> 25), 962'557'210'000u);  // 981,100^2
}

TEST(Result, DoesNotDependOnTheOrderInWhichPartsAreAdded) {
  Result parts[3];
  parts[0].add({1, 2, 9}, -7, 4);
  parts[1].add({1, 2, 4}, -7, 6);
  parts[2].add({1, 2, 6}, -9, 2);
  parts[0].histogram = {1, 0};
  parts[2].histogram = {0, 3};
  Result forward, backward;
  for (int i = 0; i < 3; ++i) {
    forward.add(parts[i]);
    backward.add(parts[2 - i]);
  }
  EXPECT_EQ(forward, backward);
  EXPECT_EQ(forward.best, -7);
  EXPECT_EQ(forward.worst, -9);
  EXPECT_EQ(forward.best_playout, 4u);  // the lowest number among equals
  EXPECT_EQ(forward.histogram, (std::vector<std::uint64_t>{1, 3}));
}

TEST(Result, StaysTheSameWhenAnEmptyResultIsAdded) {
  Result result;
  result.add({1, 2, 3}, -50, 4);
  const Result before = result;
  result.add(Result{});
  EXPECT_EQ(result, before);
}

TEST(Histogram, CountsScoresBeyondItsRangeInTheOuterBins) {
  const HistogramSpec spec{.low = -10, .width = 5, .bins = 3};  // the bins are -10..-6, -5..-1 and 0..4
  EXPECT_EQ(spec.bin_of(-10), 0);
  EXPECT_EQ(spec.bin_of(-6), 0);
  EXPECT_EQ(spec.bin_of(-5), 1);
  EXPECT_EQ(spec.bin_of(-1), 1);
  EXPECT_EQ(spec.bin_of(0), 2);
  EXPECT_EQ(spec.bin_of(-11), 0);
  EXPECT_EQ(spec.bin_of(-1'000'000), 0);
  EXPECT_EQ(spec.bin_of(5), 2);
  EXPECT_EQ(spec.bin_of(1'000'000), 2);
}

}  // namespace
}  // namespace chainshot::game
