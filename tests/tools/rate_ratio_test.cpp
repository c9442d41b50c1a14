// What repeated samples say of two rates.
#include "tools/measure/rate_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace chainshot::tools {
namespace {

using Rates = std::vector<double>;

// The logarithms of the ratios are log 2 +- d: mean log 2, deviation d * sqrt(4 / 3), standard error d / sqrt(3).
// Student's distribution with three degrees of freedom has 3.182.
TEST(RateRatio, HasTheIntervalOfStudent) {
  const double d = 0.1;
  const Rates base = {1, 10, 100, 1000};  // the machine gets faster; the ratios do not mind
  const Rates rates = {2 * std::exp(d), 20 * std::exp(-d), 200 * std::exp(d), 2000 * std::exp(-d)};
  const RateRatio ratio = rate_ratio(rates, base);
  EXPECT_NEAR(ratio.ratio, 2, 1e-9);
  EXPECT_NEAR(std::log(ratio.high / ratio.ratio), 3.182 * d / std::sqrt(3), 1e-9);
  EXPECT_NEAR(ratio.low * ratio.high, 4, 1e-9);
}

TEST(RateRatio, TellsWhatIsSlowerOnlyIfTheSamplesDo) {
  EXPECT_TRUE(rate_ratio(Rates{98, 99, 98.5}, Rates{100, 101, 100.5}).is_slower());
  EXPECT_FALSE(rate_ratio(Rates{80, 120, 95}, Rates{100, 101, 100.5}).is_slower());
  EXPECT_FALSE(rate_ratio(Rates{5}, Rates{100}).is_slower()) << "one sample tells nothing of the spread";
  EXPECT_FALSE(rate_ratio(Rates{100, 101}, Rates{100, 101}).is_slower());
}

}  // namespace
}  // namespace chainshot::tools
