// The random numbers of annealing chains: Philox2x32-10 (Random123). The key is the seed of the chain, the counter is
// (evaluation, pair); the two words of pair p are draws 2p and 2p + 1 of that evaluation. An evaluation is a function
// of the line, the seed and the evaluation's number, so whatever is skipped or cut short changes nothing later.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <cstdint>

namespace chainshot::game {

class ChainDraws {
 public:
  // What draws are for; from kMoves on they choose random moves, in the order in which they are needed.
  enum Use : std::uint32_t { kAcceptance, kKind, kMove, kDestination, kMoves };

  ChainDraws(std::uint32_t seed, std::uint32_t evaluation) : seed_(seed), evaluation_(evaluation) {}

  static std::array<std::uint32_t, 2> pair(std::uint32_t seed, std::uint32_t evaluation, std::uint32_t pair) {
    const auto words = r123::Philox2x32{}(r123::Philox2x32::ctr_type{{evaluation, pair}}, {{seed}});
    return {words[0], words[1]};
  }

  std::uint32_t draw(std::uint32_t i) const { return pair(seed_, evaluation_, i >> 1)[i & 1]; }
  // floor(r n / 2^32) of a draw r: a number below n.
  int below(int n, std::uint32_t i) const {
    return static_cast<int>(std::uint64_t{draw(i)} * static_cast<std::uint32_t>(n) >> 32);
  }
  // The same of the next draw for a random move.
  int next_below(int n) { return below(n, next_++); }

 private:
  std::uint32_t seed_, evaluation_;
  std::uint32_t next_ = kMoves;
};

}  // namespace chainshot::game
