// How a request is played in lanes: which program runs it, and how its board is encoded for that program. All engines
// that play in lanes share this file.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <mutex>

#include "game/engine.hpp"
#include "game/lanes/lane_program.hpp"
#include "game/playout.hpp"

namespace chainshot::lanes {

// An engine works this out once per request.
struct PreparedRequest {
  LaneProgram program;
  bool in_lanes = true;
  std::shared_ptr<const game::PlayoutRules> rules;
  std::array<int, game::kMaxColors> color_counts{};
  std::int64_t least_points = 0;  // that groups earn in any game
};

// With `narrow_points`, lanes of the small geometry count points modulo 2^16: a request whose games could differ by
// that or more is played in the wide geometry.
PreparedRequest prepare(const game::Batch& batch, const game::Request& request,
                        std::shared_ptr<const game::PlayoutRules> rules, bool wide_only, bool narrow_points);

// Orders requests so that those of the same program follow each other.
bool runs_before(const PreparedRequest& a, const PreparedRequest& b);

// 1 + the highest colour on the board.
int colors_of(const std::array<int, game::kMaxColors>& counts);

// The colour a request keeps for last in all its playouts, or -1.
int tabu_of(const game::Policy& policy, const std::array<int, game::kMaxColors>& counts);

// Writes a position's colour codes as lanes hold them: row r of plane p at r * planes + p, up to the highest row in
// use. With a tabu colour, its code and the code of the highest plane alone change places, so that 'not tabu, not
// empty' takes one look at the lower planes. A tabu colour that is not on the board counts as one more colour.
void encode(const game::Position& position, int colors, int tabu, int planes, std::uint32_t* cells);

// Shares rules among requests, so that equal policies run the same program: programs compare roulette tables by their
// addresses.
class RulesCache {
 public:
  std::shared_ptr<const game::PlayoutRules> rules_for(const game::Request& request, const game::Scoring& scoring);

 private:
  std::mutex mutex_;
  std::deque<std::shared_ptr<const game::PlayoutRules>> rules_;  // the newest first
};

}  // namespace chainshot::lanes
