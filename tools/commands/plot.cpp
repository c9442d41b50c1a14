// chainshot plot: draws score and rate of runs of `chainshot solve` over time, from their logs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "host/log/run_log_reader.hpp"
#include "tools/commands.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/suggest.hpp"
#include "tools/pictures/run_curves.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

struct PlotArguments {
  std::vector<std::string> logs;
  std::string board;
  std::string out;
};

std::vector<std::string> drawn_boards(const PlotArguments& a, const std::vector<host::LoggedRun>& runs) {
  std::vector<std::string> names = common_boards(runs);
  if (names.empty())
    throw InputError(runs.size() == 1 ? name_of_input(a.logs[0]) +
                                            ": this log has no score yet; expected the log of a run that found a line"
                                      : "the logs have no board in common; expected runs over the same boards");
  if (a.board.empty()) return names;
  if (std::find(names.begin(), names.end(), a.board) == names.end())
    throw InputError(unknown_name(runs.size() == 1 ? "board of the log" : "board of all logs", a.board, names));
  return {a.board};
}

// Returns the scoring of all runs. Points of different scorings cannot share an axis, so they must agree.
std::string scoring_of(const PlotArguments& a, const std::vector<host::LoggedRun>& runs) {
  for (std::size_t i = 1; i < runs.size(); ++i)
    if (runs[i].scoring != runs[0].scoring)
      throw InputError(fmt::format("{} uses scoring {} and {} uses {}; expected runs with the same scoring",
                                   name_of_input(a.logs[0]), runs[0].scoring, name_of_input(a.logs[i]),
                                   runs[i].scoring));
  return runs[0].scoring;
}

std::string name_of(const host::LoggedRun& run, const std::string& log) {
  const std::string file = std::filesystem::path(log).stem();
  const std::string search = fmt::format("{}, seed {}", run.preset, run.seed);
  return file == run.preset || log == "-" ? search : fmt::format("{} ({})", file, search);
}

RunPicture picture_of(const PlotArguments& a, const std::vector<host::LoggedRun>& runs) {
  const std::vector<std::string> names = drawn_boards(a, runs);
  const bool several = names.size() > 1;
  const std::string scoring = scoring_of(a, runs), by = scoring == "standard" ? "" : " (scoring " + scoring + ')';
  RunPicture picture{
      .title = several ? counted(names.size(), "board") : names[0],
      .subtitle = (several ? "sum of the best scores" + by + "; seconds count from the start of each board"
                           : "best score" + by),
      .score = several ? "sum of scores" : "score",
      .rate = "playouts or evaluations/s",
      .series = {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const LoggedBoards boards = boards_named(runs[i], names);
    picture.series.push_back({.name = name_of(runs[i], a.logs[i]),
                              .scores = score_curve(boards),
                              .rates = rate_curve(boards),
                              .seconds = longest(boards)});
  }
  return picture;
}

void run_plot(const PlotArguments& a) {
  check_outputs({{"--out", a.out}}, a.logs);
  std::vector<host::LoggedRun> runs;
  for (const std::string& log : a.logs)
    runs.push_back(host::parse_run_log(read_input(log), name_of_input(log)));
  write_file(a.out, runs_svg(picture_of(a, runs)));
}

}  // namespace

void add_plot(CLI::App& app, Program&) {
  auto a = std::make_shared<PlotArguments>();
  CLI::App* command = app.add_subcommand("plot", "draw score and rate over time from logs of solve");
  command->add_option("LOG", a->logs, "a log of `chainshot solve --log`, or - for the standard input")
      ->required()
      ->type_name("");
  add_output_option(*command, "-o,--out", a->out, "SVG file to write, or - for the standard output")->required();
  command->add_option("--board", a->board, "draw only this board instead of the sum over all boards")
      ->type_name("NAME")
      ->check(not_empty("the name of a board"));
  command->footer(
      "A log can be plotted while its run goes on, or after the run was killed. With\n"
      "several logs, only the boards that all of them have are drawn.\n\n"
      "Examples:\n"
      "  chainshot plot run.jsonl -o run.svg\n"
      "  chainshot plot anneal.jsonl uct.jsonl --board standard-07 -o both.svg");
  command->callback([a] { run_plot(*a); });
}

}  // namespace chainshot::tools
