// The statistics of the analyses: means with standard errors, intervals of shares, and comparisons with published
// figures.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace chainshot::host {

// Mean and standard deviation of numbers, by Welford's method.
class Moments {
 public:
  void add(double x) {
    ++count_;
    const double from_mean = x - mean_;
    mean_ += from_mean / static_cast<double>(count_);
    squares_ += from_mean * (x - mean_);
  }

  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  double deviation() const { return count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_ - 1)) : 0; }
  double standard_error() const { return count_ > 0 ? deviation() / std::sqrt(static_cast<double>(count_)) : 0; }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// The ratio of two sums over independent samples, such as moves to choose from per position, where a sample is a board.
// Its standard error is that of the mean residual (Cochran, Sampling Techniques, section 6.4).
class RatioMoments {
 public:
  void add(double numerator, double denominator) {
    ++count_;
    top_ += numerator;
    bottom_ += denominator;
    top_squares_ += numerator * numerator;
    bottom_squares_ += denominator * denominator;
    products_ += numerator * denominator;
  }

  double ratio() const { return bottom_ == 0 ? 0 : top_ / bottom_; }
  double standard_error() const {
    if (count_ < 2 || bottom_ == 0) return 0;
    const double r = ratio(), n = static_cast<double>(count_);
    const double residuals = std::max(0.0, top_squares_ - 2 * r * products_ + r * r * bottom_squares_);
    return std::sqrt(residuals * n / (n - 1)) / bottom_;
  }

 private:
  std::uint64_t count_ = 0;
  double top_ = 0, bottom_ = 0, top_squares_ = 0, bottom_squares_ = 0, products_ = 0;
};

struct Interval {
  double low = 0;
  double high = 1;
};

inline constexpr double kNormal95 = 1.959963984540054;  // 95 % of a normal distribution lie within so many deviations

// The same for Student's distribution, which the mean of few samples follows: 95 % lie within so many standard errors.
inline double student95(std::uint64_t degrees_of_freedom) {
  constexpr std::array<double, 30> kQuantiles = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                                 2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  if (degrees_of_freedom == 0) return std::numeric_limits<double>::infinity();
  return degrees_of_freedom <= kQuantiles.size() ? kQuantiles[degrees_of_freedom - 1] : kNormal95;
}

// Wilson's interval for the share of successes in `trials` independent trials (Wilson 1927).
inline Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double z = kNormal95) {
  if (trials == 0) return {};
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n, z2 = z * z / n;
  const double center = (share + z2 / 2) / (1 + z2);
  const double half = z / (1 + z2) * std::sqrt(share * (1 - share) / n + z2 / (4 * n));
  return {std::max(0.0, center - half), std::min(1.0, center + half)};
}

// The standard error of a share that was found in `trials` samples: half of Wilson's interval in deviations, which is
// not 0 where all samples or none succeed.
inline double share_error(double share, double trials) {
  const double z2 = kNormal95 * kNormal95 / trials;
  return std::sqrt(share * (1 - share) / trials + z2 / (4 * trials)) / (1 + z2);
}

// A figure, and the standard error that it has from sampling: 0 for an exact one.
struct Measured {
  double value = 0;
  double error = 0;
};

// Two figures agree if they lie within two standard errors of their difference, not counting what rounding of the
// published one may add.
struct Comparison {
  double difference = 0;  // ours minus the published one
  double error = 0;       // of the difference
  double rounding = 0;
  bool agrees() const { return std::abs(difference) <= 2 * error + rounding; }
};

inline Comparison compare(const Measured& ours, const Measured& published, double rounding) {
  return {ours.value - published.value, std::hypot(ours.error, published.error), rounding};
}

}  // namespace chainshot::host
