#include "host/reproduce/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "game/board_text.hpp"
#include "game/generate.hpp"
#include "host/analysis/complexity.hpp"
#include "host/analysis/solvable_share.hpp"
#include "host/dispatch/run_requests.hpp"
#include "host/engines/engines.hpp"
#include "host/run/run_engines.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kCountedBoards = std::uint64_t{1} << 20;  // all boards of a size are tried up to so many
constexpr std::uint64_t kSampledBoards = 500;                     // per sample where there are more
constexpr std::uint64_t kClearingNodes = 1'000'000;               // the limit of the search of one board
constexpr std::uint64_t kChessBoards = 4096;

game::Position random_board(std::size_t index) {
  return game::generate_board({.inverted = {}}, kRandomBoardSeed, index);
}

RunPlan plan_of(const SearchExperiment& experiment, double budget_share, std::size_t index) {
  const FoundPreset found = find_preset(experiment.preset);
  if (found.kind == nullptr) throw std::invalid_argument("there is no preset " + experiment.preset);
  RunPlan plan;
  plan.preset = experiment.preset;
  plan.kind = found.kind;
  plan.settings = found.preset->settings;
  for (const auto& [name, value] : experiment.settings) {
    const Setting* const row = setting_named(found.kind->settings(), name);
    if (row == nullptr) throw std::invalid_argument(fmt::format("{} has no setting {}", experiment.preset, name));
    row->set(plan.settings, value);
  }
  plan.budget = share_of(experiment.budget, budget_share);
  plan.engines = {"cpu"};
  plan.choice.threads = 1;
  plan.seed = experiment.on_standard_set ? 1 + index / kStandardBoards : 1;
  return plan;
}

std::optional<double> sample(const SearchExperiment& experiment, double budget_share, std::size_t index,
                             const std::stop_token& stop) {
  const RunPlan plan = plan_of(experiment, budget_share, index);
  const RunResources engines(plan, {});
  const game::Position board =
      experiment.on_standard_set ? game::standard_boards()[index % kStandardBoards].position : random_board(index);
  const SearchTask task{.board = board, .scoring = plan.scoring, .seed = plan.seed};
  const auto make = [&](const SearchTask& of_board, Incumbent& incumbent) {
    return plan.kind->make(of_board, plan.settings, engines.resources(), incumbent);
  };
  const SolveResult result = solve(task, make, plan.budget.seconds, {}, stop);
  if (!result.error.empty()) throw std::runtime_error(fmt::format("{}: {}", experiment.preset, result.error));
  if (!result.complete) return std::nullopt;
  if (!experiment.takes_played_game) return result.best.score;
  const std::optional<int> played = result.last.total().played_score;
  if (!played) throw std::runtime_error(experiment.preset + " plays no game move by move");
  return *played;
}

std::optional<double> sample(const PlayoutExperiment& experiment, double budget_share, std::size_t index,
                             const std::stop_token& stop) {
  const std::optional<game::Policy> policy = game::policy_named(experiment.policy);
  if (!policy) throw std::invalid_argument("there is no policy " + experiment.policy);
  const std::unique_ptr<game::Engine> engine = make_engine({.name = "cpu", .threads = 1});
  EngineQueues queues(std::vector<game::Engine*>{engine.get()});
  const game::Position& board = game::standard_boards()[index % kStandardBoards].position;
  game::Batch batch{.seed = 1 + index / kStandardBoards};
  batch.requests.push_back(
      {.position = board,
       .points = 0,
       .policy = policy->for_game_from(board),
       .playouts = static_cast<std::uint32_t>(share_of({.playouts = experiment.playouts}, budget_share).playouts)});
  const auto results = run_requests(queues, batch, stop);
  if (!results) return std::nullopt;
  return results->front().best;
}

std::optional<double> sample(const FigureExperiment& experiment, double budget_share, std::size_t index,
                             const std::stop_token& stop) {
  const game::Position board = random_board(index);
  if (experiment.figure == BoardFigure::kStateSpace) return log10_of_states(board);
  const auto games = std::max<std::uint64_t>(1, share_of({.playouts = experiment.games}, budget_share).playouts);
  const bool is_pruned = experiment.figure == BoardFigure::kPrunedTreeComplexity;
  const GameSums sums = is_pruned ? play_pruned_games(board, games, kRandomBoardSeed, index, stop).until_all_pruned
                                  : play_random_games(board, games, kRandomBoardSeed, index, stop);
  if (sums.games < games) return std::nullopt;
  switch (experiment.figure) {
    case BoardFigure::kGameLength:
      return sums.length();
    // Schadd's figure counts positions that have a move.
    case BoardFigure::kBranching:
      return static_cast<double>(sums.branches) / static_cast<double>(sums.moves);
    default:
      return sums.log10_of_tree();
  }
}

std::optional<double> sample(const SolvableExperiment& experiment, double, std::size_t index,
                             const std::stop_token& stop) {
  const ShareResult result = solvable_share({.columns = experiment.columns,
                                             .rows = experiment.rows,
                                             .colors = 2,
                                             .count_up_to = kCountedBoards,
                                             .samples = kSampledBoards,
                                             .nodes = kClearingNodes,
                                             .seed = kRandomBoardSeed + index,
                                             .stop = stop});
  if (!result.complete) return std::nullopt;
  return 100 * result.share();
}

std::optional<double> sample(const ChessExperiment& experiment, double, std::size_t, const std::stop_token& stop) {
  const ChessResult result = check_claim({.claim = experiment.claim,
                                          .columns = experiment.size,
                                          .rows = experiment.size,
                                          .most_boards = kChessBoards,
                                          .nodes = kClearingNodes,
                                          .stop = stop});
  if (!result.complete) return std::nullopt;
  return 100 * static_cast<double>(result.as_claimed) / static_cast<double>(std::max<std::uint64_t>(result.boards, 1));
}

std::optional<double> sample(const NotMeasured&, double, std::size_t, const std::stop_token&) {
  throw std::logic_error("a row that is only listed is not measured");
}

}  // namespace

Budget share_of(const Budget& budget, double share) {
  const auto part = [&](std::uint64_t limit) {
    return limit == 0 ? 0 : std::max<std::uint64_t>(1, std::llround(static_cast<double>(limit) * share));
  };
  return {.seconds = budget.seconds * share,
          .playouts = part(budget.playouts),
          .nodes = part(budget.nodes),
          .resource_units = part(budget.resource_units)};
}

std::optional<double> measure_sample(const Experiment& experiment, double budget_share, std::size_t index,
                                     const std::stop_token& stop) {
  return std::visit([&](const auto& e) { return sample(e, budget_share, index, stop); }, experiment);
}

}  // namespace chainshot::host
