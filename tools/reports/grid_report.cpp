#include "tools/reports/grid_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/commands.hpp"
#include "tools/reports/csv_text.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/reports/play_report.hpp"
#include "tools/reports/solve_csv.hpp"
#include "tools/reports/solve_report.hpp"

namespace chainshot::tools {
namespace {

using host::MeanScore;
using host::ScoreSummary;

constexpr std::size_t kWidestLabel = 26;
constexpr std::size_t kMeansPerLine = 7;  // columns of the table of boards

// `1 to 10`, or the seeds one by one; ranges of the command line are not kept.
std::string seeds_text(const std::vector<std::uint64_t>& seeds) {
  constexpr std::size_t kMostListed = 8;
  const bool is_range = seeds.size() > 2 && seeds.back() - seeds.front() + 1 == seeds.size() &&
                        std::is_sorted(seeds.begin(), seeds.end());
  if (is_range) return fmt::format("seeds {} to {}", seeds.front(), seeds.back());
  std::string text = seeds.size() == 1 ? "seed" : "seeds";
  for (std::size_t i = 0; i < std::min(seeds.size(), kMostListed); ++i)
    text += fmt::format("{}{}", i == 0 ? " " : ", ", seeds[i]);
  return text + (seeds.size() > kMostListed ? fmt::format(" and {} more", seeds.size() - kMostListed) : "");
}

std::string error_text(const MeanScore& mean) {
  return mean.error ? fmt::format("{:.1f}", *mean.error) : "-";
}

// The scores of a board are whole numbers, their means over boards are not.
std::string extreme_text(double score, std::size_t boards) {
  return fmt::format("{:.{}f}", score, boards > 1 ? 1 : 0);
}

// Over so many boards.
std::string figures_text(const ScoreSummary& summary, std::size_t boards, bool has_differences) {
  if (summary.score.samples == 0) return fmt::format("{:>5}", 0);
  std::string text = fmt::format("{:>5} {:>10.1f} {:>8} {:>9}", summary.score.samples, summary.score.mean,
                                 error_text(summary.score), extreme_text(summary.best, boards));
  if (has_differences && summary.difference.samples > 0)
    text += fmt::format(" {:>+10.1f} {:>7}", summary.difference.mean, error_text(summary.difference));
  return text;
}

std::string column_titles(bool has_differences) {
  return fmt::format("{:>5} {:>10} {:>8} {:>9}", "runs", "mean", "error", "best") +
         (has_differences ? fmt::format(" {:>10} {:>7}", "difference", "error") : "");
}

std::string title_text(const GridReport& report) {
  std::string text;
  const auto add = [&text](std::size_t count, const std::string& noun) {
    if (count > 1) text += (text.empty() ? "" : " x ") + counted(count, noun);
  };
  add(report.combinations.size(), "combination");
  add(report.seeds.size(), "seed");
  add(report.boards.size(), "board");
  const std::size_t finished = report.finished_runs();
  return text + (report.is_complete()
                     ? fmt::format(": {}", counted(finished, "run"))
                     : fmt::format(": {} of {} runs, stopped early", grouped(finished), grouped(report.wanted_runs())));
}

std::string head_text(const GridReport& report, const Terminal& terminal) {
  const host::RunPlan& plan = report.plans.front();
  std::string out = terminal.bold(title_text(report)) + '\n';
  if (report.boards.size() == 1) out += "board " + report.boards.front().name + ", ";
  if (report.combinations.size() == 1) out += fmt::format("preset {}, ", plan.preset);
  out += fmt::format("scoring {}, {}\n", plan.scoring.name(), seeds_text(report.seeds));
  out += fmt::format("engine {}\nbudget {} per run{}\n\n", report.engine, budget_text(report.plans),
                     report.default_budget ? " (the default; --time changes it)" : "");
  return out;
}

// Rows have numbers if the table of boards refers to them. Labels that are too long stand above.
std::string combinations_text(const GridReport& report, const host::PairedScores& scores, const Terminal& terminal) {
  const bool is_numbered = report.boards.size() > 1;
  std::size_t width = 11;
  for (const SearchCombination& combination : report.combinations)
    width = std::max(width, combination.label.size());
  const bool stands_above = width > kWidestLabel;
  if (stands_above) width = 11;
  std::string above, rows;
  for (std::size_t i = 0; i < report.combinations.size(); ++i) {
    const std::string number = is_numbered || stands_above ? fmt::format("{:>3} ", i + 1) : "";
    if (stands_above) above += fmt::format("{} {}\n", number, report.combinations[i].label);
    const ScoreSummary summary = is_numbered ? scores.over_boards(i) : scores.on_board(i, 0);
    rows += fmt::format("{}{:{}} {}\n", number, stands_above ? "" : report.combinations[i].label, width,
                        figures_text(summary, report.boards.size(), i > 0));
  }
  const std::string indent = is_numbered || stands_above ? "    " : "";
  return above + (above.empty() ? "" : "\n") +
         terminal.bold(fmt::format("{}{:{}} {}", indent, "combination", width, column_titles(true))) + '\n' + rows;
}

std::size_t width_of_boards(const GridReport& report) {
  std::size_t width = 10;
  for (const game::NamedBoard& board : report.boards)
    width = std::clamp(board.name.size(), width, kWidestName);
  return width;
}

// The boards of a single combination.
std::string boards_text(const GridReport& report, const host::PairedScores& scores, const Terminal& terminal) {
  const std::size_t width = width_of_boards(report);
  std::string out = terminal.bold(fmt::format("{:{}} {} {:>9}", "board", width, column_titles(false), "worst")) + '\n';
  for (std::size_t board = 0; board < report.boards.size(); ++board) {
    const ScoreSummary summary = scores.on_board(0, board);
    out += fmt::format("{:{}} {}", shortened(report.boards[board].name, width), width, figures_text(summary, 1, false));
    out += summary.score.samples == 0 ? "\n" : fmt::format(" {:>9}\n", extreme_text(summary.worst, 1));
  }
  if (report.boards.size() == 1) return out;
  const ScoreSummary all = scores.over_boards(0);
  return out +
         terminal.bold(fmt::format("{:{}} {} {:>9.1f}", "all boards", width,
                                   figures_text(all, report.boards.size(), false), all.worst)) +
         '\n';
}

// The means of several combinations on every board, so many columns at a time as a line holds.
std::string means_text(const GridReport& report, const host::PairedScores& scores, const Terminal& terminal) {
  const std::size_t width = width_of_boards(report);
  std::string out;
  for (std::size_t first = 0; first < report.combinations.size(); first += kMeansPerLine) {
    const std::size_t end = std::min(first + kMeansPerLine, report.combinations.size());
    std::string head = fmt::format("\n{:{}}", "mean", width);
    for (std::size_t i = first; i < end; ++i)
      head += fmt::format(" {:>8}", i + 1);
    out += terminal.bold(head) + '\n';
    for (std::size_t board = 0; board < report.boards.size(); ++board) {
      out += fmt::format("{:{}}", shortened(report.boards[board].name, width), width);
      for (std::size_t i = first; i < end; ++i) {
        const MeanScore mean = scores.on_board(i, board).score;
        out += fmt::format(" {:>8}", mean.samples == 0 ? "-" : fmt::format("{:.1f}", mean.mean));
      }
      out += '\n';
    }
  }
  return out;
}

std::string explanation(const GridReport& report, const host::PairedScores& scores) {
  std::string out = scores.has_repeats()       ? "\nerror is the standard error over seeds"
                    : report.boards.size() < 2 ? "\nerror needs two seeds"
                    : report.seeds.size() > 1
                        ? "\nerror is the standard error over boards, because some have one seed yet"
                        : "\nerror is the standard error over boards, because each has one seed";
  if (report.combinations.size() > 1) out += ";\ndifference is to the first row, paired by board and seed";
  out += '\n';
  if (report.boards.size() > 1) out += "mean and best over several boards are per board\n";
  if (!report.is_complete()) out += "runs that were stopped early do not count\n";
  return out + "all lines replayed by the reference rules\n";
}

Json mean_json(const MeanScore& mean, const char* count) {
  if (mean.samples == 0) return nullptr;
  return {
      {count, mean.samples}, {"mean", mean.mean}, {"standard_error", mean.error ? Json(*mean.error) : Json(nullptr)}};
}

Json summary_json(const ScoreSummary& summary) {
  Json out = {{"score", mean_json(summary.score, "runs")}};
  if (summary.score.samples > 0) {
    out["score"]["worst"] = summary.worst;
    out["score"]["best"] = summary.best;
  }
  out["difference"] = mean_json(summary.difference, "pairs");
  return out;
}

Json combination_json(const GridReport& report, const host::PairedScores& scores, std::size_t i) {
  const SearchCombination& combination = report.combinations[i];
  Json out = {{"label", combination.label}, {"preset", combination.search.preset}};
  Json varied = Json::object();
  for (const auto& [name, value] : combination.varied)
    std::visit([&, &key = name](const auto& plain) { varied[key] = plain; }, value);
  out["varied"] = std::move(varied);
  out["budget"] = host::budget_json(report.plans[i].budget);
  out.update(summary_json(scores.over_boards(i)));
  out["boards"] = Json::array();
  for (std::size_t board = 0; board < report.boards.size(); ++board) {
    Json entry = {{"name", report.boards[board].name}};
    entry.update(summary_json(scores.on_board(i, board)));
    out["boards"].push_back(std::move(entry));
  }
  return out;
}

Json run_json(const GridReport& report, const GridRun& run) {
  const host::SolveResult& result = run.solution.result;
  const host::SearchStatus work = result.last.total();
  Json out = {{"combination", run.combination},
              {"board", report.boards[run.board].name},
              {"seed", run.seed},
              {"score", result.best.score},
              {"playouts", work.playouts},
              {"evaluations", work.evaluations},
              {"nodes", work.nodes_visited},
              {"resource_units", work.resource_units},
              {"seconds", result.last.seconds},
              {"found_seconds", run.solution.found_seconds},
              {"complete", result.complete},
              {"proven", result.proven}};
  if (!result.error.empty()) out["error"] = result.error;
  return out;
}

std::vector<std::string> varied_names(const GridReport& report) {
  std::vector<std::string> names;
  for (const auto& [name, value] : report.combinations.front().varied)
    names.push_back(name);
  return names;
}

void add_mean(CsvRow& row, const MeanScore& mean) {
  row.add(mean.samples);
  if (mean.samples > 0)
    row.add(mean.mean);
  else
    row.add("");
  if (mean.error)
    row.add(*mean.error);
  else
    row.add("");
}

std::string summary_row(const SearchCombination& combination, const std::string& board, const ScoreSummary& summary) {
  CsvRow row;
  row.add(combination.search.preset);
  for (const auto& [name, value] : combination.varied)
    row.add(value_text(value));
  row.add(board);
  add_mean(row, summary.score);
  if (summary.score.samples > 0)
    row.add(summary.worst).add(summary.best);
  else
    row.add("").add("");
  add_mean(row, summary.difference);
  return row.text();
}

}  // namespace

std::size_t GridReport::finished_runs() const {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const GridRun& run) { return run.solution.result.complete; }));
}

host::PairedScores GridReport::scores() const {
  host::PairedScores scores(combinations.size(), boards.size());
  for (const GridRun& run : runs)
    if (run.solution.result.complete) scores.add(run.combination, run.board, run.seed, run.solution.result.best.score);
  return scores;
}

const GridRun* GridReport::best_of(std::size_t board) const {
  const GridRun* best = nullptr;
  for (const GridRun& run : runs)
    if (run.board == board && (best == nullptr || run.solution.result.best.score > best->solution.result.best.score))
      best = &run;
  return best;
}

std::string grid_text(const GridReport& report, const Terminal& terminal) {
  const host::PairedScores scores = report.scores();
  std::string out = head_text(report, terminal);
  const bool compares = report.combinations.size() > 1;
  out += compares ? combinations_text(report, scores, terminal) : boards_text(report, scores, terminal);
  if (compares && report.boards.size() > 1) out += means_text(report, scores, terminal);
  return out + explanation(report, scores);
}

std::string grid_csv(const GridReport& report) {
  const host::PairedScores scores = report.scores();
  CsvRow head;
  head.add("preset");
  for (const std::string& name : varied_names(report))
    head.add(name);
  for (const char* const name :
       {"board", "runs", "mean", "standard_error", "worst", "best", "pairs", "difference", "difference_standard_error"})
    head.add(name);
  std::string out = head.text();
  for (std::size_t i = 0; i < report.combinations.size(); ++i) {
    for (std::size_t board = 0; board < report.boards.size(); ++board)
      out += summary_row(report.combinations[i], report.boards[board].name, scores.on_board(i, board));
    if (report.boards.size() > 1) out += summary_row(report.combinations[i], "all boards", scores.over_boards(i));
  }
  return out;
}

std::string grid_runs_csv(const GridReport& report) {
  std::vector<SolvedRow> rows;
  for (const GridRun& run : report.runs) {
    const SearchCombination& combination = report.combinations[run.combination];
    SolvedRow& row = rows.emplace_back();
    row.preset = combination.search.preset;
    row.seed = run.seed;
    row.solution = &run.solution;
    for (const auto& [name, value] : combination.varied)
      row.varied.emplace_back(name, value_text(value));
  }
  return solved_csv(varied_names(report), rows);
}

Json grid_json(const GridReport& report) {
  const host::PairedScores scores = report.scores();
  Json answer = {{"version", kJsonVersion},       {"scoring", report.plans.front().scoring.name()},
                 {"engine", report.engine},       {"complete", report.is_complete()},
                 {"seeds", report.seeds},         {"error_over", scores.has_repeats() ? "seeds" : "boards"},
                 {"combinations", Json::array()}, {"boards", Json::array()},
                 {"runs", Json::array()}};
  for (std::size_t i = 0; i < report.combinations.size(); ++i)
    answer["combinations"].push_back(combination_json(report, scores, i));
  for (std::size_t board = 0; board < report.boards.size(); ++board)
    if (const GridRun* best = report.best_of(board))
      answer["boards"].push_back({{"name", report.boards[board].name},
                                  {"score", best->solution.result.best.score},
                                  {"moves", moves_json(best->solution.result.best.moves)},
                                  {"combination", best->combination},
                                  {"seed", best->seed}});
  for (const GridRun& run : report.runs)
    answer["runs"].push_back(run_json(report, run));
  long sum = 0;
  for (const Json& board : answer["boards"])
    sum += board["score"].get<long>();
  answer["sum"] = sum;
  return answer;
}

std::vector<host::BoardSolution> best_solutions(const GridReport& report) {
  std::vector<host::BoardSolution> best;
  for (std::size_t board = 0; board < report.boards.size(); ++board)
    if (const GridRun* run = report.best_of(board)) best.push_back(run->solution);
  return best;
}

}  // namespace chainshot::tools
