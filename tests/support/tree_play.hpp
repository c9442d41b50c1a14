// Searches a tree one walk at a time and plays each playout with game::play.
#pragma once

#include <cstdint>

#include "game/engine.hpp"
#include "game/playout.hpp"
#include "host/tree/core/tree.hpp"

namespace chainshot::tests {

inline game::Result play_leaf(const host::Walk& walk, const game::PlayoutRules& rules, std::uint64_t key,
                              int playouts = 1) {
  game::Result result;
  for (int i = 0; i < playouts; ++i) {
    const game::PlayoutKey playout{1, key, static_cast<std::uint32_t>(i)};
    const game::Playout game = game::play(walk.position, rules, playout, walk.points);
    result.add(playout, game.score, game.length);
  }
  return result;
}

// Runs up to `walks` walks, or until nothing is left to visit. Returns the result of the last descent.
inline host::Descent search(host::Tree& tree, const game::PlayoutRules& rules, int walks, std::uint64_t first_key = 0) {
  host::Descent descent = host::Descent::kLeaf;
  host::Walk walk;
  for (int i = 0; i < walks; ++i) {
    descent = tree.descend(walk);
    if (descent == host::Descent::kProven || descent == host::Descent::kBlocked) break;
    if (descent == host::Descent::kLeaf)
      tree.complete(walk, play_leaf(walk, rules, first_key + static_cast<std::uint64_t>(i)));
  }
  return descent;
}

}  // namespace chainshot::tests
