// Pearson's chi-square test compares observed counts with exact probabilities. The samples come from fixed keys, so a
// test gives the same answer on every machine; the threshold only has to be small enough for that answer to be yes.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace chainshot::tests {

// Returns the probability of a chi-square at least as large, Q(k/2, x/2). The recurrence
// Q(a + 1, y) = Q(a, y) + y^a e^-y / Gamma(a + 1) starts from Q(1/2, y) = erfc(sqrt y) or Q(1, y) = e^-y.
inline double chi_square_p_value(double chi_square, int degrees) {
  const double y = chi_square / 2;
  const bool is_odd = degrees % 2 == 1;
  double q = is_odd ? std::erfc(std::sqrt(y)) : std::exp(-y);
  for (int twice_a = is_odd ? 1 : 2; twice_a < degrees; twice_a += 2)
    q += std::exp(twice_a / 2.0 * std::log(y) - y - std::lgamma(twice_a / 2.0 + 1));
  return q;
}

inline constexpr double kLeastPValue = 1e-6;

// Counts all outcomes that are expected fewer than five times as one. An impossible outcome must not occur at all.
inline void expect_distribution(const std::vector<std::uint64_t>& observed, const std::vector<long double>& expected) {
  ASSERT_EQ(observed.size(), expected.size());
  std::uint64_t samples = 0;
  long double total = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    samples += observed[i];
    total += expected[i];
    EXPECT_TRUE(expected[i] > 0 || observed[i] == 0) << "outcome " << i << " is impossible, yet it came up";
  }
  ASSERT_NEAR(static_cast<double>(total), 1, 1e-9);
  double chi_square = 0, rare_observed = 0, rare_expected = 0;
  int cells = 0;
  const auto add = [&](double count, double mean) {
    chi_square += (count - mean) * (count - mean) / mean;
    ++cells;
  };
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double mean = static_cast<double>(expected[i] * samples);
    if (mean >= 5) {
      add(static_cast<double>(observed[i]), mean);
    } else {
      rare_observed += static_cast<double>(observed[i]);
      rare_expected += mean;
    }
  }
  if (rare_expected > 0) add(rare_observed, rare_expected);
  if (cells < 2) return;
  EXPECT_GT(chi_square_p_value(chi_square, cells - 1), kLeastPValue)
      << "chi-square " << chi_square << " with " << cells - 1 << " degrees of freedom";
}

}  // namespace chainshot::tests
