// Makes a web page that replays solutions or lets a person play the boards. The page is one file and loads nothing
// else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/scoring.hpp"
#include "game/solution_text.hpp"

namespace chainshot::tools {

struct PageBoard {
  game::NamedBoard board;
  std::optional<game::Solution> solution;
};

std::string page_html(const std::vector<PageBoard>& boards, const game::Scoring& scoring, game::Notation notation);

}  // namespace chainshot::tools
