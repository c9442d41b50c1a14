// Names a position by 128 bits of hash, for tables that do not keep the position itself. Two sums of row hashes with
// different constants: a table that compares four entries per look-up confuses two positions with a probability of
// about 10^-8 in 10^11 look-ups.
#pragma once

#include <cstdint>

#include "game/position.hpp"
#include "game/random.hpp"

namespace chainshot::host {

struct PositionKey {
  std::uint64_t place = 0;  // for choosing an entry
  std::uint64_t check = 0;  // for comparing with it
};

inline PositionKey key_of(const game::Position& position) {
  constexpr std::uint64_t kStride = 0x9E3779B97F4A7C15u, kOtherStride = 0xD1B54A32D192ED03u;
  PositionKey key;
  std::uint64_t place = 0, other = 0;
  for (int r = 0, top = position.height(); r < top; ++r) {
    const auto& plane = position.row(r).plane;
    for (int half = 0; half < game::kMaxPlanes; half += 2) {
      const std::uint64_t cells = std::uint64_t{plane[half].bits} << 32 | plane[half + 1].bits;
      key.place += game::mix64(cells ^ (place += kStride));
      key.check += game::mix64(~cells ^ (other += kOtherStride));
    }
  }
  return {game::mix64(key.place), game::mix64(key.check ^ 1)};
}

}  // namespace chainshot::host
