// Playout policies: how a random game picks its next move. Each names its paper; its parameters are data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "game/position.hpp"

namespace chainshot::game {

enum class PolicyKind : std::uint8_t {
  kRandom,           // uniform over groups
  kTabuRandom,       // a colour drawn per playout is not played while another can be (Schadd 2012, 4.3)
  kTabuColorRandom,  // that colour is the most frequent one at the start of the playout (Schadd 2012, 4.3)
  kRoulette,         // a colour by roulette wheel, then a group of it (MC-RWS, Takes 2009, 4)
  kLargestFirst,     // the largest group, ties at random: a baseline
};

struct Policy {
  PolicyKind kind = PolicyKind::kTabuColorRandom;
  int tabu_color = -1;        // TabuColorRandom: the colour, or -1 for the most frequent one
  std::uint32_t epsilon = 0;  // probability in 2^-32 that a move ignores the tabu (Schadd 2012, 4.3: 0.003)
  int random_below = 0;       // with this many blocks or fewer the tabu is off (Klein 2015, 7.0.6: Tabu48)
  bool vs_pruning = false;    // leave out vertical segments with nothing above and a block below (Klein 2015, 2.4.2)
  bool by_points = false;     // groups are drawn by draw_weight, not uniformly (HGSTS: Klein 2015, A.6)
  double beta = 4;            // roulette: alpha = 1 + beta * blocks left / full_cells
  double theta = 1;           // roulette: taken off every colour's count; half the smallest group
  int full_cells = 0;         // roulette: blocks at the start of the game, or 0 for columns x rows

  bool operator==(const Policy&) const = default;

  bool has_tabu() const { return kind == PolicyKind::kTabuRandom || kind == PolicyKind::kTabuColorRandom; }
  // Policies that must see every group play on the single position on every engine, and so do new ones.
  bool plays_in_lanes() const {
    return !vs_pruning && !by_points && (kind == PolicyKind::kRandom || has_tabu() || kind == PolicyKind::kRoulette);
  }
  // A pick takes one word, or two where a second decision comes before the draw of a group.
  int draws_per_pick() const { return kind == PolicyKind::kRoulette || (has_tabu() && epsilon != 0) ? 2 : 1; }
  // The policy of a game that starts here, for all positions it leads to.
  Policy for_game_from(const Position& start) const {
    Policy policy = *this;
    if (kind == PolicyKind::kRoulette && full_cells == 0) policy.full_cells = start.blocks();
    return policy;
  }
  int full_cells_of(const Position& p) const {
    return full_cells > 0 ? std::max(full_cells, p.blocks()) : p.columns() * p.rows();
  }
};

// Named policies, as the command line and the papers call them.
struct NamedPolicy {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  Policy policy;
};

inline constexpr std::array<NamedPolicy, 7> kPolicies = {{
    {"random", "a group drawn uniformly", "Schadd 2012", {.kind = PolicyKind::kRandom}},
    {"tabu-random",
     "one colour, drawn for each playout, is kept for last",
     "Schadd 2012, section 4.3",
     {.kind = PolicyKind::kTabuRandom}},
    {"tabu-color-random", "the most frequent colour is kept for last", "Schadd 2012, section 4.3", {}},
    {"tabu48",
     "tabu-color-random until 48 blocks are left, then random",
     "Klein 2015, section 7.0.6",
     {.random_below = 48}},
    {"tabu-color-weighted",
     "tabu-color-random, but groups with more points are drawn more often",
     "HGSTS, by Klein 2015, section A.6",
     {.by_points = true}},
    {"roulette",
     "a colour by roulette wheel, then a group of it",
     "Takes 2009, section 4 (MC-RWS)",
     {.kind = PolicyKind::kRoulette}},
    {"largest-first", "the largest group, ties at random", "a greedy baseline", {.kind = PolicyKind::kLargestFirst}},
}};

// The weight of a group in a draw by points: its points in the standard game, plus one so that pairs are drawn too. The
// weights of all groups of a board sum to less than kMaxCells^2 < 2^20.
constexpr std::uint32_t draw_weight(int blocks) {
  return static_cast<std::uint32_t>((blocks - 2) * (blocks - 2) + 1);
}

std::optional<Policy> policy_named(std::string_view name);

// The stored form of a policy's epsilon, from the probability `p`.
std::uint32_t epsilon_from(double p);

// (f - theta)^alpha of the roulette wheel as fixed-point weights, for f blocks of a colour and L blocks in all. Weights
// of one L are relative to (L - theta)^alpha = 2^26: only their ratios matter, and at most 15 of them sum to below
// 2^30. One table made by the host decides every draw, so that all engines agree to the bit.
//
// Up to kMostBeta a probability was off by less than 0.001 with five colours, 0.01 with seven and 0.06 with 15, on
// 4,000 random counts of 225 blocks each; with the default beta by less than 0.0001 with any number of colours. With
// larger beta the weights of all colours of a full board vanish: with five colours and beta 12 they are 0.2^13 2^26 <
// 0.1.
class RouletteTable {
 public:
  static constexpr int kFractionBits = 26;
  static constexpr double kMostBeta = 8;

  RouletteTable(int full_cells, double beta, double theta);

  std::uint32_t weight(int blocks_left, int of_color) const { return weights_[first(blocks_left) + of_color]; }
  static constexpr int first(int blocks_left) { return blocks_left * (blocks_left + 1) / 2; }
  const std::uint32_t* data() const { return weights_.data(); }

 private:
  std::vector<std::uint32_t> weights_;
};

}  // namespace chainshot::game
