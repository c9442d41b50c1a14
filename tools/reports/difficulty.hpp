// Reports how hard boards are (Takes 2009, section 2.4 and figure 2) by two distributions of scores: random play, and
// play biased towards one large group. The further to the right both peaks lie, the easier the board. Two things differ
// from the paper. It keeps the colour with the most blocks left, while tabu-color-random keeps the colour that was most
// frequent at the start. And boards are ordered by the mean score of both policies instead of the peaks, which are
// noisy.
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

// `boards` must be sorted, hardest first; PlaySetting::policy is the biased policy.
std::string difficulty_text(const std::vector<Difficulty>& boards, const PlaySetting& setting,
                            const Terminal& terminal);
// A row per board, hardest first.
std::string difficulty_csv(const std::vector<Difficulty>& boards, const PlaySetting& setting);
Json difficulty_json(const std::vector<Difficulty>& boards, const PlaySetting& setting);
// Draws the hardest and the easiest board, as in the paper's figure.
std::string difficulty_svg(const std::vector<Difficulty>& boards, const PlaySetting& setting);

}  // namespace chainshot::tools
