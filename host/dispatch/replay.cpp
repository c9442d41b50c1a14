#include "host/dispatch/replay.hpp"

#include <fmt/format.h>

#include "game/playout.hpp"
#include "game/reference.hpp"

namespace chainshot::host {

Line replay_playout(const game::Request& request, std::uint64_t seed, const game::Scoring& scoring,
                    std::uint32_t playout) {
  Line line{.key = {.seed = seed, .request = request.key, .playout = playout}, .score = 0, .moves = {}, .error = {}};
  const game::PlayoutRules rules(request.policy, scoring, request.position);
  line.score = game::play(request.position, rules, line.key, request.points, &line.moves).score;
  const game::ReplayResult reference = game::replay(request.position, line.moves, scoring, request.points);
  const std::string name = to_string(line.key);
  if (!reference.error.empty())
    line.error = fmt::format("playout {} breaks the reference rules: {}", name, reference.error);
  else if (!reference.over)
    line.error = fmt::format("playout {} stops while moves are left by the reference rules", name);
  else if (reference.score != line.score)
    line.error = fmt::format("playout {} scores {}, but {} by the reference rules", name, line.score, reference.score);
  return line;
}

Line replay_best(const game::Request& request, std::uint64_t seed, const game::Scoring& scoring,
                 const game::Result& result) {
  Line line = replay_playout(request, seed, scoring, result.best_playout);
  if (line.error.empty() && line.score != result.best)
    line.error = fmt::format("the engine claims {} for playout {}, which replays to {}", result.best,
                             to_string(line.key), line.score);
  return line;
}

}  // namespace chainshot::host
