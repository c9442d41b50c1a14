// The best lines known for the standard boards (data/records/standard20.txt), which are part of the program.
#pragma once

#include <optional>

#include "game/board_text.hpp"
#include "game/scoring.hpp"
#include "game/solution_text.hpp"

namespace chainshot::tools {

// Returns the best line known for a board, which is found by its cells, whatever its name; null for other boards and
// scorings.
const game::Solution* known_record(const game::Position& position, const game::Scoring& scoring);

// Returns the score of that line.
std::optional<int> known_score(const game::NamedBoard& board, const game::Scoring& scoring);

}  // namespace chainshot::tools
