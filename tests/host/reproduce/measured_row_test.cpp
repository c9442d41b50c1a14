#include "host/reproduce/measured_row.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chainshot::host {
namespace {

PublishedRow row_of(double published, double error = 0) {
  return {
      .name = "row", .published = published, .published_error = error, .experiment = SearchExperiment{.preset = "uct"}};
}

// Every standard board once with the score of its number, and again if there are several passes, `apart` points off.
std::vector<Sample> passes(int count, double apart) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < kStandardBoards * static_cast<std::size_t>(count); ++i) {
    const auto pass = static_cast<double>(i / kStandardBoards);
    samples.push_back({i, static_cast<double>(i % kStandardBoards) + pass * apart, 1});
  }
  return samples;
}

TEST(MeasuredRow, AMeanHasTheStandardErrorOfItsSamples) {
  const std::vector<Sample> samples = {{0, 1, 0.5}, {1, 2, 0.5}, {2, 3, 1}};
  const MeasuredRow measured = measured_row({}, row_of(2), samples);
  EXPECT_EQ(measured.samples, 3U);
  EXPECT_DOUBLE_EQ(measured.value, 2);
  EXPECT_DOUBLE_EQ(measured.error, 1 / std::sqrt(3));  // the deviation is 1
  EXPECT_TRUE(measured.error_is_known);
  EXPECT_EQ(measured.lowest, 1);
  EXPECT_EQ(measured.highest, 3);
  EXPECT_DOUBLE_EQ(measured.seconds, 2);
}

TEST(MeasuredRow, OneSampleHasNoKnownErrorUnlessItCountsAllBoards) {
  const std::vector<Sample> one = {{0, 50, 0}};
  EXPECT_FALSE(measured_row({}, row_of(50), one).error_is_known);
  PublishedRow counted = row_of(50);
  counted.experiment = SolvableExperiment{.rows = 2, .columns = 1};
  EXPECT_TRUE(measured_row({}, counted, one).error_is_known);
}

TEST(MeasuredRow, ASumAddsTheMeansOfTheBoards) {
  const PublishedTable table{.total = Total::kStandardSum};
  const MeasuredRow once = measured_row(table, row_of(0), passes(1, 0));
  EXPECT_DOUBLE_EQ(once.value, 190);  // 0 + 1 + ... + 19
  EXPECT_FALSE(once.error_is_known);
  // Scores s and s + 2: their mean is s + 1, their deviation the root of 2, the error of the mean 1.
  const MeasuredRow twice = measured_row(table, row_of(0), passes(2, 2));
  EXPECT_DOUBLE_EQ(twice.value, 210);
  EXPECT_TRUE(twice.error_is_known);
  EXPECT_DOUBLE_EQ(twice.error, std::sqrt(20));
  const MeasuredRow mean = measured_row({.total = Total::kStandardMean}, row_of(0), passes(2, 2));
  EXPECT_DOUBLE_EQ(mean.value, 10.5);
  EXPECT_DOUBLE_EQ(mean.error, std::sqrt(20) / 20);
}

TEST(MeasuredRow, ASumNeedsEveryBoard) {
  std::vector<Sample> samples = passes(1, 0);
  samples.pop_back();
  const PublishedTable table{.total = Total::kStandardSum};
  const MeasuredRow measured = measured_row(table, row_of(0), samples);
  EXPECT_EQ(measured.samples, 0U);
  EXPECT_EQ(judge(table, row_of(0), measured, {}).verdict, Verdict::kUnknown);
}

TEST(Judge, AgreesWithinTwoStandardErrorsOfTheDifference) {
  const MeasuredRow measured{.samples = 10, .value = 100, .error = 3, .error_is_known = true};
  // The error of the difference is that of a triangle with sides 3 and 4: 5.
  EXPECT_EQ(judge({}, row_of(110, 4), measured, {}).verdict, Verdict::kAgrees);
  EXPECT_EQ(judge({}, row_of(110.1, 4), measured, {}).verdict, Verdict::kDiffers);
  EXPECT_EQ(judge({}, row_of(90, 4), measured, {}).verdict, Verdict::kAgrees);
  EXPECT_EQ(judge({}, row_of(89.9, 4), measured, {}).verdict, Verdict::kBetter);
  PublishedRow rounded = row_of(110.1, 4);
  rounded.rounding = 0.5;
  EXPECT_EQ(judge({}, rounded, measured, {}).verdict, Verdict::kAgrees);
}

TEST(Judge, ASmallerBudgetExcusesALowerScoreAndNothingElse) {
  const MeasuredRow measured{.samples = 10, .value = 100, .error = 1, .error_is_known = true};
  EXPECT_EQ(judge({}, row_of(200), measured, {.budget_share = 0.1}).verdict, Verdict::kBelowLess);
  EXPECT_EQ(judge({}, row_of(50), measured, {.budget_share = 0.1}).verdict, Verdict::kBetter);
  EXPECT_EQ(judge({.more_is_better = false}, row_of(200), measured, {.budget_share = 0.1}).verdict, Verdict::kDiffers);
  EXPECT_EQ(judge({.more_is_better = false}, row_of(50), measured, {}).verdict, Verdict::kDiffers);
}

TEST(Judge, SaysNothingOfRowsThatAreOnlyListedOrHaveOneBoard) {
  PublishedRow listed = row_of(784);
  listed.experiment = NotMeasured{};
  EXPECT_EQ(judge({}, listed, {}, {}).verdict, Verdict::kListed);
  const MeasuredRow one{.samples = 1, .value = 100};
  EXPECT_EQ(judge({}, row_of(200), one, {}).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace chainshot::host
