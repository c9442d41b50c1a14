// One playout on a single position, from its key. It computes what the lanes of every engine compute, in readable code,
// and can list the moves. The program replays best playouts with it and plays policies with it that must see all
// groups.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "game/policy.hpp"
#include "game/position.hpp"
#include "game/random.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

struct Playout {
  int score = 0;
  int length = 0;
};

// A vertical segment with nothing above it and a block below: removing it makes no new move, and nothing can split it.
// VS-pruning leaves it out while there are other moves (Klein 2015, 2.4.2).
bool is_pruned_segment(const Position& position, const Group& group);

// The colour a playout keeps for last, or -1.
int tabu_color(const Position& position, const Policy& policy, const PlayoutKey& key);

// The rules a playout needs besides the position. All playouts of a policy on boards of one size share it.
class PlayoutRules {
 public:
  PlayoutRules(const Policy& policy, const Scoring& scoring, int full_cells);
  PlayoutRules(const Policy& policy, const Scoring& scoring, const Position& position)
      : PlayoutRules(policy, scoring, policy.full_cells_of(position)) {}

  const Policy& policy() const { return policy_; }
  const Scoring& scoring() const { return scoring_; }
  const RouletteTable& roulette() const { return roulette_; }
  int full_cells() const { return full_cells_; }

 private:
  Policy policy_;
  Scoring scoring_;
  int full_cells_;
  RouletteTable roulette_;
};

// Plays to the end; `points` are those earned before. Appends the cells played to `moves` if it is given.
Playout play(Position position, const PlayoutRules& rules, const PlayoutKey& key, int points,
             std::vector<Cell>* moves = nullptr);

// The moves of a playout one by one, for a caller who makes them on a position of his own.
class PlayoutSteps {
 public:
  // The playout of this key begins at `position`. The rules must outlive it.
  PlayoutSteps(const Position& position, const PlayoutRules& rules, const PlayoutKey& key);

  // Returns the next move, if there is one. `position` is the first one after the moves returned so far.
  std::optional<Cell> next(const Position& position);

 private:
  const PlayoutRules* rules_;
  DrawSequence draws_;
  int tabu_;
};

// Returns the contribution of a playout to a signature. The sum over playouts does not depend on their order.
constexpr std::uint64_t playout_digest(const PlayoutKey& key, int score, int length) {
  const std::uint64_t outcome =
      std::uint64_t{static_cast<std::uint32_t>(score)} << 32 | std::uint64_t{static_cast<std::uint16_t>(length)} << 16;
  return mix64(mix64(key.request * 0x9E3779B97F4A7C15u + key.playout) ^ outcome);
}

}  // namespace chainshot::game
