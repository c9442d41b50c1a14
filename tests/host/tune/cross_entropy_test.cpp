#include "host/tune/cross_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

namespace chainshot::host {
namespace {

constexpr double kFar = 1e9;

TunedParameter parameter(double low, double high) {
  return {.name = "x", .low = low, .high = high};
}

bool anything(const Point&) {
  return true;
}

// Runs the method for some generations of 100 samples with an elite of 10, as in the paper.
std::vector<Gaussian> maximised(const std::vector<TunedParameter>& parameters,
                                const std::function<double(const Point&)>& fitness_of, int generations) {
  std::vector<Gaussian> distribution;
  for (const TunedParameter& p : parameters)
    distribution.push_back(p.start);
  for (int g = 0; g < generations; ++g) {
    std::vector<Point> samples;
    std::vector<double> fitness;
    for (std::uint32_t i = 0; i < 100; ++i) {
      samples.push_back(draw_sample(parameters, distribution,
                                    {.seed = 5, .generation = static_cast<std::uint64_t>(g), .sample = i}, anything));
      fitness.push_back(fitness_of(samples.back()));
    }
    distribution = fitted(distribution, samples, fitness, 10, 1);
  }
  return distribution;
}

// The elite are the second and the third sample. Their mean is (3, 30) and their deviations are 1 and 10: each lies at
// that distance from the mean.
TEST(CrossEntropy, FitsTheNextDistributionToTheElite) {
  const std::vector<Point> samples = {{1, 10}, {2, 20}, {4, 40}, {8, 80}};
  const std::vector<double> fitness = {10, 40, 30, 20};
  const std::vector<Gaussian> before = {{7, 5}, {0, 0}};
  EXPECT_EQ(elite_of(fitness, 2), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(fitted(before, samples, fitness, 2, 1), (std::vector<Gaussian>{{3, 1}, {30, 10}}));
  // A quarter of it, and three quarters of the distribution before: 3/4 + 21/4 = 6, 1/4 + 15/4 = 4, 30/4, 10/4.
  EXPECT_EQ(fitted(before, samples, fitness, 2, 0.25), (std::vector<Gaussian>{{6, 4}, {7.5, 2.5}}));
}

TEST(CrossEntropy, TakesTheFirstOfEquallyGoodSamples) {
  EXPECT_EQ(elite_of(std::vector<double>{1, 2, 2, 2, 3}, 3), (std::vector<std::size_t>{4, 1, 2}));
}

// Near the maximum, samples have a deviation of s in both directions, and the elite is the tenth of them within the
// radius r with 1 - exp(-r^2 / 2 s^2) = 0.1, so r = 0.46 s. Points of a disk have a deviation of r/2 in each direction,
// so that every generation multiplies s by 0.23. Twelve generations take a deviation of 40 to 40 x 0.23^12 = 9e-7;
// eight more leave room for the way to the maximum.
TEST(CrossEntropy, FindsTheMaximumOfAQuadratic) {
  std::vector<TunedParameter> parameters = {parameter(-kFar, kFar), parameter(-kFar, kFar)};
  parameters[0].start = {0, 5};
  parameters[1].start = {20, 40};
  const auto found = maximised(
      parameters, [](const Point& p) { return -std::pow(p[0] - 3, 2) - std::pow((p[1] - 50) / 8, 2); }, 20);
  EXPECT_NEAR(found[0].mean, 3, 1e-6);
  EXPECT_NEAR(found[1].mean, 50, 1e-6);
  EXPECT_LT(found[0].deviation, 1e-6);
  EXPECT_LT(found[1].deviation, 1e-6);
}

TEST(CrossEntropy, FindsAWholeNumberAndAPowerOfTen) {
  std::vector<TunedParameter> parameters = {parameter(0, 100), parameter(0, kFar)};
  parameters[0].is_whole = true;
  parameters[0].start = {40, 20};
  parameters[1].is_logarithmic = true;
  parameters[1].start = {std::log(20), std::log(10)};
  const auto found = maximised(
      parameters,
      [&](const Point& p) {
        return -std::pow(parameters[0].value_at(p[0]) - 17, 2) -
               std::pow(std::log10(parameters[1].value_at(p[1])) - 3, 2);
      },
      20);
  EXPECT_EQ(parameters[0].value_at(found[0].mean), 17);
  EXPECT_NEAR(parameters[1].value_at(found[1].mean), 1000, 1);
}

// The mean of 10,000 draws has a standard error of 1/100 of the deviation, and their deviation one of 1/141 of it. Four
// standard errors are allowed.
TEST(CrossEntropy, DrawsFromTheGaussian) {
  const std::vector<TunedParameter> parameters = {parameter(-kFar, kFar)};
  const std::vector<Gaussian> distribution = {{7, 3}};
  double sum = 0, squares = 0;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    const double x = draw_sample(parameters, distribution, {.seed = 1, .generation = 2, .sample = i}, anything)[0];
    sum += x - 7;
    squares += (x - 7) * (x - 7);
  }
  EXPECT_NEAR(sum / 10'000, 0, 4 * 0.03);
  EXPECT_NEAR(std::sqrt(squares / 10'000), 3, 4 * 3 / 141.0);
}

// The positive half of a Gaussian of deviation 1 has the mean sqrt(2 / pi) = 0.798 and the variance 1 - 2 / pi, so the
// mean of 10,000 draws has a standard error of 0.006. Values moved to the end of the range would have the mean 0.399.
TEST(CrossEntropy, DrawsValuesOutOfRangeAgain) {
  const std::vector<TunedParameter> parameters = {parameter(0, kFar)};
  const std::vector<Gaussian> distribution = {{0, 1}};
  double sum = 0;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    const double x = draw_sample(parameters, distribution, {.seed = 1, .generation = 2, .sample = i}, anything)[0];
    EXPECT_GE(x, 0);
    sum += x;
  }
  EXPECT_NEAR(sum / 10'000, 0.798, 4 * 0.006);
}

TEST(CrossEntropy, RoundsWholeNumbersWithinTheirRange) {
  TunedParameter whole = parameter(1, 3);
  whole.is_whole = true;
  EXPECT_EQ(whole.value_at(2.4), 2);
  EXPECT_EQ(whole.value_at(2.6), 3);
  EXPECT_EQ(whole.value_at(0.1), 1);
  EXPECT_EQ(whole.value_at(9), 3);
  const std::vector<TunedParameter> parameters = {whole};
  const std::vector<Gaussian> distribution = {{2, 5}};
  // A value that rounds to 1 is not below the range: from 0.5 to 3.5 all is taken.
  bool is_below_one = false;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const double x = draw_sample(parameters, distribution, {.seed = 1, .generation = 0, .sample = i}, anything)[0];
    EXPECT_GE(x, 0.5);
    EXPECT_LE(x, 3.5);
    is_below_one = is_below_one || x < 1;
  }
  EXPECT_TRUE(is_below_one);
}

TEST(CrossEntropy, EverySampleOfEveryGenerationIsAnother) {
  const std::vector<TunedParameter> parameters = {parameter(-kFar, kFar), parameter(-kFar, kFar)};
  const std::vector<Gaussian> distribution = {{0, 1}, {0, 1}};
  const auto draw = [&](std::uint64_t seed, std::uint64_t generation, std::uint32_t sample) {
    return draw_sample(parameters, distribution, {seed, generation, sample}, anything);
  };
  EXPECT_EQ(draw(1, 2, 3), draw(1, 2, 3));
  EXPECT_NE(draw(1, 2, 3), draw(1, 2, 4));
  EXPECT_NE(draw(1, 2, 3), draw(1, 3, 3));
  EXPECT_NE(draw(1, 2, 3), draw(2, 2, 3));
  EXPECT_NE(draw(1, 2, 3)[0], draw(1, 2, 3)[1]);
}

TEST(CrossEntropy, DrawsAgainWhatTheSearchRefuses) {
  const std::vector<TunedParameter> parameters = {parameter(-kFar, kFar), parameter(-kFar, kFar)};
  const std::vector<Gaussian> distribution = {{0, 1}, {0, 1}};
  for (std::uint32_t i = 0; i < 50; ++i) {
    const Point point = draw_sample(parameters, distribution, {.seed = 1, .generation = 0, .sample = i},
                                    [](const Point& p) { return p[0] < p[1]; });
    EXPECT_LT(point[0], point[1]);
  }
  EXPECT_THROW(draw_sample(parameters, distribution, {}, [](const Point&) { return false; }), std::runtime_error);
}

// No draw of this Gaussian lies in the range within any number of tries.
TEST(CrossEntropy, MovesIntoARangeThatNoDrawReaches) {
  const std::vector<TunedParameter> parameters = {parameter(0, 1)};
  EXPECT_EQ(draw_sample(parameters, std::vector<Gaussian>{{50, 0}}, {}, anything), Point{1});
}

}  // namespace
}  // namespace chainshot::host
