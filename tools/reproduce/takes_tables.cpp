// The tables and theorems of Takes 2009 about boards that can be cleared.
#include <fmt/format.h>

#include "host/analysis/statistics.hpp"
#include "tools/reports/published_analysis.hpp"
#include "tools/reproduce/published_tables.hpp"

namespace chainshot::tools {
namespace {

constexpr int kMostCountedCells = 20;  // boards of two colours with so many cells are all tried

// One line of the table would be ten rows here; these sizes have its corners, its diagonal and all that can be counted
// quickly.
constexpr std::array<int, 7> kSizes = {1, 2, 3, 4, 5, 7, 10};

host::PublishedTable solvable() {
  host::PublishedTable table{.name = "solvable",
                             .title = "Percentage of boards with two colours that can be cleared",
                             .source = "Takes 2009, table 1",
                             .more_is_better = false,
                             .decimals = 1};
  for (const int rows : kSizes) {
    for (const int columns : kSizes) {
      const double percent = kTakesSolvable[static_cast<std::size_t>(rows - 1)][static_cast<std::size_t>(columns - 1)];
      host::PublishedRow row{.name = fmt::format("{} rows, {} columns", rows, columns),
                             .published = percent,
                             // Which figures were sampled, the text of the table no longer shows.
                             .published_error = 100 * host::share_error(percent / 100, kTakesSamples),
                             .rounding = 0.1,  // rounded or cut
                             .published_budget = "all boards",
                             .experiment = host::SolvableExperiment{.rows = rows, .columns = columns},
                             .effort = {{{1, 1}, {1, 1}, {1, 1}}}};
      if (rows * columns > kMostCountedCells) {
        row.published_budget = "all, or 100,000 boards";
        row.effort = {{{4, 1}, {20, 1}, {200, 1}}};
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

host::PublishedTable theorems() {
  host::PublishedTable table{.name = "chessboards",
                             .title = "Percentage of chessboards for which a claim holds",
                             .source = "Takes 2009, section 3, theorems 1 to 3",
                             .more_is_better = false};
  for (const host::NamedChessClaim& claim : host::kChessClaims) {
    for (int size = claim.smallest; size <= 7; ++size) {
      const bool is_slow = size > 6;
      table.rows.push_back({.name = fmt::format("{0}, {1}x{1}", claim.name, size),
                            .published = 100,
                            .published_budget = "proof",
                            .experiment = host::ChessExperiment{.claim = claim, .size = size},
                            .effort = {{{is_slow ? 0u : 1u, 1}, {1, 1}, {1, 1}}}});
    }
  }
  return table;
}

}  // namespace

std::vector<host::PublishedTable> takes_tables() {
  return {solvable(), theorems()};
}

}  // namespace chainshot::tools
