// chainshot report: one web page about archives and logs, with charts and a replay of every best line.
#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "host/archive/archive.hpp"
#include "host/log/run_log_reader.hpp"
#include "tools/commands.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/output_option.hpp"
#include "tools/pictures/report_page.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/reports/report_data.hpp"

namespace chainshot::tools {
namespace {

struct ReportArguments {
  std::vector<std::string> inputs;
  std::vector<std::string> boards;
  std::string out;
  bool json = false;
};

// An archive is an SQLite database, which starts with these 16 bytes.
bool is_archive(const std::string& path) {
  constexpr std::string_view kStart("SQLite format 3\0", 16);
  if (path == "-") return false;
  std::ifstream file(path, std::ios::binary);
  std::string start(kStart.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return file.gcount() == static_cast<std::streamsize>(kStart.size()) && start == kStart;
}

// Archives come first: a log may be about their boards. Several boards may have one name here, because a log belongs to
// the one that its lines replay on.
Report report_of(const ReportArguments& a) {
  std::vector<game::NamedBoard> known;
  std::vector<std::string> logs;
  for (const std::string& argument : a.boards)
    for (game::NamedBoard& board : boards_named(argument))
      known.push_back(std::move(board));
  ReportBuilder builder(std::move(known));
  for (const std::string& path : a.inputs) {
    if (!is_archive(path)) {
      logs.push_back(path);
      continue;
    }
    try {
      builder.add(host::Archive(path, {}));
    } catch (const host::ArchiveError& error) {
      if (error.is_input()) throw InputError(error.what());
      throw;
    }
  }
  for (const std::string& path : logs)
    builder.add(host::parse_run_log(read_input(path), name_of_input(path)), name_of_input(path));
  return std::move(builder).finished(now_in_milliseconds());
}

void run_report(const ReportArguments& a) {
  if (a.out.empty() && !a.json) throw InputError("the report needs a file; expected -o FILE, or --json");
  const std::vector<OutputOption> outputs = {{"--out", a.out}};
  std::vector<std::string> inputs = a.inputs;
  for (const std::string& argument : a.boards)
    inputs.push_back(file_of_board(argument));
  check_outputs(outputs, inputs);
  if (a.json) expect_apart_from_standard_output(outputs, "--json prints its answer");
  const Report report = report_of(a);
  const Json data = report_json(report);
  if (!a.out.empty()) write_file(a.out, report_html(data));
  if (a.json) print_json(data);
  if (a.json || a.out == "-") return;
  if (report.boards.empty()) {
    write_file("-", "no board has a line yet\n");
    return;
  }
  write_file("-", fmt::format("{}, sum {}, last run +{}: {}\n", counted(report.boards.size(), "board"), report.sum(),
                              report.gain(), printable_text(a.out)));
}

}  // namespace

void add_report(CLI::App& app, Program&) {
  auto a = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "write a web page about archives and logs");
  command->add_option("FILE", a->inputs, "archives of `record` and logs of `solve --log`, in any mix; - for a log")
      ->required()
      ->type_name("");
  add_output_option(*command, "-o,--out", a->out, "HTML file to write, or - for the standard output");
  command->add_option("--boards", a->boards, "where to find the boards of a log, to replay their lines")
      ->type_name("BOARD")
      ->allow_extra_args(false)
      ->check(not_empty("boards"));
  command->add_flag("--json", a->json, "print the data of the report as JSON");
  command->footer(
      "The page is one file that loads nothing else: the sum and the gain of the last\n"
      "run, scores and rates over time, a table of boards, and a replay of every best\n"
      "line. A log names its boards but does not hold them: standard boards and boards\n"
      "of an archive are known, others need --boards.\n\n"
      "Examples:\n"
      "  chainshot report night.db -o report.html\n"
      "  chainshot report run.jsonl --boards boards.txt -o report.html");
  command->callback([a] { run_report(*a); });
}

}  // namespace chainshot::tools
