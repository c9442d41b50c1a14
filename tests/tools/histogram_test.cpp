// The figures that `play` makes of the sums of an engine.
#include "tools/reports/histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chainshot::tools {
namespace {

// Half of the scores are one above their mean and half are one below. The sum of their squares is about 2^64.8.
TEST(StandardDeviation, IsRightForManyLargeScores) {
  game::Result result;
  result.add({1, 2, 3}, 981'100, 1);
  result.add({1, 2, 4}, 981'098, 1);
  for (int doubling = 0; doubling < 24; ++doubling)
    result.add(game::Result(result));
  const double n = 1 << 25;
  EXPECT_DOUBLE_EQ(mean(result), 981'099);
  EXPECT_DOUBLE_EQ(standard_deviation(result), std::sqrt(n / (n - 1)));
}

TEST(StandardDeviation, OfEqualOrNegativeScores) {
  game::Result result;
  result.add({1, 2, 3}, -5, 1);
  result.add({1, 2, 4}, -5, 1);
  EXPECT_EQ(standard_deviation(result), 0);
  result.add({1, 2, 5}, -8, 1);  // deviations of 1, 1 and 2 from the mean: 6 / 2
  EXPECT_DOUBLE_EQ(standard_deviation(result), std::sqrt(3.0));
}

}  // namespace
}  // namespace chainshot::tools
