#include "game/generate.hpp"

#include <cmath>
#include <utility>

#include "game/parse_error.hpp"
#include "game/random.hpp"

namespace chainshot::game {
namespace {

constexpr std::uint32_t kBoardPlayout = 0xFFFFFFFFu;

bool is_chess(BoardKind kind) {
  return kind == BoardKind::kChessboard || kind == BoardKind::kHalfChessboard;
}

int chess_color(int column, int row) {
  return (column + row) % 2;
}

// Theorem 3 counts rows from the top, from 1, and has row ceil(rows / 2) and all below it in the strict lower half.
int strict_lower_half(int rows) {
  return rows / 2 + 1;
}

std::string between(std::string_view what, int value, int low, int high) {
  if (value >= low && value <= high) return {};
  return std::to_string(value) + ' ' + std::string(what) + "; expected " + std::to_string(low) + " to " +
         std::to_string(high);
}

// `count` colours in equal numbers as far as they divide; the first ones have one more.
void add_equal(std::vector<int>& blocks, const std::vector<int>& colors, int count) {
  for (int i = 0; i < count; ++i)
    blocks.push_back(colors[static_cast<std::size_t>(i) % colors.size()]);
}

void shuffle(std::vector<int>& blocks, DrawSequence& draws) {
  for (std::size_t i = blocks.size(); i > 1; --i)
    std::swap(blocks[i - 1], blocks[scale_draw(draws.next(), static_cast<std::uint32_t>(i))]);
}

std::vector<int> dominated_blocks(const BoardRecipe& recipe, DrawSequence& draws) {
  const int cells = recipe.columns * recipe.rows;
  const int of_first = static_cast<int>(std::lround(recipe.share * cells));
  const int first = static_cast<int>(scale_draw(draws.next(), static_cast<std::uint32_t>(recipe.colors)));
  std::vector<int> others;
  for (int color = 0; color < recipe.colors; ++color)
    if (color != first) others.push_back(color);
  std::vector<int> blocks(static_cast<std::size_t>(of_first), first);
  add_equal(blocks, others, cells - of_first);
  return blocks;
}

std::vector<int> equal_blocks(const BoardRecipe& recipe) {
  std::vector<int> colors, blocks;
  for (int color = 0; color < recipe.colors; ++color)
    colors.push_back(color);
  add_equal(blocks, colors, recipe.columns * recipe.rows);
  return blocks;
}

// Row by row from the bottom.
std::vector<int> chess_blocks(const BoardRecipe& recipe, DrawSequence& draws) {
  const int chess_rows = recipe.kind == BoardKind::kChessboard ? recipe.rows : strict_lower_half(recipe.rows);
  std::vector<int> blocks;
  for (int r = 0; r < recipe.rows; ++r)
    for (int c = 0; c < recipe.columns; ++c)
      blocks.push_back(r < chess_rows ? chess_color(c, r) : static_cast<int>(scale_draw(draws.next(), 2)));
  for (Cell cell : recipe.inverted)
    blocks[static_cast<std::size_t>(cell.row * recipe.columns + cell.column)] ^= 1;
  return blocks;
}

std::vector<int> make_blocks(const BoardRecipe& recipe, DrawSequence& draws) {
  std::vector<int> blocks;
  switch (recipe.kind) {
    case BoardKind::kUniform:
      for (int i = 0; i < recipe.columns * recipe.rows; ++i)
        blocks.push_back(static_cast<int>(scale_draw(draws.next(), static_cast<std::uint32_t>(recipe.colors))));
      break;
    case BoardKind::kEqual:
      blocks = equal_blocks(recipe);
      shuffle(blocks, draws);
      break;
    case BoardKind::kDominating:
      blocks = dominated_blocks(recipe, draws);
      shuffle(blocks, draws);
      break;
    case BoardKind::kChessboard:
    case BoardKind::kHalfChessboard:
      blocks = chess_blocks(recipe, draws);
      break;
  }
  return blocks;
}

}  // namespace

std::optional<BoardSize> parse_board_size(std::string_view text) {
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const auto columns = whole_number(text.substr(0, x)), rows = whole_number(text.substr(x + 1));
  if (!columns || !rows || *columns < 1 || *columns > kMaxColumns || *rows < 1 || *rows > kMaxRows) return std::nullopt;
  return BoardSize{*columns, *rows};
}

std::string problem_with(const BoardRecipe& recipe) {
  if (auto p = between("columns", recipe.columns, 1, kMaxColumns); !p.empty()) return p;
  if (auto p = between("rows", recipe.rows, 1, kMaxRows); !p.empty()) return p;
  if (is_chess(recipe.kind)) {
    if (recipe.colors != 2) return "a chessboard of " + std::to_string(recipe.colors) + " colours; expected 2";
  } else {
    if (auto p = between("colours", recipe.colors, 1, kMaxColors); !p.empty()) return p;
    if (!recipe.inverted.empty()) return "inverted cells on a board that is no chessboard";
  }
  if (recipe.kind == BoardKind::kDominating) {
    if (recipe.colors < 2) return "one colour cannot dominate others; expected 2 or more colours";
    if (!(recipe.share * recipe.colors > 1 && recipe.share <= 1))
      return "that share does not dominate; expected more than 1/" + std::to_string(recipe.colors) + " and at most 1";
  }
  for (Cell cell : recipe.inverted)
    if (cell.column >= recipe.columns || cell.row >= recipe.rows)
      return "the inverted cell " + std::to_string(cell.column) + ',' + std::to_string(cell.row) +
             " is outside the board";
  return {};
}

Position generate_board(const BoardRecipe& recipe, std::uint64_t seed, std::uint64_t index) {
  DrawSequence draws({.seed = seed, .request = index, .playout = kBoardPlayout});
  const std::vector<int> blocks = make_blocks(recipe, draws);
  Position position(recipe.columns, recipe.rows);
  for (int r = 0, i = 0; r < recipe.rows; ++r)
    for (int c = 0; c < recipe.columns; ++c, ++i)
      position.set(c, r, blocks[static_cast<std::size_t>(i)]);
  return position;
}

}  // namespace chainshot::game
