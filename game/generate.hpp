// Generated boards. A board is a pure function of recipe, seed and index, and the same on every machine. Its random
// numbers are those of a playout whose number is higher than any engine uses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/position.hpp"

namespace chainshot::game {

enum class BoardKind : std::uint8_t {
  kUniform,         // the colour of each block is drawn independently, as in boards 1-10 of the standard set
  kEqual,           // equal numbers of every colour, as far as they divide, in random order; boards 11-15
  kDominating,      // one colour, drawn for each board, has a given share, the others are equal; boards 16-20
  kChessboard,      // two colours, no two neighbours equal, some cells inverted (Takes 2009, section 3)
  kHalfChessboard,  // the strict lower half is a chessboard, the upper half is uniform (Takes 2009, theorem 3)
};

struct NamedBoardKind {
  std::string_view name;
  std::string_view summary;
  BoardKind kind;
};
inline constexpr std::array<NamedBoardKind, 5> kBoardKinds = {{
    {"uniform", "each block's colour is drawn independently", BoardKind::kUniform},
    {"equal", "the same number of blocks of every colour", BoardKind::kEqual},
    {"dominating", "one colour has more blocks, the others are equal", BoardKind::kDominating},
    {"chessboard", "two colours that alternate", BoardKind::kChessboard},
    {"half-chessboard", "a chessboard below, two random colours above", BoardKind::kHalfChessboard},
}};

struct BoardRecipe {
  BoardKind kind = BoardKind::kUniform;
  int columns = 15;
  int rows = 15;
  int colors = 5;
  double share = 65.0 / 225;   // of the dominating colour
  std::vector<Cell> inverted;  // cells of a chessboard that take the other colour
};

struct BoardSize {
  int columns = 0;
  int rows = 0;
};
// Parses `15x15`, columns then rows, within the limits of a board.
std::optional<BoardSize> parse_board_size(std::string_view text);

// Says in one sentence why no board can be made by this recipe; empty if one can.
std::string problem_with(const BoardRecipe& recipe);

// The recipe must have no problem in the sense above.
Position generate_board(const BoardRecipe& recipe, std::uint64_t seed, std::uint64_t index);

}  // namespace chainshot::game
