// chainshot plot: draws score and rate of runs of `chainshot solve` over time, from their logs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "host/log/run_log_reader.hpp"
#include "tools/commands.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/suggest.hpp"
#include "tools/pictures/run_curves.hpp"
#include "tools/pictures/run_names.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

struct PlotArguments {
  std::vector<std::string> logs;
  std::string board;
  std::string out;
  std::string across = "time";
  std::string band = "error";
  bool mean = false;
  bool band_given = false;
};

// What --x and --band take.
struct AcrossName {
  std::string name;
  RunAxis axis;
  bool logarithmic;
};
const std::vector<AcrossName>& across_names() {
  static const std::vector<AcrossName> kNames = {{"time", RunAxis::kSeconds, false},
                                                 {"log-time", RunAxis::kSeconds, true},
                                                 {"evaluations", RunAxis::kWork, false},
                                                 {"log-evaluations", RunAxis::kWork, true}};
  return kNames;
}

struct BandName {
  std::string name;
  RunBand band;
  std::string text;
};
const std::vector<BandName>& band_names() {
  static const std::vector<BandName> kNames = {{"error", RunBand::kError, "one standard error"},
                                               {"deviation", RunBand::kDeviation, "one standard deviation"},
                                               {"range", RunBand::kRange, "the lowest to the highest run"}};
  return kNames;
}

template <class Row>
const Row& row_named(const std::vector<Row>& rows, const std::string& option, const std::string& name) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw InputError(unknown_name("value of " + option, name, names));
}

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
  const auto source = [&](const DrawnRun& run) {
    const std::string file = name_of_input(run.log);
    const bool is_alone =
        std::count_if(runs.begin(), runs.end(), [&](const DrawnRun& other) { return other.log == run.log; }) == 1;
    return is_alone ? file : fmt::format("run {} of {}", run.number, file);
  };
  const std::string& first = runs[0].logged.scoring;
  for (const DrawnRun& run : runs)
    if (run.logged.scoring != first)
      throw InputError(fmt::format("{} uses scoring {} and {} uses {}; expected runs with the same scoring",
                                   source(runs[0]), first, source(run), run.logged.scoring));
  return first;
}

// A mean over many improvements has more steps than a picture can show; it is drawn at as many places as are told
// apart.
std::vector<double> places_to(double end, bool logarithmic, double begin, std::size_t count) {
  std::vector<double> places;
  for (std::size_t i = 0; i <= count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count);
    places.push_back(logarithmic ? begin * std::pow(end / begin, share) : end * share);
  }
  return places;
}

RunSeries series_of(const DrawnRun& run, const std::string& name, const std::vector<std::string>& boards,
                    RunAxis axis) {
  const LoggedBoards logged = boards_named(run.logged, boards);
  return {.name = name,
          .scores = score_curve(logged, axis),
          .rates = axis == RunAxis::kSeconds ? rate_curve(logged) : Curve(),
          .end = longest(logged, axis)};
}

// The mean of the series of a group, from where all of them have a score to the end of the longest.
RunSeries mean_of(const std::vector<RunSeries>& runs, const std::string& name, bool logarithmic, RunBand band) {
  constexpr std::size_t kScores = 400, kRates = 60;
  RunSeries mean{.name = name, .scores = {}, .rates = {}};
  std::vector<Curve> scores, rates;
  double begin = 0;
  for (const RunSeries& run : runs) {
    scores.push_back(run.scores);
    rates.push_back(run.rates);
    begin = std::max(begin, run.scores.front().first);
    mean.end = std::max(mean.end, run.end);
  }
  mean.end = std::max(mean.end, 1e-3);  // of runs that were killed at once
  std::vector<double> places = places_to(mean.end, logarithmic, std::max(begin, mean.end / 1e6), kScores);
  places.push_back(begin);
  std::sort(places.begin(), places.end());
  MeanCurve curve = mean_steps(scores, places, band);
  mean.scores = std::move(curve.mean);
  if (runs.size() > 1)
    for (const BandPoint& point : curve.band)
      mean.band.push_back({.x = point.x, .low = point.low, .high = point.high});
  mean.rates = mean_line(rates, places_to(mean.end, false, 0, kRates));
  return mean;
}

void expect_counts(const std::vector<DrawnRun>& runs, const std::vector<RunSeries>& series) {
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (series[i].end == 0)
      throw InputError(fmt::format("{}: this log counts no playouts or evaluations of {}; expected --x time",
                                   name_of_input(runs[i].log), series[i].name));
}

RunPicture picture_of(const PlotArguments& a, const std::vector<DrawnRun>& runs) {
  const AcrossName& across = row_named(across_names(), "--x", a.across);
  const BandName& band = row_named(band_names(), "--band", a.band);
  const std::vector<std::string> names = drawn_boards(a, runs);
  const bool several = names.size() > 1, over_time = across.axis == RunAxis::kSeconds;
  const std::string scoring = scoring_of(runs), by = scoring == "standard" ? "" : " (scoring " + scoring + ')';
  const std::string what =
      a.mean ? "mean, and a band of " + band.text + by : (several ? "sum of the best scores" : "best score") + by;
  RunPicture picture{.title = several ? counted(names.size(), "board") : names[0],
                     .subtitle = what + (several ? fmt::format("; {} count from the start of each board",
                                                               over_time ? "seconds" : "playouts and evaluations")
                                                 : ""),
                     .across = over_time ? "seconds" : "playouts or evaluations",
                     .score = several ? "sum of scores" : "score",
                     .rate = over_time ? "playouts or evaluations/s" : "",
                     .logarithmic = across.logarithmic,
                     .series = {}};
  const std::vector<std::string> run_names = names_of_runs(runs);
  for (std::size_t i = 0; i < runs.size(); ++i)
    picture.series.push_back(series_of(runs[i], run_names[i], names, across.axis));
  if (!over_time) expect_counts(runs, picture.series);
  if (!a.mean) return picture;
  std::vector<RunSeries> means;
  for (const RunGroup& group : groups_of_runs(runs)) {
    std::vector<RunSeries> members;
    for (const std::size_t i : group.runs)
      members.push_back(picture.series[i]);
    means.push_back(mean_of(members, group.name, across.logarithmic, band.band));
  }
  picture.series = std::move(means);
  return picture;
}

void run_plot(const PlotArguments& a) {
  row_named(across_names(), "--x", a.across);  // reports mistyped names before files are read
  row_named(band_names(), "--band", a.band);
  if (a.band_given && !a.mean) throw InputError("--band has no effect without --mean; expected both or neither");
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
  command->add_option("--x", a->across, "axis: time (default), log-time, evaluations (and playouts), log-evaluations")
      ->type_name("NAME");
  command->add_flag("--mean", a->mean, "draw runs that differ only in the seed as their mean, with a band");
  CLI::Option* band =
      command->add_option("--band", a->band, "with --mean: error (default), deviation, or range (lowest to highest)")
          ->type_name("NAME");
  command->footer(
      "Every run of a log is drawn, also while it goes on or after it was killed. Of\n"
      "several runs, only the boards that all of them have are drawn.\n\n"
      "Examples:\n"
      "  chainshot plot run.jsonl -o run.svg\n"
      "  chainshot plot anneal.jsonl uct.jsonl --board standard-07 -o both.svg\n"
      "  chainshot plot sweep.jsonl --mean --x log-evaluations -o sweep.svg");
  command->callback([a, band] {
    a->band_given = band->count() > 0;
    run_plot(*a);
  });
}

}  // namespace chainshot::tools
