// chainshot reproduce: the published tables, measured again.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "host/files/append_file.hpp"
#include "host/reproduce/reproduction.hpp"
#include "machine/allowance.hpp"
#include "tools/commands.hpp"
#include "tools/measure/machine.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/suggest.hpp"
#include "tools/reports/archive_report.hpp"
#include "tools/reports/reproduction_report.hpp"
#include "tools/reproduce/published_tables.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

struct ReproduceArguments {
  std::vector<std::string> tables;
  std::string budget = "minutes";
  std::string state;
  std::string out;
  std::string csv;
  std::string svg;
  int threads = 0;
  bool list = false;
  bool json = false;
};

host::Extent extent_named(const std::string& name) {
  std::vector<std::string> names;
  for (const host::Extent extent : {host::Extent::kMinutes, host::Extent::kHour, host::Extent::kFull}) {
    names.emplace_back(extent_name(extent));
    if (name == names.back()) return extent;
  }
  throw InputError(unknown_name("budget", name, names));
}

std::vector<const host::PublishedTable*> tables_named(const std::vector<std::string>& names) {
  std::vector<const host::PublishedTable*> tables;
  std::vector<std::string> known;
  for (const host::PublishedTable& table : published_tables()) {
    known.push_back(table.name);
    if (names.empty() || std::find(names.begin(), names.end(), table.name) != names.end()) tables.push_back(&table);
  }
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(unknown_name("table", name, known));
  return tables;
}

Json list_json() {
  Json tables = Json::array();
  for (const host::PublishedTable& published : published_tables())
    tables.push_back({{"name", published.name},
                      {"rows", published.rows.size()},
                      {"title", published.title},
                      {"source", published.source}});
  return {{"version", kJsonVersion}, {"tables", std::move(tables)}};
}

std::string list_text() {
  TextTable table({"table", "rows", "what it has", "source"});
  for (const host::PublishedTable& published : published_tables())
    table.add({published.name, std::to_string(published.rows.size()), published.title, published.source});
  return table.text();
}

// The file that keeps the samples. While it is open, no other program can add to it.
class StateFile {
 public:
  explicit StateFile(const std::string& path) : path_(path) {
    if (path.empty()) return;
    try {
      file_ = std::make_unique<host::AppendFile>(path, print_note);
    } catch (const std::invalid_argument& error) {
      throw InputError(error.what());
    }
  }

  host::SamplesByKey read() const {
    return path_.empty() ? host::SamplesByKey{} : host::parse_samples(read_input(path_), path_);
  }
  void add(const host::SampleKey& key, const host::Sample& sample) {
    if (file_) file_->append(host::sample_line(key, sample, program_version()));
  }
  std::string problem() const { return file_ ? file_->problem() : std::string(); }

 private:
  std::string path_;
  std::unique_ptr<host::AppendFile> file_;
};

Reproduction reproduction_of(const host::ReproductionTask& task, const host::SamplesByKey& samples, bool complete) {
  Reproduction reproduction{.extent = task.extent, .complete = complete, .tables = {}};
  for (const host::PublishedTable* table : task.tables) {
    ReproducedTable& reproduced = reproduction.tables.emplace_back(ReproducedTable{table, {}});
    for (const host::PublishedRow& row : table->rows) {
      const host::Effort effort = row.effort_of(task.extent);
      const host::MeasuredRow measured =
          host::measured_row(*table, row, host::samples_of(samples, *table, row, effort));
      reproduced.rows.push_back({&row, effort, measured, host::judge(*table, row, measured, effort)});
    }
  }
  return reproduction;
}

// Returns the sentences of the files that could not be written.
std::vector<std::string> print_answer(const ReproduceArguments& a, const Reproduction& reproduction) {
  std::vector<std::string> problems;
  if (!a.out.empty()) problems.push_back(try_write_file(a.out, reproduction_markdown(reproduction)));
  if (!a.csv.empty()) problems.push_back(try_write_file(a.csv, reproduction_csv(reproduction)));
  if (!a.svg.empty()) problems.push_back(try_write_file(a.svg, ratio_svg(reproduction_picture(reproduction))));
  if (a.json) {
    Json answer = {{"version", kJsonVersion}};
    answer.update(reproduction_json(reproduction));
    print_json(answer);
  } else if (a.out.empty()) {
    fmt::print("{}", reproduction_markdown(reproduction));
  }
  return problems;
}

void run_reproduce(const ReproduceArguments& a, Program& program) {
  if (a.list) return a.json ? print_json(list_json()) : fmt::print("{}", list_text());
  host::ReproductionTask task{.tables = tables_named(a.tables),
                              .extent = extent_named(a.budget),
                              .threads = a.threads > 0 ? a.threads : machine::usable_processors()};
  check_outputs({{"--state", a.state}, {"--out", a.out}, {"--csv", a.csv}, {"--svg", a.svg}}, {});
  expect_apart_from_standard_output({{"--state", a.state}, {"--csv", a.csv}, {"--svg", a.svg}},
                                    "the tables are printed");
  if (a.json) expect_apart_from_standard_output({{"--out", a.out}}, "--json prints its answer");
  StateFile state(a.state);
  host::SamplesByKey samples = state.read();
  watch_interrupts();
  task.stop = interrupt_token();
  bool complete = false;
  {
    Progress progress("measuring");
    task.measured = [&](const host::SampleKey& key, const host::Sample& sample) { state.add(key, sample); };
    task.watch = [&](std::uint64_t done, std::uint64_t total) {
      progress.update(static_cast<double>(done) / static_cast<double>(total),
                      fmt::format("{} of {} samples", done, total));
    };
    complete = host::measure_missing(task, samples);
  }
  std::vector<std::string> problems = print_answer(a, reproduction_of(task, samples, complete));
  problems.push_back(state.problem());
  if (interrupted() && !a.state.empty()) print_note("stopped; the same command goes on with " + a.state);
  for (const std::string& problem : problems)
    if (!problem.empty()) throw std::runtime_error(problem);
  if (interrupted()) program.exit_code = interrupted_exit();
}

}  // namespace

void add_reproduce(CLI::App& app, Program& program) {
  auto a = std::make_shared<ReproduceArguments>();
  CLI::App* command = app.add_subcommand("reproduce", "measure the published tables again");
  command->add_option("TABLE", a->tables, "tables to measure (default all; see --list)")->type_name("");
  command->add_option("--budget", a->budget, "minutes (default), hour or full: as much work as was published")
      ->type_name("NAME");
  command->add_option("--state", a->state, "keep every sample in FILE, and go on with those that it has")
      ->type_name("FILE");
  add_output_option(*command, "--out", a->out, "write the tables to FILE as Markdown");
  add_output_option(*command, "--csv", a->csv, "write the figures to FILE as comma-separated values");
  add_output_option(*command, "--svg", a->svg, "draw the figures relative to the published ones to FILE");
  add_threads_argument(*command, a->threads);
  command->add_flag("--list", a->list, "list the tables");
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Every row has the published figure, ours with its standard error, and a verdict.\n"
      "Searches have one thread each and run side by side on all threads. Budgets by\n"
      "time need an idle machine. With --state a measurement that was broken off goes\n"
      "on, and a larger --budget uses the samples it shares with a smaller one.\n\n"
      "Examples:\n"
      "  chainshot reproduce --list\n"
      "  chainshot reproduce schadd-1 schadd-2\n"
      "  chainshot reproduce --budget hour --state samples.jsonl --out tables.md --svg tables.svg");
  command->callback([a, &program] { run_reproduce(*a, program); });
}

}  // namespace chainshot::tools
