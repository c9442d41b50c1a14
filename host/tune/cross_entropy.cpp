#include "host/tune/cross_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "game/random.hpp"

namespace chainshot::host {
namespace {

constexpr int kMostTries = 1000;

// Draws a standard Gaussian by the method of Box and Muller. Both uniform numbers lie between 0 and 1 and are neither.
double draw_gaussian(game::DrawSequence& draws) {
  const auto uniform = [&] { return (draws.next() + 0.5) / 4294967296.0; };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

// A narrow range far from the mean may hold none of the tries; then the last one moves to the end of the range.
double draw_coordinate(const TunedParameter& parameter, const Gaussian& gaussian, game::DrawSequence& draws) {
  double coordinate = gaussian.mean;
  for (int i = 0; i < kMostTries; ++i) {
    coordinate = gaussian.mean + gaussian.deviation * draw_gaussian(draws);
    const double value = parameter.exact_value_at(coordinate);
    const double used = parameter.is_whole ? std::round(value) : value;
    if (used >= parameter.low && used <= parameter.high) return coordinate;
  }
  return parameter.coordinate_of(std::clamp(parameter.exact_value_at(coordinate), parameter.low, parameter.high));
}

}  // namespace

double TunedParameter::coordinate_of(double value) const {
  return is_logarithmic ? std::log(value) : value;
}

double TunedParameter::exact_value_at(double coordinate) const {
  return is_logarithmic ? std::exp(coordinate) : coordinate;
}

double TunedParameter::value_at(double coordinate) const {
  const double value = exact_value_at(coordinate);
  return std::clamp(is_whole ? std::round(value) : value, low, high);
}

Point draw_sample(std::span<const TunedParameter> parameters, std::span<const Gaussian> distribution,
                  const DrawKey& key, const std::function<bool(const Point&)>& is_allowed) {
  game::DrawSequence draws({.seed = key.seed, .request = key.generation, .playout = key.sample});
  for (int i = 0; i < kMostTries; ++i) {
    Point point;
    for (std::size_t p = 0; p < parameters.size(); ++p)
      point.push_back(draw_coordinate(parameters[p], distribution[p], draws));
    if (is_allowed(point)) return point;
  }
  throw std::runtime_error("the search refuses all settings that were drawn; expected other means or deviations");
}

std::vector<std::size_t> elite_of(std::span<const double> fitness, std::size_t elite) {
  std::vector<std::size_t> order(fitness.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return fitness[a] > fitness[b]; });
  order.resize(std::min(elite, order.size()));
  return order;
}

std::vector<Gaussian> fitted(std::span<const Gaussian> before, const std::vector<Point>& samples,
                             std::span<const double> fitness, std::size_t elite, double smoothing) {
  const std::vector<std::size_t> best = elite_of(fitness, elite);
  const auto count = static_cast<double>(best.size());
  std::vector<Gaussian> after;
  for (std::size_t p = 0; p < before.size(); ++p) {
    double sum = 0, squares = 0;
    for (const std::size_t i : best)
      sum += samples[i][p];
    const double mean = sum / count;
    for (const std::size_t i : best)
      squares += (samples[i][p] - mean) * (samples[i][p] - mean);
    const double deviation = std::sqrt(squares / count);
    after.push_back({smoothing * mean + (1 - smoothing) * before[p].mean,
                     smoothing * deviation + (1 - smoothing) * before[p].deviation});
  }
  return after;
}

}  // namespace chainshot::host
