// NMCS once more, slow and obvious: the recursion of Cazenave 2009 on the reference board, one playout after the other.
// Playouts have the keys that host/nested/call.hpp gives them.
#pragma once

#include <algorithm>
#include <vector>

#include "game/playout.hpp"
#include "game/reference.hpp"
#include "host/nested/call.hpp"
#include "host/nested/settings.hpp"
#include "host/search/search.hpp"

namespace chainshot::tests {

class ReferenceNmcs {
 public:
  ReferenceNmcs(const host::SearchTask& task, const host::NmcsSettings& settings)
      : task_(task), settings_(settings), policy_(settings.policy.for_game_from(task.board)) {
    tabu_color_ = policy_.tabu_color >= 0 ? policy_.tabu_color : task.board.most_frequent_color();
  }

  host::ScoredLine run(std::uint64_t root) {
    return call(game::ReferenceBoard(task_.board), 0, settings_.levels, host::nested::root_key(root));
  }

  int playouts = 0;
  int best_playout = host::nested::kNoScore;

 private:
  // The leftmost cell of the lowest row of every group that a step tries, the lowest first, then from the left.
  std::vector<game::Cell> moves_of(const game::ReferenceBoard& board) const {
    std::vector<game::Cell> all, others;
    int blocks = 0;
    for (const int n : board.color_counts())
      blocks += n;
    const auto is_before = [](game::Cell a, game::Cell b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    };
    for (const std::vector<game::Cell>& group : board.groups()) {
      const game::Cell cell = *std::min_element(group.begin(), group.end(), is_before);
      all.push_back(cell);
      if (board.color_at(cell.column, cell.row) != tabu_color_) others.push_back(cell);
    }
    const bool has_tabu = settings_.keep_tabu && policy_.kind == game::PolicyKind::kTabuColorRandom;
    const bool keeps = has_tabu && blocks > policy_.random_below && !others.empty();
    std::vector<game::Cell>& moves = keeps ? others : all;
    std::sort(moves.begin(), moves.end(), is_before);
    return moves;
  }

  // The best of P playouts.
  host::ScoredLine playout(const game::Position& position, int points, std::uint64_t request, std::size_t move) {
    host::ScoredLine best;
    const game::PlayoutRules rules(policy_, task_.scoring, position);
    for (int i = 0; i < settings_.leaf_playouts; ++i) {
      const auto number = static_cast<std::uint32_t>(move) * static_cast<std::uint32_t>(settings_.leaf_playouts) +
                          static_cast<std::uint32_t>(i);
      host::ScoredLine line;
      line.score = game::play(position, rules, {task_.seed, request, number}, points, &line.moves).score;
      ++playouts;
      if (i == 0 || line.score > best.score) best = line;
    }
    best_playout = std::max(best_playout, best.score);
    return best;
  }

  host::ScoredLine call(game::ReferenceBoard board, int points, int level, std::uint64_t key) {
    host::ScoredLine best;
    std::vector<game::Cell> played;
    for (std::vector<game::Cell> moves = moves_of(board); !moves.empty(); moves = moves_of(board)) {
      host::ScoredLine step;
      const std::size_t number = played.size();
      for (std::size_t i = 0; i < moves.size(); ++i) {
        game::ReferenceBoard after = board;
        const int earned = points + task_.scoring.group_points(after.apply(moves[i]));
        const bool is_leaf = level == 1 || after.groups().empty();
        const host::ScoredLine below =
            is_leaf ? playout(after.to_position(), earned, host::nested::step_key(key, number), i)
                    : call(after, earned, level - 1, host::nested::call_key(key, number, i));
        if (i > 0 && below.score <= step.score) continue;
        step.score = below.score;
        step.moves = played;
        step.moves.push_back(moves[i]);
        step.moves.insert(step.moves.end(), below.moves.begin(), below.moves.end());
      }
      if (!settings_.keep_best || number == 0 || step.score > best.score) best = step;
      points += task_.scoring.group_points(board.apply(best.moves[number]));
      played.push_back(best.moves[number]);
    }
    return {points + task_.scoring.final_points(board.color_counts()), played};
  }

  const host::SearchTask task_;
  const host::NmcsSettings settings_;
  const game::Policy policy_;
  int tabu_color_ = -1;
};

}  // namespace chainshot::tests
