#include "tools/measure/random_board.hpp"

#include "game/random.hpp"

namespace chainshot::tools {
namespace {

constexpr std::uint64_t kBoardSeed = 0x5A3E6A3E;

}  // namespace

game::Position random_board(int columns, int rows, int colors, std::uint64_t seed) {
  game::DrawSequence draws({.seed = kBoardSeed ^ seed,
                            .request = static_cast<std::uint64_t>(columns),
                            .playout = static_cast<std::uint32_t>(rows)});
  game::Position board(columns, rows);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      board.set(c, r, static_cast<int>(game::scale_draw(draws.next(), static_cast<std::uint32_t>(colors))));
  return board;
}

}  // namespace chainshot::tools
