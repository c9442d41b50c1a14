#include "tools/solution_argument.hpp"

#include "tools/board_argument.hpp"
#include "tools/input.hpp"
#include "tools/suggest.hpp"

namespace chainshot::tools {
namespace {

const game::NamedBoard* find(const std::vector<game::NamedBoard>& boards, const std::string& name) {
  if (name.empty()) return boards.size() == 1 ? &boards.front() : nullptr;
  for (const game::NamedBoard& board : boards)
    if (board.name == name) return &board;
  return nullptr;
}

std::string why_unmatched(const std::string& source, const std::vector<game::NamedBoard>& boards,
                          const game::Solution& solution) {
  if (solution.board.empty())
    return source + " has a solution that names no board; expected one board, or a line `board NAME` before `moves`";
  if (boards.size() == 1)
    return source + " solves board " + solution.board + ", not " + boards.front().name + "; expected board " +
           boards.front().name + " or no name";
  std::vector<std::string> names;
  for (const game::NamedBoard& board : boards)
    names.push_back(board.name);
  return source + ": " + unknown_name("given board", solution.board, names);
}

}  // namespace

game::Notation SolutionArguments::parsed_notation() const {
  if (notation == "columns") return game::Notation::kColumnRow;
  if (notation == "paper") return game::Notation::kPaper;
  const std::vector<std::string> names = {"columns", "paper"};
  throw InputError(unknown_name("notation", notation, names));
}

game::Scoring SolutionArguments::parsed_scoring() const {
  if (const auto found = game::scoring_named(scoring)) return *found;
  std::vector<std::string> names;
  for (const game::Scoring& s : game::kScorings)
    names.emplace_back(s.name);
  throw InputError(unknown_name("scoring", scoring, names));
}

void add_solution_arguments(CLI::App& command, SolutionArguments& arguments, bool solution_required) {
  add_board_argument(command, arguments.board);
  command.add_option("SOLUTION", arguments.path, "a file of solutions, or - for the standard input")
      ->required(solution_required)
      ->type_name("");
  command
      .add_option("--notation", arguments.notation,
                  "of moves: columns (column,row from the bottom left, counting from 0: the default) or paper "
                  "(row,column from the top left, counting from 1)")
      ->type_name("NAME");
  command
      .add_option("--scoring", arguments.scoring,
                  "standard (the default), total, bubble-breaker, clickomania or points")
      ->type_name("NAME");
}

std::vector<SolvedBoard> solved_boards(const SolutionArguments& arguments,
                                       const std::vector<game::NamedBoard>& boards) {
  const bool board_is_stdin = arguments.board == "-" || arguments.board.starts_with("-:");
  if (arguments.path == "-" && board_is_stdin)
    throw InputError("BOARD and SOLUTION cannot both be the standard input; expected a file for one of them");
  const std::string source = name_of_input(arguments.path);
  const auto rows_of = [&](const std::string& name) {
    const game::NamedBoard* board = find(boards, name);
    return board == nullptr ? game::kMaxRows : board->position.rows();
  };
  const auto solutions =
      game::parse_solutions(read_input(arguments.path), source, arguments.parsed_notation(), rows_of);
  std::vector<SolvedBoard> solved;
  for (const game::Solution& solution : solutions) {
    const game::NamedBoard* board = find(boards, solution.board);
    if (board != nullptr) {
      solved.push_back({*board, solution});
    } else if (boards.size() > 1) {
      throw InputError(why_unmatched(source, boards, solution));
    }
  }
  if (solved.empty()) throw InputError(why_unmatched(source, boards, solutions.front()));
  return solved;
}

}  // namespace chainshot::tools
