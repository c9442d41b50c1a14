// Reports what searches say of the claims about chessboards (Takes 2009, section 3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/analysis/chessboards.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

struct ChessSetting {
  std::uint64_t most_boards = 0;
  std::uint64_t nodes = 0;
  std::uint64_t seed = 0;
  std::size_t checks = 0;  // pairs of a claim and a size that the user asked for
};

// A claim and a size.
struct ChessCheck {
  host::NamedChessClaim claim;
  int rows = 0;
  int columns = 0;
  host::ChessResult result;
};

// True if a board says otherwise.
bool is_refuted(const std::vector<ChessCheck>& checks);

std::string chessboard_text(const std::vector<ChessCheck>& checks, const ChessSetting& setting, bool list,
                            const Terminal& terminal);
Json chessboard_json(const std::vector<ChessCheck>& checks, const ChessSetting& setting);

}  // namespace chainshot::tools
