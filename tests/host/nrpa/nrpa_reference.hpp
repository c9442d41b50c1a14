// NRPA once more, slow and obvious: a map from groups to logits, the reference board, legal moves listed anew at every
// step. Its arithmetic is that of nrpa_weights.hpp, which a test of its own compares with exp.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "game/random.hpp"
#include "game/reference.hpp"
#include "host/nrpa/nrpa_weights.hpp"
#include "host/nrpa/player.hpp"

namespace chainshot::tests {

// A group by its colour and its cells (column, row), in order.
struct NamedGroup {
  int color = 0;
  std::set<std::pair<int, int>> cells;

  auto operator<=>(const NamedGroup&) const = default;
  std::pair<int, int> first() const { return *cells.begin(); }
};

struct ReferenceRollout {
  int score = 0;
  std::vector<NamedGroup> moves;
  std::vector<std::vector<NamedGroup>> legal;  // at every step
};

class ReferenceNrpa {
 public:
  using Logit = host::nrpa::Logit;
  using Weight = host::nrpa::Weight;
  using Policy = std::map<NamedGroup, Logit>;

  ReferenceNrpa(const game::Position& board, const host::nrpa::PlayerRules& rules) : board_(board), rules_(rules) {}

  Logit logit(const Policy& policy, const NamedGroup& group) const {
    const auto found = policy.find(group);
    if (found != policy.end()) return found->second;
    return rules_.first_logit(group.color, static_cast<int>(group.cells.size()));
  }

  // In the order of their first cells, by column and row.
  std::vector<NamedGroup> legal_moves(const game::ReferenceBoard& board) const {
    std::vector<NamedGroup> all, kept;
    for (const std::vector<game::Cell>& cells : board.groups()) {
      NamedGroup group{board.color_at(cells[0].column, cells[0].row), {}};
      for (const game::Cell cell : cells)
        group.cells.insert({cell.column, cell.row});
      if (group.color != rules_.tabu_color) kept.push_back(group);
      all.push_back(std::move(group));
    }
    std::vector<NamedGroup>& legal = kept.empty() ? all : kept;
    std::sort(legal.begin(), legal.end(),
              [](const NamedGroup& a, const NamedGroup& b) { return a.first() < b.first(); });
    return legal;
  }

  ReferenceRollout play(const Policy& policy, const game::PlayoutKey& key) const {
    ReferenceRollout rollout;
    game::ReferenceBoard board(board_);
    for (std::uint32_t step = 0;; ++step) {
      const std::vector<NamedGroup> legal = legal_moves(board);
      if (legal.empty()) break;
      Weight sum = 0;
      for (const NamedGroup& group : legal)
        sum += host::nrpa::weight_of(logit(policy, group));
      Weight left = host::nrpa::draw_below(sum, game::random_block(key, step / 4)[step % 4]);
      std::size_t chosen = 0;
      for (; left >= host::nrpa::weight_of(logit(policy, legal[chosen])); ++chosen)
        left -= host::nrpa::weight_of(logit(policy, legal[chosen]));
      rollout.moves.push_back(legal[chosen]);
      rollout.legal.push_back(legal);
      const auto [column, row] = legal[chosen].first();
      const int size = board.apply({static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(row)});
      rollout.score += rules_.scoring.group_points(size);
    }
    rollout.score += rules_.scoring.final_points(board.color_counts());
    return rollout;
  }

  void adapt(Policy& policy, const ReferenceRollout& rollout, Logit alpha) const {
    std::map<NamedGroup, std::uint64_t> shares;
    std::map<NamedGroup, int> played;
    for (std::size_t step = 0; step < rollout.moves.size(); ++step) {
      Weight sum = 0;
      for (const NamedGroup& group : rollout.legal[step])
        sum += host::nrpa::weight_of(logit(policy, group));
      for (const NamedGroup& group : rollout.legal[step])
        shares[group] += host::nrpa::share_of_step(sum);
      ++played[rollout.moves[step]];
    }
    Policy changed = policy;
    for (const auto& [group, share] : shares) {
      const Logit before = logit(policy, group);
      changed[group] = host::nrpa::adapted(before, host::nrpa::weight_of(before), share, played[group], alpha);
    }
    policy = std::move(changed);
  }

  // Algorithm 1 of Negrevergne and Cazenave 2017; playouts take the keys of `stream` in order.
  ReferenceRollout run(int level, Policy policy, int iterations, Logit alpha, game::PlayoutKey& key) const {
    if (level == 0) {
      ReferenceRollout rollout = play(policy, key);
      ++key.playout;
      return rollout;
    }
    ReferenceRollout best;
    for (int i = 0; i < iterations; ++i) {
      ReferenceRollout found = run(level - 1, policy, iterations, alpha, key);
      if (i == 0 || found.score >= best.score) best = std::move(found);
      adapt(policy, best, alpha);
    }
    return best;
  }

 private:
  const game::Position board_;
  const host::nrpa::PlayerRules rules_;
};

}  // namespace chainshot::tests
