// chainshot archive: the commands that bring lines out of archives and into them: export, import and merge.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "game/scoring_text.hpp"
#include "game/solution_text.hpp"
#include "host/archive/archive.hpp"
#include "tools/commands/archive_commands.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/time_argument.hpp"
#include "tools/reports/archive_report.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

struct ExportArguments {
  std::string path;
  std::string out = "-";
  std::string boards_out;
  bool all = false;
  bool json = false;
};

struct ImportArguments {
  std::string path;
  std::vector<std::string> sources;
  std::string boards;
  bool on_network = false;
  bool json = false;
};

struct Added {
  std::size_t added = 0;
  std::size_t improved = 0;
  std::size_t known = 0;
};

void add_network_flag(CLI::App& command, bool& on_network) {
  command.add_flag("--network", on_network, "the archive is shared by several machines over a network file system");
}

// Adds all lines in one transaction.
Added add_to(host::Archive& archive, const std::vector<SourcedLine>& sourced) {
  std::vector<host::NewLine> lines;
  for (const SourcedLine& line : sourced) {
    lines.push_back(line.line);
    lines.back().board = archive.board_id(line.board);
    lines.back().run = 0;
    lines.back().turn = 0;
  }
  std::map<std::pair<std::int64_t, std::string>, int> best;
  for (const host::ArchivedLine& line : archive.lines({.only_best = true}))
    best.emplace(std::pair(line.board, line.scoring), line.score);
  const std::vector<bool> is_new = archive.add(lines);
  Added result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ++(is_new[i] ? result.added : result.known);
    const auto [entry, is_first] = best.try_emplace({lines[i].board, lines[i].scoring}, lines[i].score);
    if (is_first || lines[i].score > entry->second) ++result.improved;
    entry->second = std::max(entry->second, lines[i].score);
  }
  return result;
}

// Reports what was added, and returns the exit code.
int report(const ImportArguments& a, const Added& added, const std::vector<std::string>& refused) {
  print_refused(refused);
  if (a.json) {
    Json out = {{"version", kJsonVersion}, {"archive", printable_text(a.path)},
                {"added", added.added},    {"improvements", added.improved},
                {"known", added.known},    {"refused", Json::array()}};
    for (const std::string& sentence : refused)
      out["refused"].push_back(printable_text(sentence));
    print_json(out);
  } else {
    fmt::print("{}: {} added ({}), {} known already, {} refused\n", printable_text(a.path),
               counted(added.added, "line"), counted(added.improved, "improvement"), added.known, refused.size());
  }
  return refused.empty() ? 0 : 1;
}

std::string lines_file(const std::vector<host::ArchivedLine>& lines, const BoardNames& names,
                       const std::map<std::int64_t, host::ArchivedBoard>& boards, bool is_json) {
  Json json = {{"version", kJsonVersion}, {"boards", Json::array()}};
  std::string text;
  for (const host::ArchivedLine& line : lines) {
    const game::Solution solution{.board = names.of(line.board),
                                  .scoring = game::scoring_from_text(line.scoring),
                                  .score = line.score,
                                  .moves = line.moves};
    if (is_json) {
      json["boards"].push_back(to_json(solution));
    } else {
      text += (text.empty() ? "" : "\n") +
              to_text(solution, game::Notation::kColumnRow, boards.at(line.board).position.rows());
    }
  }
  return is_json ? json_text(json) : text;
}

void run_export(const ExportArguments& a) {
  check_outputs({{"--out", a.out}, {"--boards-out", a.boards_out}}, {a.path});
  const host::Archive archive(a.path, {});
  std::vector<host::ArchivedLine> lines = archive.lines({.only_improvements = !a.all, .only_best = !a.all});
  BoardNames names;
  names.add(archive);
  std::map<std::int64_t, host::ArchivedBoard> boards;
  for (const host::ArchivedBoard& board : archive.boards())
    boards.emplace(board.id, board);
  if (lines.empty()) throw InputError("archive " + a.path + " has no lines to export");
  std::stable_sort(lines.begin(), lines.end(), [&](const auto& x, const auto& y) {
    return std::pair(names.of(x.board), x.scoring) < std::pair(names.of(y.board), y.scoring);
  });
  if (!a.boards_out.empty()) {
    std::string text;
    for (const auto& [id, board] : boards)
      text += (text.empty() ? "" : "\n") + to_text(game::NamedBoard{names.of(id), board.position});
    write_file(a.boards_out, text);
  }
  write_file(a.out, lines_file(lines, names, boards, a.json || a.out.ends_with(".json")));
}

int run_import(const ImportArguments& a) {
  KnownBoards known;
  if (!a.boards.empty()) known.add(boards_named(a.boards));
  for (const std::string& source : a.sources)
    if (is_database(source)) throw InputError(source + " is a database; expected solutions (see `archive merge`)");
  // A new archive is made only after all solutions have been read.
  const host::ArchiveOptions options{.access = host::ArchiveOptions::Access::kCreate, .on_network = a.on_network};
  std::unique_ptr<host::Archive> archive;
  std::error_code ignored;
  if (std::filesystem::exists(a.path, ignored)) {
    archive = std::make_unique<host::Archive>(a.path, options);
    known.add(*archive);
  }
  known.add(game::standard_boards());
  std::vector<SourcedLine> lines;
  std::vector<std::string> refused;
  const std::string now = utc_time("0s");
  for (const std::string& source : a.sources) {
    SourcedLines read = lines_of_text(source, known);
    for (SourcedLine& line : read.lines) {
      line.line.origin.imported = line.source;
      if (line.line.origin.found.empty()) line.line.origin.found = now;
      lines.push_back(std::move(line));
    }
    refused.insert(refused.end(), read.refused.begin(), read.refused.end());
  }
  if (archive == nullptr) archive = std::make_unique<host::Archive>(a.path, options);
  return report(a, add_to(*archive, lines), refused);
}

int run_merge(const ImportArguments& a) {
  std::vector<SourcedLine> lines;
  std::vector<std::string> refused;
  for (const std::string& source : a.sources) {
    const SourcedLines read = lines_of_archive(host::Archive(source, {}));
    lines.insert(lines.end(), read.lines.begin(), read.lines.end());
    refused.insert(refused.end(), read.refused.begin(), read.refused.end());
  }
  // In the order in which they were found, so that improvements follow one another as they did.
  std::stable_sort(lines.begin(), lines.end(), [](const SourcedLine& x, const SourcedLine& y) {
    return x.line.origin.found < y.line.origin.found;
  });
  host::Archive archive(a.path, {.access = host::ArchiveOptions::Access::kCreate, .on_network = a.on_network});
  return report(a, add_to(archive, lines), refused);
}

}  // namespace

void add_archive_export(CLI::App& archive, Program&) {
  auto a = std::make_shared<ExportArguments>();
  CLI::App* command = archive.add_subcommand("export", "write the best line of every board as a solution file");
  add_archive_argument(*command, "FILE", a->path);
  add_output_option(*command, "-o,--out", a->out,
                    "file to write (default - for the standard output); JSON if its name ends in .json");
  add_output_option(*command, "--boards-out", a->boards_out, "board file to write, for boards that are not standard");
  command->add_flag("--all", a->all, "all lines instead of the best ones");
  command->add_flag("--json", a->json, "write JSON");
  command->footer(
      "Examples:\n"
      "  chainshot archive export night.db -o records.txt\n"
      "  chainshot archive export mine.db -o mine.txt --boards-out boards.txt");
  command->callback([a] { run_export(*a); });
}

void add_archive_import(CLI::App& archive, Program& program) {
  auto a = std::make_shared<ImportArguments>();
  CLI::App* command = archive.add_subcommand("import", "verify solutions and add them to an archive");
  add_archive_argument(*command, "FILE", a->path, "the archive; it is made if there is none");
  command->add_option("SOLUTIONS", a->sources, "solution files and logs of `solve --log`, or -")
      ->required()
      ->type_name("");
  command->add_option("--boards", a->boards, "boards that they may name besides the standard and archived ones")
      ->type_name("FILE")
      ->check(not_empty("a file of boards"));
  add_network_flag(*command, a->on_network);
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "A line that does not replay is refused with a sentence; the others are added,\n"
      "and the command returns 1.\n\n"
      "Examples:\n"
      "  chainshot archive import night.db records.txt\n"
      "  chainshot archive import mine.db mine.txt --boards boards.txt");
  command->callback([a, &program] { program.exit_code = run_import(*a); });
}

void add_archive_merge(CLI::App& archive, Program& program) {
  auto a = std::make_shared<ImportArguments>();
  CLI::App* command = archive.add_subcommand("merge", "add all lines of other archives to one");
  add_archive_argument(*command, "TARGET", a->path, "the archive to add to; it is made if there is none");
  command->add_option("SOURCE", a->sources, "archives; other programs may write them meanwhile")
      ->required()
      ->type_name("");
  add_network_flag(*command, a->on_network);
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Every line is replayed; one that does not replay is refused, and the command\n"
      "returns 1. Record runs are not merged.\n\n"
      "Examples:\n"
      "  chainshot archive merge all.db night.db other.db");
  command->callback([a, &program] { program.exit_code = run_merge(*a); });
}

}  // namespace chainshot::tools
