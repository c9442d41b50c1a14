// chainshot archive: looks into archives. This file has the commands that read one: list, show and check.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "host/archive/archive.hpp"
#include "tools/commands/archive_commands.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/options/suggest.hpp"
#include "tools/options/time_argument.hpp"
#include "tools/reports/archive_report.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

struct ListArguments {
  std::string path;
  std::string board;
  std::string scoring;
  std::string since;
  bool all = false;
  bool json = false;
};

struct ShowLineArguments {
  std::string path;
  std::string line;
  std::string scoring = "standard";
  bool json = false;
};

struct CheckArguments {
  std::string path;
  bool json = false;
};

// Returns the boards that a name means: their name in the archive, the name that the commands show, or the hash.
std::set<std::int64_t> boards_called(const host::Archive& archive, const BoardNames& names, const std::string& name) {
  std::set<std::int64_t> found;
  std::set<std::string> known;
  for (const host::ArchivedBoard& board : archive.boards()) {
    if (board.name == name || names.of(board.id) == name || board.hash == name) found.insert(board.id);
    known.insert(names.of(board.id));
  }
  if (found.empty())
    throw InputError(unknown_name("board of " + archive.path(), name, std::vector(known.begin(), known.end())));
  return found;
}

void run_list(const ListArguments& a) {
  host::LineFilter filter{.only_improvements = !a.all};
  if (!a.scoring.empty()) filter.scoring = scoring_from(a.scoring).name();
  if (!a.since.empty()) filter.since = utc_time(a.since);
  const host::Archive archive(a.path, {});
  std::vector<host::ArchivedLine> lines = archive.lines(filter);
  BoardNames names;
  names.add(archive);
  if (!a.board.empty()) {
    const std::set<std::int64_t> boards = boards_called(archive, names, a.board);
    std::erase_if(lines, [&](const host::ArchivedLine& line) { return !boards.contains(line.board); });
  }
  if (a.json) {
    Json out = {{"version", kJsonVersion}, {"archive", printable_text(a.path)}, {"solutions", Json::array()}};
    for (const host::ArchivedLine& line : lines)
      out["solutions"].push_back(line_json(line, names.of(line.board)));
    print_json(out);
    return;
  }
  TextTable table({"id", "board", "score", "found", "by", "host"});
  for (const host::ArchivedLine& line : lines) {
    const std::string by = line.scoring == "standard" ? "" : " (scoring " + printable_text(line.scoring) + ')';
    table.add({std::to_string(line.id), names.of(line.board) + by, std::to_string(line.score),
               local_time(printable_text(line.origin.found)), finder_text(line.origin),
               printable_text(line.origin.host)});
  }
  if (lines.empty()) {
    fmt::print("{}: no lines\n", printable_text(a.path));
  } else {
    fmt::print("{}", table.text());
  }
}

// A number is the id of a line; anything else is a board, of which the best line is shown.
host::ArchivedLine line_called(const host::Archive& archive, const BoardNames& names, const ShowLineArguments& a) {
  const bool is_id = a.line.size() <= 18 && a.line.find_first_not_of("0123456789") == std::string::npos;
  if (is_id) return archive.line(std::stoll(a.line));
  const std::set<std::int64_t> boards = boards_called(archive, names, a.line);
  if (boards.size() > 1)
    throw InputError(
        fmt::format("archive {} has {} boards called '{}'; expected the id of a line", a.path, boards.size(), a.line));
  const auto best = archive.best(*boards.begin(), scoring_from(a.scoring).name());
  if (!best)
    throw InputError(fmt::format("archive {} has no line of board {} with scoring {}", a.path, a.line, a.scoring));
  return *best;
}

void run_show_line(const ShowLineArguments& a) {
  const host::Archive archive(a.path, {});
  BoardNames names;
  names.add(archive);
  const host::ArchivedLine line = line_called(archive, names, a);
  const host::ArchivedBoard board = archive.board(line.board);
  if (a.json) {
    print_json({{"version", kJsonVersion},
                {"archive", printable_text(a.path)},
                {"solutions", Json::array({line_json(line, names.of(line.board))})}});
  } else {
    fmt::print("{}", line_text(line, names.of(line.board), board.position.rows(), a.path));
  }
}

int run_check(const CheckArguments& a) {
  const host::Archive archive(a.path, {});
  const std::vector<std::string> faults = archive.check();
  std::size_t lines = 0, boards = 0;
  if (faults.empty()) {
    lines = archive.lines({.only_improvements = false}).size();
    boards = archive.boards().size();
  }
  if (a.json) {
    Json out = {{"version", kJsonVersion},
                {"archive", printable_text(a.path)},
                {"sound", faults.empty()},
                {"faults", Json::array()}};
    for (const std::string& fault : faults)
      out["faults"].push_back(printable_text(fault));
    if (faults.empty()) out.update({{"lines", lines}, {"boards", boards}});
    print_json(out);
  } else if (faults.empty()) {
    fmt::print("{}: {} of {} replay; the database is sound\n", printable_text(a.path), counted(lines, "line"),
               counted(boards, "board"));
  } else {
    for (const std::string& fault : faults)
      fmt::print("{}: {}\n", printable_text(a.path), printable_text(fault));
  }
  return faults.empty() ? 0 : 1;
}

}  // namespace

CLI::Option* add_archive_argument(CLI::App& command, const std::string& name, std::string& path,
                                  const std::string& description) {
  return command.add_option(name, path, description)
      ->required()
      ->type_name("")
      ->check(not_empty("the name of an archive"));
}

void print_refused(const std::vector<std::string>& refused) {
  for (const std::string& sentence : refused)
    print_error("chainshot: " + printable_text(sentence) + '\n');
}

void add_archive_list(CLI::App& archive, Program&) {
  auto a = std::make_shared<ListArguments>();
  CLI::App* command = archive.add_subcommand("list", "list improvements in the order in which they were added");
  add_archive_argument(*command, "FILE", a->path);
  command->add_option("--board", a->board, "only this board: its name or its hash")->type_name("NAME");
  command->add_option("--scoring", a->scoring, "only this scoring")->type_name("NAME");
  command->add_option("--since", a->since, "only lines found since then: today, yesterday, 2h, 3d, a date or a time")
      ->type_name("WHEN");
  command->add_flag("--all", a->all, "also lines that are kept as starts though they were no improvement");
  command->add_flag("--json", a->json, "print the lines as JSON, with their moves");
  command->footer(
      "Examples:\n"
      "  chainshot archive list night.db\n"
      "  chainshot archive list night.db --board standard-07 --since yesterday");
  command->callback([a] { run_list(*a); });
}

void add_archive_show(CLI::App& archive, Program&) {
  auto a = std::make_shared<ShowLineArguments>();
  CLI::App* command = archive.add_subcommand("show", "show one line with everything that is known about it");
  add_archive_argument(*command, "FILE", a->path);
  command->add_option("LINE", a->line, "the id of a line, or a board for its best line")
      ->required()
      ->type_name("")
      ->check(not_empty("the id of a line, or a board"));
  command->add_option("--scoring", a->scoring, "the scoring of the best line of a board (default standard)")
      ->type_name("NAME");
  command->add_flag("--json", a->json, "print the line as JSON");
  command->footer(
      "The answer is a solution text, which `verify` and `show` read.\n\n"
      "Examples:\n"
      "  chainshot archive show night.db 12\n"
      "  chainshot archive show night.db standard-07 | chainshot verify standard-07 -");
  command->callback([a] { run_show_line(*a); });
}

void add_archive_check(CLI::App& archive, Program& program) {
  auto a = std::make_shared<CheckArguments>();
  CLI::App* command = archive.add_subcommand("check", "check the database and replay every line");
  add_archive_argument(*command, "FILE", a->path);
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Returns 1 and names what is wrong if something is.\n\n"
      "Examples:\n"
      "  chainshot archive check night.db");
  command->callback([a, &program] { program.exit_code = run_check(*a); });
}

void add_archive(CLI::App& app, Program& program) {
  CLI::App* archive = app.add_subcommand("archive", "look into archives of lines, and compare and merge them");
  add_archive_list(*archive, program);
  add_archive_show(*archive, program);
  add_archive_best(*archive, program);
  add_archive_diff(*archive, program);
  add_archive_export(*archive, program);
  add_archive_import(*archive, program);
  add_archive_merge(*archive, program);
  add_archive_check(*archive, program);
  archive->require_subcommand(1);
  archive->footer(
      "An archive keeps every improvement of every board. All commands may be used\n"
      "while other programs write the archive.\n\n"
      "Examples:\n"
      "  chainshot archive list night.db --since yesterday\n"
      "  chainshot archive best night.db other.db\n"
      "  chainshot archive COMMAND --help");
}

}  // namespace chainshot::tools
