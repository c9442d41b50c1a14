// Positions and their scores.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "api/translation.hpp"
#include "game/board_text.hpp"
#include "game/reference.hpp"

namespace chainshot {
namespace {

std::string place_text(Cell cell) {
  return "column " + std::to_string(cell.column) + ", row " + std::to_string(cell.row);
}

[[noreturn]] void refuse(const std::string& sentence) {
  throw InputError(sentence);
}

void expect_size(int columns, int rows) {
  if (columns < 1 || columns > Position::kMostColumns || rows < 1 || rows > Position::kMostRows)
    refuse("a board of " + std::to_string(columns) + " columns and " + std::to_string(rows) +
           " rows; expected 1 to 31 columns and 1 to 32 rows");
}

int color_of(char letter) {
  for (int color = kEmpty; color < Position::kMostColors; ++color)
    if (game::color_letter(color) == letter || (letter >= 'a' && letter <= 'e' && letter == color - 10 + 'a'))
      return color;
  refuse("'" + std::string(1, letter) + "' is not a colour; expected 0-9, A-E, or '.' for empty");
}

// The colours are in the order of text: the top row first.
std::unique_ptr<Position::State> state_from(int columns, int rows, const std::vector<int>& colors) {
  expect_size(columns, rows);
  if (colors.size() != static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows))
    refuse("a board of " + std::to_string(columns) + " columns and " + std::to_string(rows) + " rows is given " +
           std::to_string(colors.size()) + " cells; expected one for each");
  auto state = std::make_unique<Position::State>();
  state->board = game::Position(columns, rows);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int color = colors[static_cast<std::size_t>(rows - 1 - r) * static_cast<std::size_t>(columns) +
                               static_cast<std::size_t>(c)];
      if (color < kEmpty || color >= Position::kMostColors)
        refuse("colour " + std::to_string(color) + " in " + place_text({c, r}) +
               "; expected 0 to 14, or -1 for an empty cell");
      state->board.set(c, r, color);
    }
  if (!state->board.is_settled())
    refuse("the board is not settled; expected no block above a hole or right of an empty column");
  return state;
}

std::unique_ptr<Position::State> state_from(const std::vector<std::string>& rows) {
  std::vector<int> colors;
  for (const std::string& row : rows) {
    if (row.size() != rows.front().size())
      refuse("rows of " + std::to_string(rows.front().size()) + " and " + std::to_string(row.size()) +
             " cells; expected rows of one length");
    for (const char letter : row)
      colors.push_back(color_of(letter));
  }
  // A size that does not fit an int is refused as well.
  constexpr std::size_t kTooMany = 1000;
  return state_from(static_cast<int>(rows.empty() ? 0 : std::min(rows.front().size(), kTooMany)),
                    static_cast<int>(std::min(rows.size(), kTooMany)), colors);
}

}  // namespace

Position::Position(const std::vector<std::string>& rows) : state_(state_from(rows)) {}
Position::Position(int columns, int rows, const std::vector<int>& colors) : state_(state_from(columns, rows, colors)) {}
Position::Position(std::unique_ptr<State> state) : state_(std::move(state)) {}
Position::Position(const Position& other) : state_(std::make_unique<State>(*other.state_)) {}
Position::Position(Position&& other) noexcept = default;
Position& Position::operator=(const Position& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Position& Position::operator=(Position&& other) noexcept = default;
Position::~Position() = default;

int Position::columns() const {
  return state_->board.columns();
}
int Position::rows() const {
  return state_->board.rows();
}
int Position::blocks() const {
  return state_->board.blocks();
}

int Position::color(Cell cell) const {
  if (cell.column < 0 || cell.column >= columns() || cell.row < 0 || cell.row >= rows())
    refuse(place_text(cell) + " is outside the board of " + std::to_string(columns()) + " columns and " +
           std::to_string(rows()) + " rows; both count from 0 at the bottom left");
  return state_->board.color_at(cell.column, cell.row);
}

std::vector<Group> Position::moves() const {
  std::vector<Group> moves;
  for (const game::Group& group : state_->board.groups())
    moves.push_back({{group.cell.column, group.cell.row}, group.color, group.size});
  return moves;
}

bool Position::is_over() const {
  return !state_->board.has_moves();
}

int Position::play(Cell cell) {
  const int is = color(cell);
  const int size = is == chainshot::kEmpty ? 0 : state_->board.apply(cells_of({cell}).front());
  if (size == 0)
    refuse((is == chainshot::kEmpty ? "no block in " : "the block has no equal neighbour in ") + place_text(cell) +
           "; expected a cell of a group of two or more");
  return size;
}

std::vector<std::string> Position::to_rows() const {
  return game::letter_rows(state_->board);
}

std::vector<int> Position::to_colors() const {
  std::vector<int> colors;
  for (int r = rows() - 1; r >= 0; --r)
    for (int c = 0; c < columns(); ++c)
      colors.push_back(state_->board.color_at(c, r));
  return colors;
}

std::uint64_t Position::hash() const {
  return state_->board.hash();
}
bool Position::operator==(const Position& other) const {
  return state_->board == other.state_->board;
}

int group_points(int blocks, const std::string& scoring) {
  if (blocks < 2 || blocks > game::kMaxCells)
    refuse("a group of " + std::to_string(blocks) + " blocks; expected 2 to " + std::to_string(game::kMaxCells));
  return translated([&] {
    const game::Scoring by = scoring_of(scoring);
    // Wide enough to tell what is far beyond the limit.
    double points = 0;
    for (int power = by.points.degree(); power >= 0; --power)
      points = points * blocks + by.points.coefficient(power);
    if (std::abs(points) > game::kMostScore)
      refuse("a group of " + std::to_string(blocks) + " blocks has more points in the scoring " + by.name() + " than " +
             std::to_string(game::kMostScore));
    return by.group_points(blocks);
  });
}

int final_points(const Position& position, const std::string& scoring) {
  return translated([&] {
    const game::Scoring by = scoring_of(scoring);
    expect_scores_fit(by, position.state().board);
    return position.state().board.final_points(by);
  });
}

Replay replay(const Position& position, const Moves& moves, const std::string& scoring) {
  return translated([&] {
    const game::Scoring by = scoring_of(scoring);
    expect_scores_fit(by, position.state().board);
    const game::ReplayResult replayed = game::replay(position.state().board, cells_of(moves), by);
    if (!replayed.error.empty()) refuse(replayed.error);
    return Replay{.score = replayed.score, .blocks_left = replayed.left, .is_over = replayed.over};
  });
}

}  // namespace chainshot
