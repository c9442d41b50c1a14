#include "host/tree/game_search.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "game/playout.hpp"
#include "host/tree/moves/move_choice.hpp"
#include "host/tree/moves/move_shares.hpp"

namespace chainshot::host {
namespace {

constexpr double kLeastUnits = 2048;  // resource units of a move (Klein 2015, 6.8)

// Keys of the playouts that end games, as if they came from the last of all tree groups (search_trees.cpp).
constexpr std::uint64_t kFirstEndKey = ~std::uint64_t{0} << 44;

}  // namespace

void GameSearch::search(double begin, double share) {
  game_ = {.position = context_.task.board};
  lines_.game_line().forget();
  bool has_trees = false;
  double spent_before = 0;
  for (const double spent :
       spent_after_moves(context_.settings.allocation, context_.budget.share_of_units(kLeastUnits) / share)) {
    if (!has_trees) trees_.make(game_, share * (spent - std::exchange(spent_before, spent)));
    rounds_.spend_until(begin + share * spent, game_);
    if (context_.is_halted() || rounds_.is_proven() || !context_.makes_moves()) break;
    const bool has_moved = make_move();
    if (!game_.position.has_moves()) break;
    has_trees = !has_moved || context_.settings.keeps_tree_below_move();
  }
}

// Returns false if no move was visited yet.
bool GameSearch::make_move() {
  const TreeSettings& settings = context_.settings;
  trees_.settle();
  const std::vector<RootedTree*> all = trees_.rooted_trees();
  std::vector<const RootedTree*> voters(all.begin(), all.end());
  if (settings.mode == ParallelMode::kRoot && !settings.merges_trees) {
    voters = {*std::max_element(voters.begin(), voters.end(), [](const RootedTree* a, const RootedTree* b) {
      return a->tree->best() < b->tree->best();
    })};
  }
  const std::optional<KnownLine> line = lines_.game_line().after(game_.moves.size());
  const std::optional<game::Cell> move =
      choose_move(voters, game_.moves.size(), game_.position, context_.task.scoring, settings.move_choice, line);
  if (!move) return false;
  const game::CellSet group = game_.position.component(*move);
  if (!line || (group[line->move.row] >> line->move.column & 1U) == 0) lines_.game_line().forget();
  game_.points += context_.task.scoring.group_points(game_.position.apply(*move));
  game_.moves.push_back(*move);
  if (game_.position.has_moves() && settings.keeps_tree_below_move()) trees_.advance_roots(*move);
  return true;
}

int GameSearch::finish() {
  if (!lines_.game_line().is_known()) {
    std::vector<game::Cell> rest;
    const game::PlayoutRules rules(context_.settings.policy, context_.task.scoring, game_.position);
    const game::PlayoutKey key{context_.task.seed, kFirstEndKey + finished_by_playout_++, 0};
    const int score = game::play(game_.position, rules, key, game_.points, &rest).score;
    ScoredLine line{score, game_.moves};
    line.moves.insert(line.moves.end(), rest.begin(), rest.end());
    lines_.keep(std::move(line));
  }
  return lines_.game_line().score();
}

}  // namespace chainshot::host
