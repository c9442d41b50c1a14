#include "api/translation.hpp"

#include <limits>
#include <memory>

#include "game/suggest.hpp"

namespace chainshot {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// No board has such a column or row, so the reference rules refuse it.
std::uint8_t coordinate_of(int value) {
  constexpr int kNowhere = std::numeric_limits<std::uint8_t>::max();
  return static_cast<std::uint8_t>(value < 0 || value > kNowhere ? kNowhere : value);
}

}  // namespace

std::string version() {
  return CHAINSHOT_VERSION;
}

Position position_of(const game::Position& board) {
  return Position(std::make_unique<Position::State>(Position::State{board}));
}

std::vector<game::Cell> cells_of(const Moves& moves) {
  std::vector<game::Cell> cells;
  cells.reserve(moves.size());
  for (const Cell cell : moves)
    cells.push_back({coordinate_of(cell.column), coordinate_of(cell.row)});
  return cells;
}

Moves moves_of(const std::vector<game::Cell>& cells) {
  Moves moves;
  moves.reserve(cells.size());
  for (const game::Cell cell : cells)
    moves.push_back({cell.column, cell.row});
  return moves;
}

game::Scoring scoring_of(const std::string& name) {
  if (const auto scoring = game::scoring_named(name)) return *scoring;
  std::vector<std::string> names;
  for (const game::Scoring& scoring : game::kScorings)
    names.emplace_back(scoring.name);
  throw std::invalid_argument(game::unknown_name("scoring", name, names));
}

std::string without_dashes(const std::string& sentence) {
  std::string out;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const bool is_option = sentence.compare(i, 2, "--") == 0 && (i == 0 || sentence[i - 1] == ' ') &&
                           i + 2 < sentence.size() && is_letter(sentence[i + 2]);
    if (is_option)
      ++i;
    else
      out += sentence[i];
  }
  return out;
}

}  // namespace chainshot
