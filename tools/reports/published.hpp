// Scores that others published for the 20 standard boards under the standard scoring. The best score of a board is the
// highest in table 7 of Schadd 2012 (without HGSTS, whose scores nobody could verify) and table 1 of Negrevergne 2017.
// Longer lists on the web give sums only.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "game/board_text.hpp"

namespace chainshot::tools {

struct PublishedScore {
  int score = 0;
  std::string_view system;
};

// Sums over the 20 boards.
inline constexpr std::array<PublishedScore, 4> kPublishedSums = {{
    {83050, "Dist-NRPA (2017)"},
    {87140, "SPURIOUS AI (2015)"},
    {87858, "best public web list"},
    {89008, "CodinGame leader (2026)"},
}};

inline constexpr std::array<PublishedScore, 20> kPublishedBests = {{
    {3269, "SPURIOUS AI"}, {3985, "Dist-NRPA"},   {3937, "Diversity-NRPA"}, {3925, "Dist-NRPA"},
    {4337, "SPURIOUS AI"}, {4809, "Dist-NRPA"},   {3185, "SPURIOUS AI"},    {4443, "SPURIOUS AI"},
    {4977, "SPURIOUS AI"}, {3811, "SPURIOUS AI"}, {3487, "SPURIOUS AI"},    {3851, "SPURIOUS AI"},
    {3591, "Dist-NRPA"},   {3211, "SPURIOUS AI"}, {3933, "SPURIOUS AI"},    {5481, "SPURIOUS AI"},
    {5067, "Dist-NRPA"},   {5481, "Dist-NRPA"},   {5319, "SPURIOUS AI"},    {5203, "Dist-NRPA"},
}};

// Returns which standard board this is, counting from 0, whatever its name.
inline std::optional<std::size_t> standard_number(const game::Position& position) {
  const auto& boards = game::standard_boards();
  for (std::size_t i = 0; i < boards.size(); ++i)
    if (boards[i].position == position) return i;
  return std::nullopt;
}

}  // namespace chainshot::tools
