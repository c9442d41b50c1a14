// One tree of positions: Monte-Carlo tree search for one player. Several walks may be in flight in a tree, and virtual
// visits keep them apart, but only one thread at a time uses it. Parallel searches use several trees or many walks.
//
// This class is the face of the tree; tree_state.hpp lists the parts it is made of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "game/engine.hpp"
#include "game/position.hpp"
#include "game/scoring.hpp"
#include "host/tree/core/back_up.hpp"
#include "host/tree/core/beam_pruning.hpp"
#include "host/tree/core/global_exploration.hpp"
#include "host/tree/core/search_tree.hpp"
#include "host/tree/core/tree_state.hpp"
#include "host/tree/core/walk.hpp"
#include "host/tree/core/walk_group.hpp"
#include "host/tree/memory/node_pool.hpp"
#include "host/tree/selection/selection.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

class Tree final : public SearchTree {
 public:
  // `points` were earned before `root`. The pool outlives the tree. Throws std::invalid_argument if the settings name
  // an unknown rule, and std::runtime_error if the pool has no chunk for the root.
  Tree(NodePool& pool, const game::Position& root, int points, const TreeSettings& settings,
       const game::Scoring& scoring, std::uint64_t seed);
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  using SearchTree::complete;
  using SearchTree::descend;
  void descend(std::span<Walk> walks, std::span<Descent> descents) override;
  void complete(std::span<const Walk* const> walks, std::span<const game::Result> results) override;
  void abandon(const Walk& walk) override;
  // The result of a search of the walk's position, which also found that no line from there earns more than `upper`
  // points, counted from that position.
  void complete(const Walk& walk, const game::Result& result, int upper);

  void moves_of(const Walk& walk, std::vector<game::Cell>& moves) const override;
  void raise_known_best(int score) override { state_.known_best = std::max(state_.known_best, score); }
  void set_budget_left(double share, double per_walk = 0) override { begin_exploration(state_, share, per_walk); }
  void add_line(std::span<const game::Cell> moves) override;

  const game::Position& root_position() const override { return state_.nodes.root_position(); }
  int root_points() const override { return state_.root_points; }
  std::uint64_t visits() const override { return state_.nodes.root().visits; }
  int in_flight() const override { return static_cast<int>(state_.nodes.root().virtual_visits); }
  double average() const override;
  MoveStatistics root_statistics() const override;
  int best() const override { return state_.best(); }
  int upper() const override { return state_.upper(); }
  bool is_proven() const override { return state_.is_proven(); }
  std::vector<RootMove> root_moves() const override;
  void advance_root(game::Cell move) override;
  int advanced() const override { return state_.moves_made; }
  TreeCounts counts() const override;
  void set_allowance(std::size_t* chunks) override { state_.nodes.set_allowance(chunks); }
  void set_simulation_limit(std::uint64_t walks) override { state_.beam.limit = walks; }
  std::uint64_t simulation_limit() const override { return state_.beam.limit; }
  std::uint64_t walks_before_pruning() const override;
  bool is_pruning_due() const override { return host::is_pruning_due(state_); }
  void prune() override;

  // Gives tests and measurements a look inside.
  const TreeState& state() const { return state_; }

 private:
  TreeState state_;
  BackUp back_up_;
  WalkGroup walk_group_;
};

}  // namespace chainshot::host
