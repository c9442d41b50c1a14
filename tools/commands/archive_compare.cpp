// chainshot archive: the commands that compare archives, solution files and logs: best and diff.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "game/solution_text.hpp"
#include "host/archive/archive.hpp"
#include "tools/commands/archive_commands.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/options/time_argument.hpp"
#include "tools/reports/archive_report.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

struct BestArguments {
  std::vector<std::string> paths;
  std::string boards;
  std::string scoring = "standard";
  bool json = false;
};

struct DiffArguments {
  std::vector<std::string> paths;
  std::string since;
  std::string boards;
  bool json = false;
};

void add_boards_option(CLI::App& command, std::string& boards) {
  command
      .add_option("--boards", boards,
                  "boards that solution files and logs may name besides the standard ones and those of the archives")
      ->type_name("FILE")
      ->check(not_empty("a file of boards"));
}

BoardNames names_of_boards(const std::vector<SourcedLine>& lines) {
  BoardNames names;
  for (const SourcedLine& line : lines)
    names.add(line.hash, line.board.name);
  return names;
}

void print_best(const BestLines& best, const game::Scoring& scoring, bool several_files) {
  TextTable table(several_files ? std::vector<std::string>{"board", "score", "moves", "found", "by", "file"}
                                : std::vector<std::string>{"board", "score", "moves", "found", "by"});
  std::int64_t sum = 0;
  for (const auto& [key, line] : best) {
    std::vector<std::string> row = {key.first, std::to_string(line.line.score), std::to_string(line.line.moves.size()),
                                    local_time(printable_text(line.line.origin.found)), finder_text(line.line.origin)};
    if (several_files) row.push_back(printable_text(line.source));
    table.add(std::move(row));
    sum += line.line.score;
  }
  const std::string by = scoring == game::kStandardScoring ? "" : fmt::format(" (scoring {})", scoring.name());
  fmt::print("{}sum {}{} of {}\n", best.empty() ? "" : table.text(), sum, by, counted(best.size(), "board"));
}

int run_best(const BestArguments& a) {
  const game::Scoring scoring = scoring_from(a.scoring);
  SourcedLines read = lines_of_files(a.paths, a.boards);
  std::erase_if(read.lines, [&](const SourcedLine& line) { return line.line.scoring != scoring.name(); });
  const BestLines best = best_lines(read.lines, names_of_boards(read.lines));
  print_refused(read.refused);
  if (!a.json) {
    print_best(best, scoring, a.paths.size() > 1);
    return read.refused.empty() ? 0 : 1;
  }
  Json out = {{"version", kJsonVersion}, {"scoring", scoring.name()}, {"boards", Json::array()}};
  std::int64_t sum = 0;
  for (const auto& [key, line] : best) {
    const game::Solution solution{
        .board = key.first, .scoring = scoring, .score = line.line.score, .moves = line.line.moves};
    Json board = to_json(solution);
    board["found"] = printable_text(line.line.origin.found);
    board["search"] = printable_text(line.line.origin.search);
    board["seed"] = printable_text(line.line.origin.seed);
    board["source"] = printable_text(line.source);
    out["boards"].push_back(board);
    sum += line.line.score;
  }
  out["sum"] = sum;
  print_json(out);
  return read.refused.empty() ? 0 : 1;
}

int run_diff(const DiffArguments& a) {
  if (a.since.empty() == (a.paths.size() == 1))
    throw InputError("diff compares two files, or one with its own past; expected OLD NEW, or FILE --since WHEN");
  const std::string since = a.since.empty() ? "" : utc_time(a.since);
  // Both files are read at once, so that each may name the boards of the other.
  const SourcedLines read = lines_of_files(a.paths, a.boards);
  const BoardNames names = names_of_boards(read.lines);
  std::vector<SourcedLine> before, after;
  for (const SourcedLine& line : read.lines) {
    const bool is_old = since.empty() ? line.source == name_of_input(a.paths[0]) : line.line.origin.found < since;
    if (is_old) before.push_back(line);
    if (!is_old || !since.empty()) after.push_back(line);
  }
  const auto changes = changes_between(best_lines(before, names), best_lines(after, names));
  print_refused(read.refused);
  if (a.json) {
    print_json({{"version", kJsonVersion}, {"since", since}, {"changes", changes_json(changes)}});
  } else {
    print_changes(changes);
  }
  return read.refused.empty() ? 0 : 1;
}

}  // namespace

void add_archive_best(CLI::App& archive, Program& program) {
  auto a = std::make_shared<BestArguments>();
  CLI::App* command = archive.add_subcommand("best", "print the best line of every board over several files");
  command->add_option("FILE", a->paths, "archives, solution files and logs of `solve --log`")
      ->required()
      ->type_name("");
  add_boards_option(*command, a->boards);
  command->add_option("--scoring", a->scoring, "the scoring to compare by (default standard)")->type_name("NAME");
  command->add_flag("--json", a->json, "print the lines as JSON, which `verify` reads");
  command->footer(
      "Every line is replayed. Returns 1 if a line was refused; the others count.\n\n"
      "Examples:\n"
      "  chainshot archive best night.db\n"
      "  chainshot archive best night.db other.db records.txt run.jsonl");
  command->callback([a, &program] { program.exit_code = run_best(*a); });
}

void add_archive_diff(CLI::App& archive, Program& program) {
  auto a = std::make_shared<DiffArguments>();
  CLI::App* command = archive.add_subcommand("diff", "print which boards became better, and by what");
  command->add_option("FILE", a->paths, "OLD NEW: archives, solution files or logs; or one file with --since")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command->add_option("--since", a->since, "compare with the lines found before: today, yesterday, 2h, 3d, a date")
      ->type_name("WHEN");
  add_boards_option(*command, a->boards);
  command->add_flag("--json", a->json, "print the changes as JSON");
  command->footer(
      "Boards that only OLD has are left out. Returns 1 if a line was refused.\n\n"
      "Examples:\n"
      "  chainshot archive diff night.db --since yesterday\n"
      "  chainshot archive diff records.txt night.db");
  command->callback([a, &program] { program.exit_code = run_diff(*a); });
}

}  // namespace chainshot::tools
