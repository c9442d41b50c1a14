// The moves behind a playout's number. What an engine claims is believed only after the single position played the same
// key to the same score and the reference rules replayed the moves to it as well.
#pragma once

#include <string>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

struct Line {
  game::PlayoutKey key;
  int score = 0;
  std::vector<game::Cell> moves;
  std::string error;  // empty, or one sentence: the line must not be believed
};

// Plays one playout of a request again.
Line replay_playout(const game::Request& request, std::uint64_t seed, const game::Scoring& scoring,
                    std::uint32_t playout);
// The best playout of a result, which must have the result's best score.
Line replay_best(const game::Request& request, std::uint64_t seed, const game::Scoring& scoring,
                 const game::Result& result);

}  // namespace chainshot::host
