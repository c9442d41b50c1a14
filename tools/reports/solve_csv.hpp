// The runs of `chainshot solve` as CSV, one row for each.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/run/board_run.hpp"

namespace chainshot::tools {

// A search of a board that is done.
struct SolvedRow {
  std::string preset;
  std::vector<std::pair<std::string, std::string>> varied = {};  // settings of a sweep, the same in every row
  std::uint64_t seed = 0;
  const host::BoardSolution* solution = nullptr;
};

// With a head, which names the columns. `varied` are the names of the settings that rows have.
std::string solved_csv(const std::vector<std::string>& varied, const std::vector<SolvedRow>& rows);

}  // namespace chainshot::tools
