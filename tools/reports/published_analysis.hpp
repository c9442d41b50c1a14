// The papers' figures of the game itself, and the words for how ours compare with them.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "host/analysis/statistics.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::tools {

// Takes 2009, table 1: percent of boards with two colours that can be cleared, by rows and columns from 1 to 10.
// Entries of larger boards were sampled with 100,000 boards each; which ones, the text of the table no longer shows, so
// all are compared as samples. The figures are rounded or cut to one decimal.
inline constexpr std::array<std::array<double, 10>, 10> kTakesSolvable = {{
    {0.0, 50.0, 25.0, 37.5, 37.5, 40.5, 45.3, 49.5, 54.4, 59.0},
    {50.0, 37.5, 59.3, 66.3, 71.5, 76.6, 81.9, 86.4, 89.3, 91.9},
    {25.0, 59.3, 77.3, 81.6, 85.4, 89.0, 91.8, 94.0, 95.4, 96.7},
    {37.5, 68.7, 82.1, 86.8, 90.6, 93.3, 94.8, 97.3, 97.5, 98.4},
    {37.5, 76.6, 88.0, 92.1, 94.8, 96.7, 97.6, 98.4, 98.9, 99.3},
    {40.5, 82.4, 92.5, 95.3, 97.2, 98.3, 98.9, 99.1, 99.6, 99.7},
    {45.3, 88.0, 95.5, 97.5, 98.5, 99.2, 99.5, 99.7, 99.8, 99.9},
    {49.5, 92.0, 97.0, 98.6, 99.2, 99.6, 99.8, 99.9, 99.9, 99.9},
    {54.4, 94.5, 98.3, 99.3, 99.6, 99.8, 99.9, 99.9, 99.9, 99.9},
    {59.0, 96.5, 99.0, 99.5, 99.8, 99.9, 99.9, 99.9, 99.9, 99.9},
}};
inline constexpr double kTakesSamples = 100'000;

// A mean over boards as a paper prints it.
struct PublishedMean {
  double mean;
  double deviation;  // over boards; 0 if the paper has none
  double boards;
  double rounding;

  double standard_error() const { return deviation / std::sqrt(boards); }
};

// log10; random boards of 15x15 and five colours. Klein 2015, 4.1 and 4.2.
inline constexpr PublishedMean kKleinTree{84.23, 4.81, 8192, 0.005};
inline constexpr PublishedMean kKleinPrunedTree{80.56, 4.78, 8192, 0.005};
inline constexpr PublishedMean kKleinStates{52.42, 1.53, 100'000, 0.005};
// Schadd 2008, by Klein 2015, 2.5.1: a million games, one of each board. Without deviations: ours stand in for them.
inline constexpr PublishedMean kSchaddLength{64.4, 0, 1'000'000, 0.05};
inline constexpr PublishedMean kSchaddBranching{20.7, 0, 1'000'000, 0.05};

// `agrees` or `differs`, and by how much: `agrees (+0.08, 0.5 se)`, in standard errors of the difference.
inline std::string verdict_text(const host::Comparison& compared, int decimals) {
  const std::string errors =
      compared.error > 0 ? fmt::format(", {:.1f} se", std::abs(compared.difference) / compared.error) : "";
  return fmt::format("{} ({:+.{}f}{})", compared.agrees() ? "agrees" : "differs", compared.difference, decimals,
                     errors);
}

inline Json comparison_json(double published, const host::Comparison& compared) {
  return {{"published", published},
          {"difference", compared.difference},
          {"error_of_difference", compared.error},
          {"agrees", compared.agrees()}};
}

}  // namespace chainshot::tools
