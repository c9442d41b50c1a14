// Plays the playouts of NRPA: games in which every move is drawn by the weights of a policy. A playout is a pure
// function of (board, rules, policy, key), whatever the instruction set and the geometry.
#pragma once

#include <memory>

#include "game/position.hpp"
#include "game/random.hpp"
#include "game/scoring.hpp"
#include "host/nrpa/policy.hpp"
#include "host/nrpa/rollout.hpp"

namespace chainshot::host::nrpa {

// Which moves a playout may make, and what the policy thinks of them before it has learned anything.
struct PlayerRules {
  static constexpr int kNoColor = -1;

  game::Scoring scoring = game::kStandardScoring;
  int tabu_color = kNoColor;  // its groups are legal only where no other group is left
  int biased_color = kNoColor;
  Logit color_bias = 0;  // of groups of the biased colour
  Logit size_bias = 0;   // per block beyond the second, up to kMostBiasedSize blocks

  static constexpr int kMostBiasedSize = 16;
  Logit first_logit(int color, int size) const {
    return clamp_logit(std::int64_t{size_bias} * (std::min(size, kMostBiasedSize) - 2) +
                       (color == biased_color ? color_bias : 0));
  }
};

class Player {
 public:
  virtual ~Player() = default;
  // Legal moves are drawn from in the order of their first cells: by column, then by row. The move of step t takes draw
  // t of the key.
  virtual void play(const Policy& policy, const game::PlayoutKey& key, Rollout& out) = 0;
  virtual std::uint64_t bytes() const = 0;
};

enum class PlayerCode { kFastest, kPortable };  // which instruction set; for tests
enum class PlayerGeometry { kFitting, kWide };  // for tests

std::unique_ptr<Player> make_player(const game::Position& board, const PlayerRules& rules,
                                    PlayerCode code = PlayerCode::kFastest,
                                    PlayerGeometry geometry = PlayerGeometry::kFitting);

// The code of a group is a hash of its cells and its colour. The papers combine a random number per cell and colour by
// XOR (Zobrist); we hash 64 cells at a time, which is faster and tells all groups apart but for chance, too: each word
// contributes both halves of its product with a random number, because the lower half alone hardly sees high cells.
constexpr std::uint64_t code_part(int i, std::uint64_t word) {
  const std::uint64_t factor = game::mix64(0x4E52504100000000u + static_cast<std::uint64_t>(i)) | 1;
  const Wide product = static_cast<Wide>(word) * factor;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace chainshot::host::nrpa
