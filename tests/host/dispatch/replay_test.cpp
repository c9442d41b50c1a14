#include "host/dispatch/replay.hpp"

#include <gtest/gtest.h>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/engines/engines.hpp"

namespace chainshot::host {
namespace {

game::Request board_one(std::uint32_t playouts) {
  return {.position = game::standard_boards()[0].position, .points = 50, .policy = {}, .playouts = playouts, .key = 3};
}

TEST(Replay, TheBestPlayoutIsFoundAgainWithItsMoves) {
  const game::Request request = board_one(300);
  const game::Result result =
      make_engine({.threads = 1})
          ->run({.seed = 8, .scoring = game::kStandardScoring, .histogram = {}, .requests = {request}})
          .results.at(0);
  const Line line = replay_best(request, 8, game::kStandardScoring, result);
  EXPECT_EQ(line.error, "");
  EXPECT_EQ(line.score, result.best);
  EXPECT_EQ(line.key, (game::PlayoutKey{8, 3, result.best_playout}));
  EXPECT_EQ(game::replay(request.position, line.moves, game::kStandardScoring, 50).score, result.best);
}

TEST(Replay, AClaimThatDoesNotReplayIsNotBelieved) {
  const game::Request request = board_one(1);
  game::Result claimed;
  claimed.best_playout = 2;
  claimed.best = replay_playout(request, 8, game::kStandardScoring, 2).score + 1;
  const std::string error = replay_best(request, 8, game::kStandardScoring, claimed).error;
  EXPECT_EQ(error, "the engine claims " + std::to_string(claimed.best) + " for playout 8:3:2, which replays to " +
                       std::to_string(claimed.best - 1));
}

}  // namespace
}  // namespace chainshot::host
