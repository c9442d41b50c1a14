// The moves of a playout, of which an engine returns only number and score. An engine's claim is believed only after a
// single position has played the same key to the same score and the reference rules have replayed the moves to it.
#pragma once

#include <string>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

struct Line {
  game::PlayoutKey key;
  int score = 0;
  std::vector<game::Cell> moves;
  std::string error;  // empty, or one sentence that says why the line must not be believed
};

// Replays one playout of a request.
Line replay_playout(const game::Request& request, std::uint64_t seed, const game::Scoring& scoring,
                    std::uint32_t playout);
// Replays the best playout of a result, which must have the result's best score.
Line replay_best(const game::Request& request, std::uint64_t seed, const game::Scoring& scoring,
                 const game::Result& result);

}  // namespace chainshot::host
