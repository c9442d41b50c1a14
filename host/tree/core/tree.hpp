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
#include "host/tree/core/tree_state.hpp"
#include "host/tree/core/walk.hpp"
#include "host/tree/core/walk_group.hpp"
#include "host/tree/memory/node_pool.hpp"
#include "host/tree/selection/selection.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

struct TreeCounts {
  std::uint64_t nodes = 0;          // in memory
  std::uint64_t nodes_visited = 0;  // made since the start
  std::uint64_t expanded = 0;       // nodes with a block of moves, in memory
  std::uint64_t walks = 0;
  std::uint64_t steps = 0;           // edges of all walks: steps / walks is the mean depth of a leaf
  std::uint64_t resource_units = 0;  // Klein 2015, 5.2
  std::uint64_t bytes = 0;
  int deepest = 0;

  TreeCounts& operator+=(const TreeCounts& other);
  // The counts of a tree that is gone.
  TreeCounts without_memory() const;
};

struct RootMove {
  game::Cell cell;
  std::uint64_t visits = 0;
  double average = 0;
  int best = 0;  // score of the whole game
};

class Tree {
 public:
  // `points` were earned before `root`. The pool outlives the tree. Throws std::invalid_argument if the settings name
  // an unknown rule, and std::runtime_error if the pool has no chunk for the root.
  Tree(NodePool& pool, const game::Position& root, int points, const TreeSettings& settings,
       const game::Scoring& scoring, std::uint64_t seed);
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  // Selection and expansion. The caller gives a leaf back by `complete` or `abandon`; other walks may descend
  // meanwhile.
  Descent descend(Walk& walk);
  // Several walks at once, which is faster. Walks that find nothing to visit are the last ones.
  void descend(std::span<Walk> walks, std::span<Descent> descents);
  // The result of playouts from walk.position that started with walk.points.
  void complete(const Walk& walk, const game::Result& result);
  // Several results at once, which is faster if walks that went down together follow one another.
  void complete(std::span<const Walk* const> walks, std::span<const game::Result> results);
  void abandon(const Walk& walk);

  // The moves from the root to the walk's leaf; for a finished walk the whole game.
  void moves_of(const Walk& walk, std::vector<game::Cell>& moves) const;
  // Another search has found this score: the tree may prune what cannot beat it.
  void raise_known_best(int score) { state_.known_best = std::max(state_.known_best, score); }
  // The share of the search's budget that is left, from 1 to 0: it decides when late urgency begins (Klein
  // 2015, 6.9.2).
  void set_budget_left(double share) { state_.budget_left = share; }
  // Adds a whole game from the root as a path, and counts it as a playout.
  void add_line(std::span<const game::Cell> moves);

  const game::Position& root_position() const { return state_.nodes.root_position(); }
  int root_points() const { return state_.root_points; }
  // Playouts that count at the root. With Consistent duplicates those of solved positions do not.
  std::uint64_t visits() const { return state_.nodes.root().visits; }
  int in_flight() const { return static_cast<int>(state_.nodes.root().virtual_visits); }
  double average() const;
  // The root's, as if a move had earned the points before it; walks in flight count as visits.
  MoveStatistics root_statistics() const;
  int best() const { return state_.best(); }  // far below any score while nothing was played
  int upper() const { return state_.upper(); }
  // No line from the root beats the best score known.
  bool is_proven() const { return state_.is_proven(); }
  std::vector<RootMove> root_moves() const;
  // The position after the move becomes the root; the tree frees all that does not lie below it. No walk may be in
  // flight.
  void advance_root(game::Cell move);
  int advanced() const { return state_.moves_made; }  // by how many moves; depths count from the first root
  TreeCounts counts() const;
  // How many chunks of the pool the tree may take from now on, together with others of the same allowance.
  void set_allowance(std::size_t* chunks) { state_.nodes.set_allowance(chunks); }

  // Gives tests and measurements a look inside.
  const TreeState& state() const { return state_; }

 private:
  TreeState state_;
  BackUp back_up_;
  WalkGroup walk_group_;
};

}  // namespace chainshot::host
