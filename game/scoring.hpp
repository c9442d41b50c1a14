// Scoring variants as data. A group of n blocks earns (n - a)(n - b) points (or none); the end of the game adds a bonus
// for a cleared board or deducts for what is left. Lanes hold the points of groups unsigned, in 16 bits on small
// boards: a game must not earn fewer than 0 or, on 15 x 16 blocks, more than 65,535.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "game/geometry.hpp"

namespace chainshot::game {

enum class Deduction : std::uint8_t {
  kNone,
  kPerColor,    // (r - 2)^2 for every colour of which r > 0 blocks are left
  kTotal,       // (r - 2)^2 for r > 0 blocks left in all
  kBlocksLeft,  // one point per block
};

// Returns the points that the end of the game adds with `left` blocks on the board, and (r - 2)^2 added up over the
// colours left.
constexpr int final_points(Deduction deduction, int clear_bonus, int left, int by_color) {
  if (left == 0) return clear_bonus;
  switch (deduction) {
    case Deduction::kNone:
      return 0;
    case Deduction::kPerColor:
      return -by_color;
    case Deduction::kTotal:
      return -(left - 2) * (left - 2);
    case Deduction::kBlocksLeft:
      return -left;
  }
  return 0;
}

struct Scoring {
  std::string_view name;
  std::string_view summary;
  bool scores_groups;
  int a, b;
  int clear_bonus;
  Deduction deduction;

  constexpr int group_points(int n) const { return scores_groups ? (n - a) * (n - b) : 0; }

  // Returns the points that the end of the game adds, given the blocks left of every colour.
  constexpr int final_points(std::span<const int> left_by_color) const {
    int left = 0, by_color = 0;
    for (int r : left_by_color) {
      left += r;
      if (r > 0) by_color += (r - 2) * (r - 2);
    }
    return chainshot::game::final_points(deduction, clear_bonus, left, by_color);
  }

  bool operator==(const Scoring&) const = default;
};

inline constexpr std::array<Scoring, 5> kScorings = {{
    {"standard", "(n-2)^2 a group, +1000 for a cleared board, minus (r-2)^2 for each colour left", true, 2, 2, 1000,
     Deduction::kPerColor},
    {"total", "as standard, but minus (r-2)^2 for all blocks left together", true, 2, 2, 1000, Deduction::kTotal},
    {"bubble-breaker", "n(n-1) a group, nothing for the end", true, 0, 1, 0, Deduction::kNone},
    {"clickomania", "minus one for each block left, nothing for groups", false, 0, 0, 0, Deduction::kBlocksLeft},
    {"points", "(n-2)^2 a group, nothing for the end", true, 2, 2, 0, Deduction::kNone},
}};
inline constexpr const Scoring& kStandardScoring = kScorings[0];

inline std::optional<Scoring> scoring_named(std::string_view name) {
  for (const Scoring& s : kScorings)
    if (s.name == name) return s;
  return std::nullopt;
}

}  // namespace chainshot::game
