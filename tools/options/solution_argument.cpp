#include "tools/options/solution_argument.hpp"

#include <string_view>

#include "tools/options/board_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/known_boards.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

std::string why_not_found(const std::string& name, const std::vector<game::NamedBoard>& boards) {
  if (name.empty()) return "this solution names no board; expected one BOARD, or a line `board NAME` before `moves`";
  const std::string& first = boards.front().name;
  if (boards.size() == 1)
    return "this solution is for board " + name + ", not " + first + "; expected board " + first + " or no name";
  std::vector<std::string> names;
  for (const game::NamedBoard& board : boards)
    names.push_back(board.name);
  return unknown_name("given board", name, names);
}

}  // namespace

game::Notation notation_named(const std::string& name) {
  if (name == "columns") return game::Notation::kColumnRow;
  if (name == "paper") return game::Notation::kPaper;
  if (name == "codingame") return game::Notation::kCodingame;
  const std::vector<std::string> names = {"columns", "paper", "codingame"};
  throw InputError(unknown_name("notation", name, names));
}

std::optional<game::Scoring> SolutionArguments::parsed_scoring() const {
  return scoring.empty() ? std::nullopt : std::optional(scoring_from(scoring));
}

void add_solution_arguments(CLI::App& command, SolutionArguments& arguments, bool solution_required) {
  add_board_argument(command, arguments.board);
  command.add_option("SOLUTION", arguments.path, "file of solutions, or - for the standard input")
      ->required(solution_required)
      ->type_name("");
  command
      .add_option("--notation", arguments.notation,
                  "notation of moves: columns (default; column,row from the bottom left, counting from 0), paper "
                  "(row,column from the top left, counting from 1) or codingame (as columns, but `x y`, one on each "
                  "line)")
      ->type_name("NAME");
  command
      .add_option("--scoring", arguments.scoring,
                  scoring_choices() + " (default the one that the solution names, else standard)")
      ->type_name("NAME");
}

std::vector<SolvedBoard> solved_boards(const SolutionArguments& arguments,
                                       const std::vector<game::NamedBoard>& boards) {
  const bool board_is_stdin = arguments.board == "-" || arguments.board.starts_with("-:");
  if (arguments.path == "-" && board_is_stdin)
    throw InputError("BOARD and SOLUTION cannot both be the standard input; expected a file for one of them");
  const std::string source = name_of_input(arguments.path);
  const KnownBoards known(boards);
  const auto rows_of = [&](const std::string& name) {
    const game::NamedBoard* board = known.find(name);
    return board == nullptr ? game::kMaxRows : board->position.rows();
  };
  const auto solutions =
      game::parse_solutions(read_input(arguments.path), source, arguments.parsed_notation(), rows_of);
  const auto fail = [&](const game::Solution& solution) {
    game::fail_at(source, solution.place, why_not_found(solution.board, boards));
  };
  std::vector<SolvedBoard> solved;
  for (const game::Solution& solution : solutions) {
    const game::NamedBoard* board = known.find(solution.board);
    if (board != nullptr) {
      solved.push_back({*board, solution});
    } else if (boards.size() > 1) {
      fail(solution);
    }
  }
  if (solved.empty()) fail(solutions.front());
  return solved;
}

namespace {

game::Scoring stated_scoring(const SolutionArguments& arguments, const std::vector<SolvedBoard>& solved) {
  if (const auto asked = arguments.parsed_scoring()) return *asked;
  const auto stated = [](const SolvedBoard& s) { return s.solution.scoring.value_or(game::kStandardScoring); };
  const game::Scoring scoring = solved.empty() ? game::kStandardScoring : stated(solved.front());
  for (const SolvedBoard& other : solved)
    if (stated(other) != scoring)
      game::fail_at(name_of_input(arguments.path), other.solution.place,
                    "this solution uses scoring " + stated(other).name() + ", but others use " + scoring.name() +
                        "; expected --scoring to choose one");
  return scoring;
}

}  // namespace

game::Scoring scoring_of(const SolutionArguments& arguments, const std::vector<SolvedBoard>& solved) {
  const game::Scoring scoring = stated_scoring(arguments, solved);
  for (const SolvedBoard& s : solved)
    expect_scores_fit(scoring, {s.board});
  return scoring;
}

std::string by_scoring(const game::Scoring& scoring) {
  return scoring == game::kStandardScoring ? "" : " (scoring " + scoring.name() + ')';
}

}  // namespace chainshot::tools
