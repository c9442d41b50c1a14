#include "tools/reports/solve_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "machine/allowance.hpp"
#include "tools/commands.hpp"
#include "tools/measure/machine.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/reports/play_report.hpp"
#include "tools/reports/solve_progress.hpp"

namespace chainshot::tools {
namespace {

using host::BoardSolution;

constexpr int kStartWidth = 7, kEvaluationsWidth = 11, kCountWidth = 8;

std::string limits_text(const host::Budget& b, std::string_view games) {
  std::string text;
  const auto add = [&](const std::string& limit) { text += (text.empty() ? "" : " or ") + limit; };
  if (b.seconds > 0) add(duration_text(b.seconds));
  if (b.playouts > 0) add(fmt::format("{} {}", magnitude(static_cast<double>(b.playouts)), games));
  if (b.nodes > 0) add(magnitude(static_cast<double>(b.nodes)) + " nodes");
  if (b.resource_units > 0) add(magnitude(static_cast<double>(b.resource_units)) + " resource units");
  return text;
}

// Returns the searches that ran on this board. They may differ from those of the preset: a small board may only be
// searched for a proof, and a board without moves is not searched at all.
std::string searches_of(const host::SolveResult& result, const SolveSetting& setting) {
  std::string out;
  for (const host::NamedStatus& search : result.last.searches)
    out += (out.empty() ? "" : " and ") + search.title;
  return out.empty() ? std::string(setting.run->title()) : out;
}

std::string setting_text(const SolveSetting& s, const std::string& searches) {
  const host::RunPlan& plan = s.run->plan();
  const std::string out =
      fmt::format("preset {} ({}), scoring {}, seed {}\n", plan.preset, searches, plan.scoring.name(), plan.seed);
  return out + fmt::format("engine {}\nbudget {} per board{}\n", s.run->engine_names(),
                           budget_text(std::span(&plan, 1)),
                           s.default_budget ? " (the default; --time changes it)" : "");
}

double rate(std::uint64_t count, double seconds) {
  return static_cast<double>(count) / std::max(seconds, 1e-9);
}

std::string about(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", magnitude(static_cast<double>(count)), noun, count == 1 ? "" : "s");
}

// Returns `1.20 M playouts (600 k/s), 31.4 k nodes, depth 23`; counters that are 0 are left out.
std::string work_text(const host::SearchStatus& work, double seconds) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (work.playouts > 0)
    add(fmt::format("{} ({}/s)", about(work.playouts, "playout"), magnitude(rate(work.playouts, seconds))));
  if (work.evaluations > 0)
    add(fmt::format("{} ({}/s)", about(work.evaluations, "evaluation"), magnitude(rate(work.evaluations, seconds))));
  if (work.nodes_visited > 0) add(about(work.nodes_visited, "node"));
  for (const host::Figure& figure : work.figures)
    if (figure.in_report && figure.value > 0) add(fmt::format("{} {}", figure.label, plain_number(figure.value)));
  return out;
}

std::uint64_t proof_nodes(const host::SolveResult& result) {
  std::uint64_t nodes = 0;
  for (const auto& [name, title, status] : result.last.searches)
    if (status.proven) nodes += status.nodes_visited;
  return nodes;
}

// A search that prunes moves, or that plays a single game, may finish before its budget is spent.
bool has_ended_early(const host::SolveResult& result, const host::Budget& budget) {
  constexpr double kNearlyAll = 0.9;
  return result.complete && !result.proven && share_spent(result.last, budget) < kNearlyAll;
}

std::string verdict_text(const host::SolveResult& result, const host::Budget& budget) {
  const std::uint64_t nodes = proof_nodes(result);
  if (result.proven) return nodes > 0 ? fmt::format("proven with {}: ", counted(nodes, "node")) : "proven: ";
  if (has_ended_early(result, budget)) return "the search finished early without a proof; ";
  return result.complete ? "" : "stopped early; ";
}

}  // namespace

std::string budget_text(std::span<const host::RunPlan> plans) {
  const auto changes_lines = [](const host::RunPlan& plan) { return plan.kind->counters.evaluations; };
  const bool evaluations = std::any_of(plans.begin(), plans.end(), changes_lines);
  const bool playouts = !std::all_of(plans.begin(), plans.end(), changes_lines);
  return limits_text(plans.front().budget, evaluations && playouts ? "playouts or evaluations"
                                           : evaluations           ? "evaluations"
                                                                   : "playouts");
}

std::string solution_text(const BoardSolution& solution, const SolveSetting& setting, const Terminal& terminal) {
  const host::SolveResult& result = solution.result;
  std::string out = terminal.bold(fmt::format("{}: {} points in {}", solution.board.name, result.best.score,
                                              counted(result.best.moves.size(), "move"))) +
                    '\n' + setting_text(setting, searches_of(result, setting));
  if (const std::string work = work_text(result.last.total(), result.last.seconds); !work.empty())
    out += fmt::format("{} in {}\n", work, duration_text(result.last.seconds));
  const host::StartLine* start = setting.run->plan().best_start(solution.board.name);
  if (start != nullptr) out += fmt::format("started from {} points ({})\n", start->score, printable_text(start->file));
  out += verdict_text(result, setting.run->plan().budget);
  if (result.proven)
    out += "no line scores more\n";
  else if (start != nullptr && result.best.score == start->score)
    out += "no line better than the start was found\n";
  else
    out += fmt::format("found after {} by {}\n", duration_text(solution.found_seconds), result.best.source);
  if (const auto played = result.last.total().played_score; played && *played != result.best.score)
    out += fmt::format("the game played move by move scores {}\n", *played);
  out += "replayed by the reference rules\n";
  if (setting.notation == game::Notation::kCodingame) return out;
  return out + moves_text(result.best.moves, terminal.width(), "  ", setting.notation, solution.board.position.rows());
}

SolutionTable::SolutionTable(const SolveSetting& setting, const std::vector<game::NamedBoard>& boards,
                             const Terminal& terminal)
    : setting_(setting),
      counters_(setting.run->counters()),
      terminal_(terminal),
      boards_(boards.size()),
      name_width_(5) {
  for (const game::NamedBoard& board : boards)
    name_width_ = std::clamp(board.name.size(), name_width_, kWidestName);
}

bool SolutionTable::has_starts() const {
  return !setting_.run->plan().starts.empty();
}

std::string SolutionTable::head() const {
  std::string line = fmt::format("{:{}} {:>7} {:>6}", "board", name_width_, "score", "moves");
  if (has_starts()) line += fmt::format(" {:>{}}", "start", kStartWidth);
  if (counters_.evaluations) line += fmt::format(" {:>{}}", "evaluations", kEvaluationsWidth);
  if (counters_.playouts) line += fmt::format(" {:>{}}", "playouts", kCountWidth);
  if (counters_.nodes) line += fmt::format(" {:>{}}", "nodes", kCountWidth);
  line += fmt::format(" {:>12} {:>12}", "time", "found after");
  return terminal_.bold(counted(boards_, "board")) + '\n' + setting_text(setting_, std::string(setting_.run->title())) +
         '\n' + terminal_.bold(line) + '\n';
}

std::string SolutionTable::row(const BoardSolution& solution) const {
  const host::SolveResult& result = solution.result;
  const host::SearchStatus work = result.last.total();
  const auto short_count = [](std::uint64_t count) { return magnitude(static_cast<double>(count)); };
  std::string line = fmt::format("{:{}} {:>7} {:>6}", shortened(solution.board.name, name_width_), name_width_,
                                 result.best.score, result.best.moves.size());
  if (has_starts()) {
    const host::StartLine* start = setting_.run->plan().best_start(solution.board.name);
    line += fmt::format(" {:>{}}", start == nullptr ? "-" : std::to_string(start->score), kStartWidth);
  }
  if (counters_.evaluations) line += fmt::format(" {:>{}}", short_count(work.evaluations), kEvaluationsWidth);
  if (counters_.playouts) line += fmt::format(" {:>{}}", short_count(work.playouts), kCountWidth);
  if (counters_.nodes) line += fmt::format(" {:>{}}", short_count(work.nodes_visited), kCountWidth);
  line += fmt::format(" {:>12} {:>12}", duration_text(result.last.seconds), duration_text(solution.found_seconds));
  if (result.proven) line += " proven";
  if (!result.complete) line += " stopped";
  return line + '\n';
}

std::string SolutionTable::sum(const std::vector<BoardSolution>& solutions) const {
  long score = 0;
  double seconds = 0;
  std::size_t moves = 0;
  for (const BoardSolution& solution : solutions) {
    score += solution.result.best.score;
    moves += solution.result.best.moves.size();
    seconds += solution.result.last.seconds;
  }
  const int work_width = (has_starts() ? kStartWidth + 1 : 0) + (counters_.evaluations ? kEvaluationsWidth + 1 : 0) +
                         (counters_.playouts ? kCountWidth + 1 : 0) + (counters_.nodes ? kCountWidth + 1 : 0);
  std::string out = terminal_.bold(fmt::format("{:{}} {:>7} {:>6}{:{}} {:>12}", "sum", name_width_, score, moves, "",
                                               work_width, duration_text(seconds))) +
                    '\n';
  if (solutions.size() < boards_)
    out += fmt::format("{} of {} boards; the others were not searched\n", solutions.size(), boards_);
  return out + "all replayed by the reference rules\n";
}

namespace {

Json board_json(const BoardSolution& solution, const host::RunPlan& plan) {
  const host::SolveResult& result = solution.result;
  const host::SearchStatus work = result.last.total();
  Json out = {{"name", solution.board.name},
              {"score", result.best.score},
              {"moves", moves_json(result.best.moves)},
              {"source", result.best.source},
              {"playouts", work.playouts},
              {"evaluations", work.evaluations},
              {"nodes", work.nodes_visited},
              {"resource_units", work.resource_units},
              {"seconds", result.last.seconds},
              {"found_seconds", solution.found_seconds},
              {"complete", result.complete},
              {"proven", result.proven}};
  for (const host::Figure& figure : work.figures)
    if (const std::string name(figure.name); !out.contains(name)) out[name] = host::figure_json(figure);
  if (const host::StartLine* start = plan.best_start(solution.board.name)) out["start"] = start->score;
  if (result.proven) out["proof_nodes"] = proof_nodes(result);
  if (work.played_score) out["played_score"] = *work.played_score;
  if (!result.error.empty()) out["error"] = result.error;
  return out;
}

}  // namespace

Json solutions_json(const std::vector<BoardSolution>& solutions, const SolveSetting& setting) {
  const host::RunPlan& plan = setting.run->plan();
  Json answer = {{"version", kJsonVersion},        {"preset", plan.preset}, {"engine", setting.run->engine_names()},
                 {"scoring", plan.scoring.name()}, {"seed", plan.seed},     {"budget", host::budget_json(plan.budget)},
                 {"boards", Json::array()}};
  long sum = 0;
  for (const BoardSolution& solution : solutions) {
    answer["boards"].push_back(board_json(solution, plan));
    sum += solution.result.best.score;
  }
  answer["sum"] = sum;
  return answer;
}

Json machine_json() {
  return {{"program", CHAINSHOT_VERSION},
          {"commit", program_commit()},
          {"host", host_name()},
          {"processor", processor_name()},
          {"logical_processors", logical_processors()},
          {"usable_processors", machine::usable_processors()}};
}

}  // namespace chainshot::tools
