// How hard a board is (Takes 2009, section 2.4 and figure 2): the distributions of the scores of random play and of
// play biased towards one large group. The further to the right both peaks lie, the easier the board. Differs: the
// paper keeps the colour of which most blocks are left, tabu-color-random the one that was most frequent at the start;
// and since a peak is noisy, boards are ordered by the mean of both policies, which the paper says it shows.
#pragma once

#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "tools/measure/playouts.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/reports/play_report.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

struct Difficulty {
  game::NamedBoard board;
  PlayoutReport random;
  PlayoutReport biased;

  double ease() const { return (mean(random.result) + mean(biased.result)) / 2; }
};

// Setting::policy names the biased policy. The boards come hardest first.
std::string difficulty_text(const std::vector<Difficulty>& boards, const PlaySetting& setting,
                            const Terminal& terminal);
Json difficulty_json(const std::vector<Difficulty>& boards, const PlaySetting& setting);
// The hardest and the easiest board, as in the paper's figure.
std::string difficulty_svg(const std::vector<Difficulty>& boards, const PlaySetting& setting);

}  // namespace chainshot::tools
