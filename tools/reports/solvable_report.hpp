// Reports the solvable share of boards by size (Takes 2009, section 2.3), beside table 1 of the paper.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/analysis/solvable_share.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// The setting of an analysis, which all its sizes share.
struct SolvableSetting {
  int colors = 2;
  std::uint64_t count_up_to = 0;
  std::uint64_t samples = 0;
  std::uint64_t nodes = 0;
  std::uint64_t seed = 0;
  std::size_t sizes = 0;  // how many the user asked for
};

struct SolvableSize {
  int rows = 0;
  int columns = 0;
  host::ShareResult result;

  // A count that was stopped says nothing of the share.
  bool has_share() const { return result.boards > 0 && (result.complete || !result.counted); }
};

std::string solvable_text(const std::vector<SolvableSize>& sizes, const SolvableSetting& setting, bool list,
                          const Terminal& terminal);
Json solvable_json(const std::vector<SolvableSize>& sizes, const SolvableSetting& setting);

}  // namespace chainshot::tools
