#include "api/translation.hpp"

#include <limits>
#include <memory>
#include <regex>

#include "game/scoring_text.hpp"
#include "game/suggest.hpp"

namespace chainshot {
namespace {

// No board has such a column or row, so the reference rules refuse it.
std::uint8_t coordinate_of(int value) {
  constexpr int kNowhere = std::numeric_limits<std::uint8_t>::max();
  return static_cast<std::uint8_t>(value < 0 || value > kNowhere ? kNowhere : value);
}

game::Scoring scoring_of_formula(const std::string& formula) {
  try {
    return game::parse_scoring(formula);
  } catch (const game::ScoringError& error) {
    throw std::invalid_argument("scoring " + formula + ": character " + std::to_string(error.offset() + 1) + ": " +
                                error.what());
  }
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
  if (game::is_formula(name)) return scoring_of_formula(name);
  if (const auto scoring = game::scoring_named(name)) return *scoring;
  std::vector<std::string> names;
  for (const game::Scoring& scoring : game::kScorings)
    names.push_back(scoring.name());
  throw std::invalid_argument(game::unknown_name("scoring", name, names));
}

void expect_scores_fit(const game::Scoring& scoring, const game::Position& board, std::int64_t most) {
  const std::string objection = game::score_objection(scoring, board, "a board", most);
  if (!objection.empty()) throw std::invalid_argument(objection);
}

std::string without_dashes(const std::string& sentence) {
  static const std::regex kOption("(^|[ (])--([A-Za-z][A-Za-z-]*)");
  std::string out;
  auto rest = sentence.cbegin();
  for (auto at = std::sregex_iterator(sentence.begin(), sentence.end(), kOption); at != std::sregex_iterator(); ++at) {
    out.append(rest, (*at)[0].first);
    const std::string option = (*at)[2];
    out += (*at)[1].str() + (option == "ru" ? "resource_units" : option == "time" ? "seconds" : option);
    rest = (*at)[0].second;
  }
  return out.append(rest, sentence.cend());
}

}  // namespace chainshot
