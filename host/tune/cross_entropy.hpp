// The cross-entropy method, which tunes numbers: Rubinstein 2003, as Schadd 2012 describes it in section 5 and uses it
// in 6.6. Every parameter has a Gaussian of its own. A generation draws samples from these Gaussians and measures the
// fitness of each; the mean and the deviation of the best samples, the elite, are the Gaussians of the next generation.
//
// We differ from the paper: a value outside the range of its parameter is drawn again. A whole number is drawn as a
// real one and rounded for use; the elite is fitted to what was drawn, so that a deviation does not fall to 0 as soon
// as the elite agrees on a number. A parameter may have a logarithmic scale; its Gaussian is then one of the logarithm.
// The paper has no smoothing, and neither have we unless it is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace chainshot::host {

struct Gaussian {
  double mean = 0;
  double deviation = 0;

  bool operator==(const Gaussian&) const = default;
};

struct TunedParameter {
  std::string name;
  bool is_whole = false;
  bool is_logarithmic = false;
  double low = 0, high = 0;  // the values that it may take
  Gaussian start = {};       // of the coordinate: the value, or its natural logarithm

  bool operator==(const TunedParameter&) const = default;

  double coordinate_of(double value) const;
  // Returns the value that a search gets: rounded if it is whole, and in the range.
  double value_at(double coordinate) const;
  // Returns the value before it is rounded, for reports.
  double exact_value_at(double coordinate) const;
};

// One coordinate per parameter.
using Point = std::vector<double>;

struct DrawKey {
  std::uint64_t seed = 0;
  std::uint64_t generation = 0;
  std::uint32_t sample = 0;
};

// Draws one sample; the same key gives the same sample. It is drawn again while `is_allowed` refuses it. Throws
// std::runtime_error with one sentence if that does not end.
Point draw_sample(std::span<const TunedParameter> parameters, std::span<const Gaussian> distribution,
                  const DrawKey& key, const std::function<bool(const Point&)>& is_allowed);

// Returns the numbers of the `elite` samples with the highest fitness, the best first. Of equal ones the first counts.
std::vector<std::size_t> elite_of(std::span<const double> fitness, std::size_t elite);

// Returns the distribution of the next generation. The deviation is the maximum-likelihood one, which divides by the
// number of the elite. A smoothing of 1 takes the elite as it is; less keeps a share of the distribution before.
std::vector<Gaussian> fitted(std::span<const Gaussian> before, const std::vector<Point>& samples,
                             std::span<const double> fitness, std::size_t elite, double smoothing);

}  // namespace chainshot::host
