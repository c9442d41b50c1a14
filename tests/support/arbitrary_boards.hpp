// Random boards for RapidCheck properties. They come from a seed that uses all 64 bits from the first case on, whereas
// RapidCheck's own numbers start small.
#pragma once

#include <rapidcheck.h>

#include "tests/support/random_boards.hpp"

namespace chainshot::tests {

inline Dice arbitrary_dice() {
  return Dice(*rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>())));
}

inline game::Position arbitrary_board() {
  Dice dice = arbitrary_dice();
  return random_board(dice, random_shape(dice));
}

}  // namespace chainshot::tests
