#include "tools/reports/solve_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/commands.hpp"
#include "tools/measure/machine.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/reports/play_report.hpp"
#include "tools/reports/solve_progress.hpp"

namespace chainshot::tools {
namespace {

std::string budget_text(const host::SearchPlan& plan) {
  const host::Budget& b = plan.budget;
  std::string text;
  const auto add = [&](const std::string& limit) { text += (text.empty() ? "" : " or ") + limit; };
  if (b.seconds > 0) add(duration_text(b.seconds));
  if (b.playouts > 0)
    add(magnitude(static_cast<double>(b.playouts)) + (host::anneals(plan) ? " evaluations" : " playouts"));
  if (b.nodes > 0) add(magnitude(static_cast<double>(b.nodes)) + " nodes");
  if (b.resource_units > 0) add(magnitude(static_cast<double>(b.resource_units)) + " resource units");
  return text;
}

std::string planned_searches(const SolveSetting& s) {
  if (!s.searches_tree) return "annealing";
  return host::anneals(s.plan) ? "annealing and tree search" : "tree search";
}

std::string_view long_name(std::string_view search) {
  return search == "anneal" ? "annealing" : search == "proof" ? "search for a proof" : "tree search";
}

// Of a board: a small one may have been searched for a proof alone, and one without moves not at all.
std::string searches_of(const host::SolveResult& result, const SolveSetting& setting) {
  std::string out;
  for (const auto& [name, status] : result.last.searches)
    out += fmt::format("{}{}", out.empty() ? "" : " and ", long_name(name));
  return out.empty() ? planned_searches(setting) : out;
}

std::string setting_text(const SolveSetting& s, const std::string& searches) {
  std::string out = fmt::format("preset {} ({}), scoring {}, seed {}\n", s.preset, searches, s.scoring, s.seed);
  if (!s.engine.empty()) out += fmt::format("engine {}\n", s.engine);
  return out + fmt::format("budget {} a board{}\n", budget_text(s.plan),
                           s.default_budget ? ", the default; --time sets another" : "");
}

double rate(std::uint64_t count, double seconds) {
  return static_cast<double>(count) / std::max(seconds, 1e-9);
}

std::string about(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", magnitude(static_cast<double>(count)), noun, count == 1 ? "" : "s");
}

// `1.20 M playouts (600 k/s), 31.4 k nodes, depth 23`: what the search has, and no zeros.
std::string work_text(const host::SearchStatus& work, double seconds) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (work.playouts > 0)
    add(fmt::format("{} ({}/s)", about(work.playouts, "playout"), magnitude(rate(work.playouts, seconds))));
  if (work.evaluations > 0)
    add(fmt::format("{} ({}/s)", about(work.evaluations, "evaluation"), magnitude(rate(work.evaluations, seconds))));
  if (work.nodes_visited > 0) add(about(work.nodes_visited, "node"));
  if (work.depth > 0) add(fmt::format("depth {}", work.depth));
  return out;
}

std::uint64_t proof_nodes(const host::SolveResult& result) {
  std::uint64_t nodes = 0;
  for (const auto& [name, status] : result.last.searches)
    if (status.proven) nodes += status.nodes_visited;
  return nodes;
}

// A search that leaves moves out, or has played its game to the end, may have nothing left to do.
bool has_ended_early(const host::SolveResult& result, const host::Budget& budget) {
  constexpr double kNearlyAll = 0.9;
  return result.complete && !result.proven && share_spent(result.last, budget) < kNearlyAll;
}

std::string verdict_text(const host::SolveResult& result, const host::Budget& budget) {
  const std::uint64_t nodes = proof_nodes(result);
  if (result.proven) return nodes > 0 ? fmt::format("proven, by {}: ", counted(nodes, "node")) : "proven: ";
  if (has_ended_early(result, budget)) return "nothing was left to search, and nothing is proven; ";
  return result.complete ? "" : "stopped early; ";
}

}  // namespace

std::string solution_text(const BoardSolution& solution, const SolveSetting& setting, const Terminal& terminal) {
  const host::SolveResult& result = solution.result;
  std::string out = terminal.bold(fmt::format("{}: {} points in {}", solution.board.name, result.best.score,
                                              counted(result.best.moves.size(), "move"))) +
                    '\n' + setting_text(setting, searches_of(result, setting));
  if (const std::string work = work_text(result.last.total(), result.last.seconds); !work.empty())
    out += fmt::format("{} in {}\n", work, duration_text(result.last.seconds));
  out += verdict_text(result, setting.plan.budget);
  out += result.proven
             ? "no line scores more\n"
             : fmt::format("found after {} by {}\n", duration_text(solution.found_seconds), result.best.source);
  if (const auto played = result.last.total().played_score; played && *played != result.best.score)
    out += fmt::format("the game it played move by move scores {}\n", *played);
  out += "replayed by the reference rules\n";
  return out + moves_text(result.best.moves, terminal.width(), "  ");
}

SolutionTable::SolutionTable(const SolveSetting& setting, const std::vector<game::NamedBoard>& boards,
                             const Terminal& terminal)
    : setting_(setting), terminal_(terminal), boards_(boards.size()), name_width_(5) {
  for (const game::NamedBoard& board : boards)
    name_width_ = std::clamp(board.name.size(), name_width_, kWidestName);
}

std::string SolutionTable::head() const {
  std::string line = fmt::format("{:{}} {:>7} {:>6}", "board", name_width_, "score", "moves");
  if (host::anneals(setting_.plan)) line += fmt::format(" {:>11}", "evaluations");
  if (setting_.searches_tree) line += fmt::format(" {:>8} {:>8}", "playouts", "nodes");
  line += fmt::format(" {:>12} {:>12}", "time", "found after");
  return terminal_.bold(counted(boards_, "board")) + '\n' + setting_text(setting_, planned_searches(setting_)) + '\n' +
         terminal_.bold(line) + '\n';
}

std::string SolutionTable::row(const BoardSolution& solution) const {
  const host::SolveResult& result = solution.result;
  const host::SearchStatus work = result.last.total();
  const auto short_count = [](std::uint64_t count) { return magnitude(static_cast<double>(count)); };
  std::string line = fmt::format("{:{}} {:>7} {:>6}", shortened(solution.board.name, name_width_), name_width_,
                                 result.best.score, result.best.moves.size());
  if (host::anneals(setting_.plan)) line += fmt::format(" {:>11}", short_count(work.evaluations));
  if (setting_.searches_tree)
    line += fmt::format(" {:>8} {:>8}", short_count(work.playouts), short_count(work.nodes_visited));
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
  const int work_width = (host::anneals(setting_.plan) ? 12 : 0) + (setting_.searches_tree ? 18 : 0);
  std::string out = terminal_.bold(fmt::format("{:{}} {:>7} {:>6}{:{}} {:>12}", "sum", name_width_, score, moves, "",
                                               work_width, duration_text(seconds))) +
                    '\n';
  if (solutions.size() < boards_)
    out += fmt::format("{} of {} boards, the others were not searched\n", solutions.size(), boards_);
  return out + "all replayed by the reference rules\n";
}

namespace {

Json budget_json(const host::Budget& b) {
  Json budget = Json::object();
  if (b.seconds > 0) budget["seconds"] = b.seconds;
  if (b.playouts > 0) budget["playouts"] = b.playouts;
  if (b.nodes > 0) budget["nodes"] = b.nodes;
  if (b.resource_units > 0) budget["resource_units"] = b.resource_units;
  return budget;
}

Json board_json(const BoardSolution& solution) {
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
              {"depth", work.depth},
              {"mean_depth", work.mean_depth},
              {"seconds", result.last.seconds},
              {"found_seconds", solution.found_seconds},
              {"complete", result.complete},
              {"proven", result.proven}};
  if (result.proven) out["proof_nodes"] = proof_nodes(result);
  if (work.played_score) out["played_score"] = *work.played_score;
  if (!result.error.empty()) out["error"] = result.error;
  return out;
}

}  // namespace

Json solutions_json(const std::vector<BoardSolution>& solutions, const SolveSetting& setting) {
  Json answer = {{"version", kJsonVersion},    {"preset", setting.preset}, {"engine", setting.engine},
                 {"scoring", setting.scoring}, {"seed", setting.seed},     {"budget", budget_json(setting.plan.budget)},
                 {"boards", Json::array()}};
  long sum = 0;
  for (const BoardSolution& solution : solutions) {
    answer["boards"].push_back(board_json(solution));
    sum += solution.result.best.score;
  }
  answer["sum"] = sum;
  return answer;
}

Json run_json(const std::vector<game::NamedBoard>& boards, const SolveSetting& setting, int threads) {
  Json names = Json::array(), settings = Json::object();
  for (const game::NamedBoard& board : boards)
    names.push_back(board.name);
  for (const host::PresetPart& part : host::explain(setting.plan.method, setting.plan.tree, setting.plan.anneal))
    settings[part.part] = part.value;
  return {{"preset", setting.preset},      {"seed", setting.seed},
          {"scoring", setting.scoring},    {"budget", budget_json(setting.plan.budget)},
          {"boards", std::move(names)},    {"settings", std::move(settings)},
          {"engine", setting.engine},      {"threads", threads > 0 ? threads : logical_processors()},
          {"processor", processor_name()}, {"logical_processors", logical_processors()},
          {"program", CHAINSHOT_VERSION}};
}

}  // namespace chainshot::tools
