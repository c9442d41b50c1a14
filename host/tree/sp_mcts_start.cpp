#include "host/tree/sp_mcts_start.hpp"

#include <algorithm>
#include <limits>

#include "game/playout.hpp"
#include "host/tree/core/tree.hpp"
#include "host/tree/memory/node_pool.hpp"

namespace chainshot::host {

std::optional<std::vector<game::Cell>> sp_mcts_start(const SearchTask& task, int tabu_color, std::uint64_t playouts,
                                                     std::uint64_t seed, const std::function<bool()>& enough) try {
  // Address space: a playout adds a node, mostly of a few cache lines, and the moves of the node above it.
  constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 20, kMostBytes = std::uint64_t{64} << 20,
                          kBytesPerPlayout = 16 << 10;
  TreeSettings settings;
  settings.policy.tabu_color = tabu_color;
  NodePool pool(std::clamp(std::min(playouts, kMostBytes) * kBytesPerPlayout, kLeastBytes, kMostBytes));
  Tree tree(pool, task.board, 0, settings, task.scoring, seed);
  const game::PlayoutRules rules(settings.policy, task.scoring, task.board);
  Walk walk;
  std::vector<game::Cell> moves, best_moves;
  int best = std::numeric_limits<int>::min();
  for (std::uint64_t i = 0; i == 0 || (i < playouts && !enough()); ++i) {
    const Descent descent = tree.descend(walk);
    if (descent != Descent::kLeaf && descent != Descent::kFinished) break;
    tree.moves_of(walk, moves);
    int score = walk.points;
    if (descent == Descent::kLeaf) {
      const game::PlayoutKey key{.seed = seed, .request = i, .playout = 0};
      const game::Playout playout = game::play(walk.position, rules, key, walk.points, &moves);
      score = playout.score;
      game::Result result;
      result.add(key, playout.score, playout.length);
      tree.complete(walk, result);
    }
    if (score > best) {
      best = score;
      best_moves = moves;
    }
  }
  return best_moves;
} catch (const NoAddressSpace&) {
  return std::nullopt;
}

}  // namespace chainshot::host
