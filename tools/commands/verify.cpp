// chainshot verify: replays solutions by the reference rules and compares their scores with the stated ones.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <set>

#include "game/reference.hpp"
#include "tools/commands.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/solution_argument.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::tools {
namespace {

struct VerifyArguments {
  SolutionArguments solution;
  bool unfinished = false;
  bool json = false;
};

struct Verdict {
  std::string board;
  game::ReplayResult replayed;
  std::string error;  // what is wrong with the solution; empty if it is right
};

std::string end_of(const game::ReplayResult& r) {
  if (r.cleared) return "cleared";
  return fmt::format("{} block{} left{}", r.left, r.left == 1 ? "" : "s", r.over ? "" : ", game not over");
}

Verdict judge(const SolvedBoard& solved, const game::Scoring& scoring, const VerifyArguments& options) {
  Verdict verdict{solved.board.name, game::replay(solved.board.position, solved.solution.moves, scoring), {}};
  const game::ReplayResult& r = verdict.replayed;
  const std::optional<int> stated = solved.solution.score_by(scoring);
  if (!r.error.empty()) {
    verdict.error = r.error;
    if (options.solution.parsed_notation() == game::Notation::kPaper)
      verdict.error += fmt::format(" (written {})", to_text(solved.solution.moves[static_cast<std::size_t>(r.moves)],
                                                            game::Notation::kPaper, solved.board.position.rows()));
  } else if (stated && *stated != r.score) {
    verdict.error = fmt::format("the moves score {}, but the solution states {}", r.score, *stated);
  } else if (!r.over && !options.unfinished) {
    verdict.error = fmt::format("{} points, {} move{}, {}; expected a finished game, or --unfinished", r.score, r.moves,
                                r.moves == 1 ? "" : "s", end_of(r));
  }
  return verdict;
}

// Aligns the numbers unless the line stands alone.
void print(const Verdict& verdict, std::size_t name_width, bool alone, const std::string& by) {
  const game::ReplayResult& r = verdict.replayed;
  if (verdict.error.empty()) {
    fmt::print("{:<{}}  {:>{}} points{}, {:>{}} move{}, {}\n", verdict.board, name_width, r.score, alone ? 1 : 6,
               alone ? by : "", r.moves, alone ? 1 : 3, r.moves == 1 ? "" : "s", end_of(r));
  } else {
    fmt::print("{:<{}}  {}\n", verdict.board, name_width, verdict.error);
  }
}

Json to_json(const Verdict& verdict) {
  const game::ReplayResult& r = verdict.replayed;
  Json out = {{"board", verdict.board}, {"score", r.score}, {"moves", r.moves},
              {"cleared", r.cleared},   {"left", r.left},   {"over", r.over}};
  if (!verdict.error.empty()) out["error"] = verdict.error;
  return out;
}

// The sum over all boards. A board with several solutions counts with the best correct one.
struct Sum {
  std::map<std::string, int> best;  // by board
  std::size_t boards = 0;
  std::size_t solutions = 0;
  std::size_t wrong = 0;

  explicit Sum(const std::vector<Verdict>& verdicts) : solutions(verdicts.size()) {
    std::set<std::string> names;
    for (const Verdict& verdict : verdicts) {
      names.insert(verdict.board);
      if (!verdict.error.empty()) {
        ++wrong;
        continue;
      }
      const auto [entry, first] = best.try_emplace(verdict.board, verdict.replayed.score);
      if (!first) entry->second = std::max(entry->second, verdict.replayed.score);
    }
    boards = names.size();
  }

  std::int64_t points() const {
    std::int64_t points = 0;
    for (const auto& [board, score] : best)
      points += score;
    return points;
  }
};

void print(const Sum& sum, std::size_t name_width, const std::string& by) {
  fmt::print("{:<{}}  {:>6} points{}, {} solutions{}{}\n", "sum", name_width, sum.points(), by, sum.solutions,
             sum.wrong == 0 ? "" : fmt::format(" ({} wrong)", sum.wrong),
             sum.boards == sum.solutions
                 ? ""
                 : fmt::format(" of {} board{}; best of each", sum.boards, sum.boards == 1 ? "" : "s"));
}

void print_all_json(const std::vector<Verdict>& verdicts, std::int64_t sum, const game::Scoring& scoring) {
  Json out = {{"version", kJsonVersion}, {"scoring", scoring.name()}};
  if (verdicts.size() == 1) {
    out.update(to_json(verdicts.front()));
  } else {
    out["boards"] = Json::array();
    for (const Verdict& verdict : verdicts)
      out["boards"].push_back(to_json(verdict));
    out["sum"] = sum;
  }
  print_json(out);
}

int run(const VerifyArguments& options) {
  options.solution.parsed_scoring();  // report mistyped names before files are read
  options.solution.parsed_notation();
  const auto all = solved_boards(options.solution, boards_named(options.solution.board));
  const game::Scoring scoring = scoring_of(options.solution, all);
  std::vector<Verdict> verdicts;
  std::size_t name_width = 0;
  for (const SolvedBoard& solved : all) {
    verdicts.push_back(judge(solved, scoring, options));
    name_width = std::max(name_width, solved.board.name.size());
  }
  const Sum sum(verdicts);
  if (options.json) {
    print_all_json(verdicts, sum.points(), scoring);
  } else {
    const std::string by = by_scoring(scoring);
    for (const Verdict& verdict : verdicts)
      print(verdict, name_width, verdicts.size() == 1, by);
    if (verdicts.size() > 1) print(sum, name_width, by);
  }
  return sum.wrong == 0 ? 0 : 1;
}

}  // namespace

void add_verify(CLI::App& app, Program& program) {
  auto options = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand("verify", "replay solutions by the reference rules");
  add_solution_arguments(*command, options->solution, true);
  command->add_flag("--unfinished", options->unfinished, "accept games that are not over");
  command->add_flag("--json", options->json, "print the result as JSON");
  command->footer(
      "Returns 1 if a move is illegal, the score differs from the stated one, or the\n"
      "game is not over; JSON then has the reason as `error`. A score stated for\n"
      "another scoring is not compared. After an illegal move, `score`, `moves` and\n"
      "`left` describe the game before that move, without the deduction at the end.\n"
      "The sum counts the best correct solution of each board.\n\n"
      "Examples:\n"
      "  chainshot verify standard-09 data/takes2009-board09.txt --notation paper\n"
      "  chainshot verify standard records.txt --json\n"
      "  chainshot play standard-01 --json | chainshot verify standard-01 -");
  command->callback([options, &program] { program.exit_code = run(*options); });
}

}  // namespace chainshot::tools
