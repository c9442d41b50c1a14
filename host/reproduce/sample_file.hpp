// The samples of a reproduction, as text: a line of JSON for each. A file keeps them while the work goes on, so that a
// measurement that was broken off goes on with what it has. A sample counts for a row only if the experiment and its
// budget are still the same.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/reproduce/measured_row.hpp"

namespace chainshot::host {

// Identifies the work behind samples: the table, the row, its experiment and the share of its budget.
struct SampleKey {
  std::string table;
  std::string row;
  std::string experiment;
  double budget_share = 1;

  auto operator<=>(const SampleKey&) const = default;
};

// Returns one line, with its newline. `program` is the version that measured it.
std::string sample_line(const SampleKey& key, const Sample& sample, const std::string& program);

using SamplesByKey = std::map<SampleKey, std::vector<Sample>>;
// If two samples have one number, the first counts. Skips lines that were cut off. Throws game::ParseError with
// file, line and column.
SamplesByKey parse_samples(std::string_view text, std::string_view source);

}  // namespace chainshot::host
