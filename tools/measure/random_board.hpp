// The random boards of `bench` and `speedtest`. They are part of the signature that `bench` prints, and what
// `speedtest` measures must stay comparable, so this generator is apart from game/generate.hpp and never changes.
#pragma once

#include <cstdint>

#include "game/position.hpp"

namespace chainshot::tools {

// A full board of uniform random colours.
game::Position random_board(int columns, int rows, int colors, std::uint64_t seed);

}  // namespace chainshot::tools
