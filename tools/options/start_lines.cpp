#include "tools/options/start_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "game/reference.hpp"
#include "game/solution_text.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/known_boards.hpp"

namespace chainshot::tools {
namespace {

// Returns the replayed line.
host::StartLine start_line(const game::Solution& solution, const game::NamedBoard& board, const game::Scoring& scoring,
                           const std::string& file) {
  const game::ReplayResult replayed = game::replay(board.position, solution.moves, scoring);
  if (!replayed.error.empty())
    game::fail_at(file, solution.place,
                  fmt::format("this line does not replay on board {}: {}; expected a line of that board", board.name,
                              replayed.error));
  const std::optional<int> stated = solution.score_by(scoring);
  if (stated && *stated != replayed.score)
    game::fail_at(file, solution.place,
                  fmt::format("the moves score {} on board {}, but the line states {}; expected the score of its moves",
                              replayed.score, board.name, *stated));
  return {{.score = replayed.score, .moves = solution.moves}, file};
}

}  // namespace

CLI::Option* add_start_option(CLI::App& command, std::vector<std::string>& files) {
  return command.add_option("--from", files, "start from the lines in FILE, as --out writes; may repeat")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(not_empty("a file of solutions"));
}

std::map<std::string, std::vector<host::StartLine>> start_lines(const std::vector<std::string>& files,
                                                                const std::vector<game::NamedBoard>& boards,
                                                                const game::Scoring& scoring) {
  const KnownBoards known(boards);
  std::map<std::string, std::vector<host::StartLine>> starts;
  for (const std::string& path : files) {
    const std::string file = name_of_input(path);
    for (const game::Solution& solution :
         game::parse_solutions(read_input(path), file, game::Notation::kColumnRow, game::kMaxRows)) {
      const game::NamedBoard* board = known.find(solution.board);
      if (solution.board.empty() && board == nullptr)
        game::fail_at(file, solution.place,
                      "this solution names no board; expected one BOARD, or a line `board NAME` before `moves`");
      if (board != nullptr) starts[board->name].push_back(start_line(solution, *board, scoring, file));
    }
  }
  for (auto& [name, lines] : starts)
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return starts;
}

}  // namespace chainshot::tools
