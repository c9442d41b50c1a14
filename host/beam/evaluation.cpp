#include "host/beam/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "game/random.hpp"

namespace chainshot::host {
namespace {

constexpr double kMostUnits = 1 << 30;

std::int32_t units(double points) {
  return static_cast<std::int32_t>(std::lround(std::clamp(points * game::kBeamScale, -kMostUnits, kMostUnits)));
}

// What terms are multiplied by: those that were tuned in points of the standard scoring, and those that follow from the
// scoring itself.
struct Scale {
  double tuned = 1, by_scoring = 1;
};

struct ColorValues {
  double target, other;
};

// A single block that is left can never go, so the bonus for a cleared board is lost with it.
ColorValues values_of_color(const BeamWeights& w, const game::Scoring& scoring, const Scale& scale, int n, int k) {
  const double lost = scale.by_scoring * -static_cast<double>(scoring.clear_bonus);
  if (n == 1) return {lost, lost};
  return {scale.by_scoring * w.target_scale * scoring.group_points(n) * std::pow(k, w.target_power),
          scale.tuned * w.other_scale * std::pow(n, w.other_size_power) * std::pow(k, w.other_power)};
}

using Weights = game::BeamTables::Weights;

Weights weights_at(const BeamWeights& w, double scale, double full_share) {
  const auto penalty = [&](const Penalty& p) { return -units(scale * (p.empty + (p.full - p.empty) * full_share)); };
  return {.target_components = penalty(w.target_components),
          .other_components = penalty(w.other_components),
          .target_isolated = penalty(w.target_isolated),
          .other_isolated = penalty(w.other_isolated),
          .target_lonely = penalty(w.target_lonely),
          .other_lonely = penalty(w.other_lonely),
          .target_runs = penalty(w.target_runs),
          .other_runs = penalty(w.other_runs),
          .steps = -units(scale * w.steps),
          .columns = -units(scale * w.columns)};
}

// For games that are about clearing alone; in blocks.
Weights clearing_weights() {
  const std::int32_t component = -units(0.25), isolated = -units(1), lonely = -units(0.5);
  return {.target_components = component,
          .other_components = component,
          .target_isolated = isolated,
          .other_isolated = isolated,
          .target_lonely = lonely,
          .other_lonely = lonely};
}

// Normal numbers by Box and Muller.
class NormalDraws {
 public:
  NormalDraws(std::uint64_t seed, std::uint64_t draw) : draws_({seed, draw, 0}) {}
  double next() {
    const double u = (draws_.next() + 1.0) / 4294967297.0, v = draws_.next() / 4294967296.0;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  game::DrawSequence draws_;
};

}  // namespace

BeamWeights perturbed(const BeamWeights& weights, double noise, std::uint64_t seed, std::uint64_t draw) {
  BeamWeights w = weights;
  NormalDraws normal(seed, draw);
  for (double* weight :
       {&w.target_scale, &w.target_power, &w.other_scale, &w.other_size_power, &w.other_power, &w.steps, &w.columns}) {
    // A small change of an exponent is a large one of the value.
    const bool is_power = weight == &w.other_size_power;
    *weight *= std::exp((is_power ? 0.1 : 1.0) * noise * normal.next());
  }
  for (Penalty* penalty : {&w.target_components, &w.target_isolated, &w.target_lonely, &w.target_runs,
                           &w.other_components, &w.other_isolated, &w.other_lonely, &w.other_runs}) {
    penalty->empty *= std::exp(noise * normal.next());
    penalty->full *= std::exp(noise * normal.next());
  }
  return w;
}

namespace {

// No evaluation of a position is further from 0, counting points of up to kMostBeamScore.
std::int64_t most_evaluation(const game::BeamTables& tables, const game::Position& board) {
  const auto size = [](std::int32_t value) { return std::abs(std::int64_t{value}); };
  const auto larger = [&](std::int32_t a, std::int32_t b) { return std::max(size(a), size(b)); };
  std::int64_t of_color = 0;
  for (const auto* values : {&tables.target_value, &tables.other_value})
    for (const std::int32_t value : *values)
      of_color = std::max(of_color, size(value));
  std::int64_t of_features = 0;
  const std::int64_t cells = board.columns() * board.rows();
  for (std::size_t left = 0; left < tables.weights.size(); ++left) {
    const Weights& w = tables.weights[left];
    const std::int64_t of_block = size(w.target_components) + size(w.other_components) +
                                  larger(w.target_isolated, w.other_isolated) +
                                  larger(w.target_lonely, w.other_lonely) + larger(w.target_runs, w.other_runs);
    of_features = std::max(of_features, of_block * static_cast<std::int64_t>(left) + size(w.steps) * 2 * cells +
                                            size(w.columns) * board.columns());
  }
  return std::int64_t{kMostBeamScore} * game::kBeamScale + of_color * board.colors() + of_features;
}

game::BeamTables scaled_tables(const BeamWeights& weights, const game::Position& board, const game::Scoring& scoring,
                               int target, const Scale& scale) {
  game::BeamTables tables{.scoring = scoring, .target = target};
  const auto counts = board.color_counts();
  const int most = *std::max_element(counts.begin(), counts.end());
  tables.stride = most + 1;
  const auto size = static_cast<std::size_t>(tables.stride) * static_cast<std::size_t>(tables.stride);
  tables.target_value.assign(size, 0);
  tables.other_value.assign(size, 0);
  for (int n = 1; n <= most && scoring.scores_groups(); ++n) {
    for (int k = 1; k <= n; ++k) {
      const ColorValues values = values_of_color(weights, scoring, scale, n, k);
      const auto at = static_cast<std::size_t>(n * tables.stride + k);
      tables.target_value[at] = units(values.target);
      tables.other_value[at] = units(values.other);
    }
  }
  const int cells = board.columns() * board.rows();
  for (int left = 0; left <= board.blocks(); ++left)
    tables.weights.push_back(scoring.scores_groups()
                                 ? weights_at(weights, scale.tuned, static_cast<double>(left) / cells)
                                 : clearing_weights());
  return tables;
}

}  // namespace

game::BeamTables beam_tables(const BeamWeights& weights, const game::Position& board, const game::Scoring& scoring,
                             int target) {
  const auto counts = board.color_counts();
  const int largest = *std::max_element(counts.begin(), counts.end());
  Scale scale{.tuned = game::points_scale(scoring, largest)};
  for (;;) {
    game::BeamTables tables = scaled_tables(weights, board, scoring, target, scale);
    if (most_evaluation(tables, board) <= std::numeric_limits<std::int32_t>::max()) return tables;
    scale = {.tuned = scale.tuned / 2, .by_scoring = scale.by_scoring / 2};
  }
}

}  // namespace chainshot::host
