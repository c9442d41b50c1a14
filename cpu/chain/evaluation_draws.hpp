// The draws of game::ChainDraws, four pairs at a time: a round of Philox waits for the one before, so four pairs cost
// little more than one.
#pragma once

#include <array>
#include <cstdint>

#include "cpu/chain/block_board.hpp"
#include "game/chain_draws.hpp"

namespace chainshot::cpu {
inline namespace CHAINSHOT_BLOCKS {

class EvaluationDraws {
 public:
  using Draws = game::ChainDraws;

  EvaluationDraws(std::uint32_t seed, std::uint32_t evaluation) : seed_(seed), evaluation_(evaluation) { draw_four(); }

  std::uint32_t draw(Draws::Use use) const { return word(use); }
  int below(int n, Draws::Use use) const { return scaled(word(use), n); }
  int next_below(int n) {
    if (next_ == kWords) {
      next_ = 0;
      first_pair_ += kPairs;
      draw_four();
    }
    return scaled(word(next_++), n);
  }

 private:
  static constexpr std::uint32_t kPairs = 4, kWords = 2 * kPairs;

  static int scaled(std::uint32_t draw, int n) {
    return static_cast<int>(std::uint64_t{draw} * static_cast<std::uint32_t>(n) >> 32);
  }
  std::uint32_t word(std::uint32_t i) const {
    return static_cast<std::uint32_t>(i % 2 == 0 ? first_[i / 2] : second_[i / 2]);
  }

  void draw_four() {
    std::uint32_t key = seed_;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
      first_[i] = evaluation_;
      second_[i] = first_pair_ + i;
    }
    for (int round = 0; round < 10; ++round, key += 0x9E3779B9u)
      for (std::uint32_t i = 0; i < kPairs; ++i) {
        const std::uint64_t product = 0xD256D193u * (first_[i] & 0xFFFFFFFFu);
        first_[i] = (product >> 32) ^ key ^ second_[i];
        second_[i] = product & 0xFFFFFFFFu;
      }
  }

  std::uint32_t seed_, evaluation_;
  std::uint32_t first_pair_ = 0;
  std::uint32_t next_ = Draws::kMoves;
  std::array<std::uint64_t, kPairs> first_, second_;  // words of 32 bits: a vector multiplies them in place
};

}  // namespace CHAINSHOT_BLOCKS
}  // namespace chainshot::cpu
