// Boards and solutions as text.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "api/translation.hpp"
#include "game/board_text.hpp"
#include "game/generate.hpp"
#include "game/solution_text.hpp"
#include "game/suggest.hpp"

namespace chainshot {
namespace {

std::string content_of(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw InputError(path + " is a folder; expected a file");
  std::ifstream file(path, std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  if (!file) throw InputError("cannot read " + path + ": " + std::strerror(errno));
  return content;
}

std::vector<Board> boards_from(const std::string& text, const std::string& source, std::string_view unnamed) {
  std::vector<Board> boards;
  for (const game::NamedBoard& board : game::parse_boards(text, source, unnamed))
    boards.push_back({board.name, position_of(board.position)});
  return boards;
}

std::vector<Solution> solutions_from(const std::string& text, const std::string& source) {
  std::vector<Solution> solutions;
  for (const game::Solution& solution : game::parse_solutions(text, source, game::Notation::kColumnRow, game::kMaxRows))
    solutions.push_back({.board = solution.board,
                         .scoring = solution.scoring ? solution.scoring->name() : std::string(),
                         .score = solution.score,
                         .moves = moves_of(solution.moves)});
  return solutions;
}

game::BoardKind kind_named(const std::string& name) {
  std::vector<std::string> names;
  for (const game::NamedBoardKind& kind : game::kBoardKinds) {
    if (kind.name == name) return kind.kind;
    names.emplace_back(kind.name);
  }
  throw std::invalid_argument(game::unknown_name("kind of board", name, names));
}

// Cells outside any board would not survive the way into a text.
void expect_cells(const Moves& moves) {
  for (const Cell cell : moves)
    if (cell.column < 0 || cell.column >= Position::kMostColumns || cell.row < 0 || cell.row >= Position::kMostRows)
      throw InputError("no board has a cell in column " + std::to_string(cell.column) + ", row " +
                       std::to_string(cell.row) + "; expected columns 0 to 30 and rows 0 to 31");
}

}  // namespace

std::vector<Board> read_boards(const std::string& path) {
  return translated([&] {
    const std::string unnamed = game::board_name_of(std::filesystem::path(path).stem().string());
    return boards_from(content_of(path), path, unnamed);
  });
}

std::vector<Board> parse_boards(const std::string& text) {
  return translated([&] { return boards_from(text, "boards", game::kUnnamedBoard); });
}

std::string to_text(const Board& board) {
  return translated([&] {
    game::check_board_name(board.name, "name", {});
    return game::to_text(game::NamedBoard{board.name, board.position.state().board});
  });
}

std::vector<Board> standard_boards() {
  std::vector<Board> boards;
  for (const game::NamedBoard& board : game::standard_boards())
    boards.push_back({board.name, position_of(board.position)});
  return boards;
}

Position generate_board(const BoardRecipe& recipe, std::uint64_t seed, std::uint64_t index) {
  return translated([&] {
    game::BoardRecipe with;
    with.kind = kind_named(recipe.kind);
    with.columns = recipe.columns;
    with.rows = recipe.rows;
    with.colors = recipe.colors;
    // The ratio of boards 16 to 20 of the standard set: 65 blocks where an equal share is 45.
    with.share = 65.0 / (45.0 * recipe.colors);
    if (const std::string problem = problem_with(with); !problem.empty()) throw InputError(without_dashes(problem));
    return position_of(game::generate_board(with, seed, index));
  });
}

std::vector<Solution> read_solutions(const std::string& path) {
  return translated([&] { return solutions_from(content_of(path), path); });
}

std::vector<Solution> parse_solutions(const std::string& text) {
  return translated([&] { return solutions_from(text, "solutions"); });
}

std::string to_text(const Solution& solution) {
  return translated([&] {
    expect_cells(solution.moves);
    if (!solution.board.empty()) game::check_board_name(solution.board, "name", {});
    game::Solution line{
        .board = solution.board, .scoring = {}, .score = solution.score, .moves = cells_of(solution.moves)};
    if (!solution.scoring.empty()) line.scoring = scoring_of(solution.scoring);
    return game::to_text(line, game::Notation::kColumnRow, game::kMaxRows);
  });
}

}  // namespace chainshot
