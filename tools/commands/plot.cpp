// chainshot plot: draws score and rate of runs of `chainshot solve` over time, from their logs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

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

// A run to draw, and where it comes from.
struct DrawnRun {
  host::LoggedRun logged;
  std::string log;         // the file
  std::size_t number = 1;  // in the file
  bool is_alone = true;    // the file has no other run
};

bool has_score(const host::LoggedRun& run, const std::string& board) {
  return std::any_of(run.boards.begin(), run.boards.end(), [&](const host::LoggedBoard& b) {
    return !b.scores.empty() && (board.empty() || b.name == board);
  });
}

// Returns the runs of a log. If there are several, those without a score to draw are left out: a killed run must not
// hide the others.
std::vector<DrawnRun> runs_of(const std::string& log, const std::string& board) {
  std::vector<DrawnRun> runs;
  for (host::LoggedRun& run : host::parse_run_log(read_input(log), name_of_input(log)))
    runs.push_back({.logged = std::move(run), .log = log, .number = runs.size() + 1});
  for (DrawnRun& run : runs)
    run.is_alone = runs.size() == 1;
  const auto can_be_drawn = [&](const DrawnRun& run) { return has_score(run.logged, board); };
  if (std::any_of(runs.begin(), runs.end(), can_be_drawn)) std::erase_if(runs, std::not_fn(can_be_drawn));
  return runs;
}

std::vector<std::string> drawn_boards(const PlotArguments& a, const std::vector<DrawnRun>& runs) {
  std::vector<host::LoggedRun> logged;
  for (const DrawnRun& run : runs)
    logged.push_back(run.logged);
  std::vector<std::string> names = common_boards(logged);
  if (names.empty()) {
    if (runs.size() == 1)
      throw InputError(name_of_input(a.logs[0]) +
                       ": this log has no score yet; expected the log of a run that found a line");
    throw InputError(a.logs.size() == 1 ? "the runs of the log have no board in common; expected --board to choose one"
                                        : "the logs have no board in common; expected runs over the same boards");
  }
  if (a.board.empty()) return names;
  if (std::find(names.begin(), names.end(), a.board) == names.end())
    throw InputError(unknown_name(a.logs.size() == 1 ? "board of the log" : "board of all logs", a.board, names));
  return {a.board};
}

// Returns the scoring of all runs. Points of different scorings cannot share an axis, so they must agree.
std::string scoring_of(const std::vector<DrawnRun>& runs) {
  const auto source = [](const DrawnRun& run) {
    const std::string file = name_of_input(run.log);
    return run.is_alone ? file : fmt::format("run {} of {}", run.number, file);
  };
  const std::string& first = runs[0].logged.scoring;
  for (const DrawnRun& run : runs)
    if (run.logged.scoring != first)
      throw InputError(fmt::format("{} uses scoring {} and {} uses {}; expected runs with the same scoring",
                                   source(runs[0]), first, source(run), run.logged.scoring));
  return first;
}

// Returns a name for the legend. Runs of one log differ by their date, or by their number if the log has no dates.
std::string name_of(const DrawnRun& run) {
  const std::string file = std::filesystem::path(run.log).stem();
  const host::LoggedRun& logged = run.logged;
  std::string search = fmt::format("{}, seed {}", logged.preset, logged.seed);
  if (!run.is_alone) search += logged.date.empty() ? fmt::format(", run {}", run.number) : ", " + logged.date;
  return file == logged.preset || run.log == "-" ? search : fmt::format("{} ({})", file, search);
}

RunPicture picture_of(const PlotArguments& a, const std::vector<DrawnRun>& runs) {
  const std::vector<std::string> names = drawn_boards(a, runs);
  const bool several = names.size() > 1;
  const std::string scoring = scoring_of(runs), by = scoring == "standard" ? "" : " (scoring " + scoring + ')';
  RunPicture picture{
      .title = several ? counted(names.size(), "board") : names[0],
      .subtitle = (several ? "sum of the best scores" + by + "; seconds count from the start of each board"
                           : "best score" + by),
      .score = several ? "sum of scores" : "score",
      .rate = "playouts or evaluations/s",
      .series = {}};
  for (const DrawnRun& run : runs) {
    const LoggedBoards boards = boards_named(run.logged, names);
    picture.series.push_back(
        {.name = name_of(run), .scores = score_curve(boards), .rates = rate_curve(boards), .seconds = longest(boards)});
  }
  return picture;
}

void run_plot(const PlotArguments& a) {
  check_outputs({{"--out", a.out}}, a.logs);
  std::vector<DrawnRun> runs;
  for (const std::string& log : a.logs)
    for (DrawnRun& run : runs_of(log, a.board))
      runs.push_back(std::move(run));
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
      "Every run of a log is drawn, also while it goes on or after it was killed. Of\n"
      "several runs, only the boards that all of them have are drawn.\n\n"
      "Examples:\n"
      "  chainshot plot run.jsonl -o run.svg\n"
      "  chainshot plot anneal.jsonl uct.jsonl --board standard-07 -o both.svg");
  command->callback([a] { run_plot(*a); });
}

}  // namespace chainshot::tools
