#include "host/tree/round_loop.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace chainshot::host {
namespace {

constexpr std::uint64_t kFirstRound = 64;         // walks
constexpr std::uint64_t kLongestRound = 1 << 22;  // walks
constexpr std::uint64_t kRoundsPerPhase = 16;     // at least, because a set is rebalanced only between rounds
constexpr std::uint64_t kLastWalks = 16;          // a round where only experience tells what walks cost

// Depths that a beam prunes before its end. A random game of 225 blocks has 64 moves (Klein 2015, 2.5.1); the last
// depths need fewer walks than the others.
constexpr double kDepthsPerBlock = 64.0 / 225;

}  // namespace

void RoundLoop::spend_until(double share, const PlayedGame& game) {
  const std::uint64_t phase_start = beams_start_ = context_.budget.used().walks;
  if (context_.settings.beam.width > 0) ++beams_;
  while (!context_.is_halted()) {
    prepare_round(game);
    if (trees_.are_proven()) break;
    if (context_.settings.beam.width > 0) aim_beams(share);
    const std::uint64_t walks = round_size(phase_start, share);
    if (walks == 0) break;
    const std::uint32_t playouts = context_.leaf_playouts.now();
    const RoundReport report = run_round({walks, playouts, context_.budget.playouts_until(share, playouts)});
    count_used(report.walks);
    if (report.walks == 0 && !trees_.are_proven() && !search_what_was_left_out(share, game)) break;
    context_.leaf_playouts.learn(report);
  }
}

void RoundLoop::prepare_round(const PlayedGame& game) {
  const TreeSettings& settings = context_.settings;
  // Lines of other searches come at any time; a deterministic search knows only the start, which was there before it.
  if (!settings.deterministic || !context_.task.starts.empty()) add_foreign_line();
  const int best = lines_.best_score();
  // Bounds then hold for a game with another bonus, and prove nothing.
  const bool is_other_game = context_.bonus_left_out() != 0;
  const double spent = context_.spent_share();
  const double left = std::max(0.0, 1 - spent);
  const auto all = trees_.rooted_trees();
  const std::uint64_t walks = context_.budget.used().walks - context_.walks_before;
  const double per_walk = walks == 0 ? 0 : spent * static_cast<double>(all.size()) / static_cast<double>(walks);
  for (RootedTree* rooted : all) {
    if (best != kNoScore && !is_other_game) rooted->tree->raise_known_best(best);
    rooted->tree->set_budget_left(left, per_walk);
  }
  if (settings.mode == ParallelMode::kSet) trees_.rebalance();
  if (settings.deterministic) divide_memory(trees_.pool(), trees_.groups());
  lines_.begin_round(trees_.groups().size());
  if (trees_.are_proven() && game.moves.empty() && !is_other_game) is_proven_ = true;
}

// Sets the simulation limit of the beams: as asked for, or so that the walks they have in all bring each of them to the
// end of the game.
void RoundLoop::aim_beams(double share) {
  const BudgetTracker& budget = context_.budget;
  const std::vector<RootedTree*> all = trees_.rooted_trees();
  auto limit = static_cast<std::uint64_t>(context_.settings.beam.simulation_limit);
  if (limit == 0) {
    const std::uint64_t walks =
        budget.used().walks - beams_start_ + budget.walks_until(share, context_.leaf_playouts.now());
    const double depths = std::max(1.0, kDepthsPerBlock * context_.task.board.blocks());
    limit = static_cast<std::uint64_t>(static_cast<double>(walks) / depths) / std::max<std::size_t>(1, all.size());
  }
  for (RootedTree* rooted : all)
    rooted->tree->set_simulation_limit(std::max<std::uint64_t>(1, limit));
}

// A round is about as long as all before it, so that a leaf batch is a small part of what the trees know, and no longer
// than a part of its phase.
std::uint64_t RoundLoop::round_size(std::uint64_t phase_start, double share) const {
  const BudgetTracker& budget = context_.budget;
  const std::uint32_t playouts = context_.leaf_playouts.now();
  std::uint64_t visited = 0;
  double requested = 1;  // playouts per playout wanted
  for (const auto& group : trees_.groups()) {
    visited += group->counts().walks;
    requested = std::max(requested, group->playouts_requested(playouts));
  }
  std::uint64_t left = budget.walks_until(share, requested * playouts);
  if (left == 0) left = budget.walks_until(share, playouts);
  if (budget.is_rough() && left > kLastWalks) left = (left + 1) / 2;
  const std::uint64_t phase = budget.used().walks - phase_start + left;
  return std::min(
      {left, std::max(kFirstRound, visited), std::max(kFirstRound, phase / kRoundsPerPhase), kLongestRound});
}

// Lines that wait for the end of the round are kept even if it fails.
RoundReport RoundLoop::run_round(const RoundPlan& plan) {
  try {
    const RoundReport report = scheduler_.run(trees_.groups(), plan, [this] { return context_.is_halted(); });
    lines_.end_round();
    return report;
  } catch (...) {
    lines_.end_round();
    throw;
  }
}

void RoundLoop::count_used(std::uint64_t walks) {
  for (const auto& group : trees_.groups())
    group->publish();
  const TreeGroup::Figures now = trees_.figures();
  context_.budget.set_used({.walks = context_.budget.used().walks + walks,
                            .playouts = now.playouts,
                            .nodes = now.trees.nodes_visited,
                            .resource_units = now.trees.resource_units});
}

// Trees that have no walk left and are not proven have left moves out. New trees search those too, for the rest of the
// share. Returns false if there is nothing of that kind to search.
bool RoundLoop::search_what_was_left_out(double share, const PlayedGame& game) {
  TreeSettings& settings = context_.settings;
  if (settings.beam.width > 0) return begin_further_beams(share, game);
  const bool leaves_moves_out = settings.vs_pruning || settings.duplicates == Duplicates::kNaive;
  if (context_.is_halted() || context_.makes_moves() || !leaves_moves_out) return false;
  if (settings.duplicates != Duplicates::kGraph) settings.duplicates = Duplicates::kDynamic;
  settings.vs_pruning = false;
  trees_.make(game, share - context_.budget.share());
  return true;
}

// Beams that have come to their ends leave the rest of the share to new ones, with other random numbers. Returns false
// if the last ones found nothing to visit.
bool RoundLoop::begin_further_beams(double share, const PlayedGame& game) {
  const std::uint64_t walks = context_.budget.used().walks;
  if (context_.is_halted() || walks == beams_start_) return false;
  beams_start_ = walks;
  ++beams_;
  trees_.make(game, share - context_.budget.share());
  return true;
}

// The line of another search becomes a path of every tree whose root it leads through.
void RoundLoop::add_foreign_line() {
  const std::optional<BestLine> best = lines_.next_foreign_line();
  if (!best) return;
  const auto all = trees_.rooted_trees();
  game::Position position = context_.task.board;
  int points = 0;
  for (std::size_t i = 0; i < best->moves.size(); ++i) {
    const std::span rest = std::span(best->moves).subspan(i);
    for (RootedTree* rooted : all) {
      if (rooted->tree->root_position() != position) continue;
      // The tree's own way to this position may earn more than the way of the foreign line.
      std::vector<game::Cell> moves = rooted->way;
      moves.insert(moves.end(), rest.begin(), rest.end());
      lines_.keep({best->score + rooted->tree->root_points() - points, std::move(moves)});
      rooted->tree->add_line(rest);
    }
    points += context_.task.scoring.group_points(position.apply(best->moves[i]));
  }
}

}  // namespace chainshot::host
