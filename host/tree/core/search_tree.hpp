// The common interface of a tree (core/tree.hpp) and a graph (graph/graph.hpp) for a search: walks go down, results
// come back up, and the root moves on with the game. Several walks may be in flight, but only one thread at a time uses
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "game/engine.hpp"
#include "game/position.hpp"
#include "host/tree/core/walk.hpp"
#include "host/tree/selection/selection.hpp"

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
  std::uint64_t searches = 0;  // of leaves, by trees of their own, that have ended
  int beam_depth = 0;          // the deepest depth that a beam has pruned

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

class SearchTree {
 public:
  SearchTree() = default;
  SearchTree(const SearchTree&) = delete;
  SearchTree& operator=(const SearchTree&) = delete;
  virtual ~SearchTree() = default;

  // Selection and expansion of several walks. The caller gives a leaf back by `complete` or `abandon`; other walks may
  // descend meanwhile. Walks that find nothing to visit are the last ones.
  virtual void descend(std::span<Walk> walks, std::span<Descent> descents) = 0;
  Descent descend(Walk& walk) {
    Descent descent{};
    descend({&walk, 1}, {&descent, 1});
    return descent;
  }
  // The results of playouts from each walk.position that started with walk.points. It is faster if walks that went down
  // together follow one another.
  virtual void complete(std::span<const Walk* const> walks, std::span<const game::Result> results) = 0;
  void complete(const Walk& walk, const game::Result& result) {
    const Walk* const only = &walk;
    complete({&only, 1}, {&result, 1});
  }
  virtual void abandon(const Walk& walk) = 0;

  // The moves from the root to the walk's leaf; for a finished walk the whole game.
  virtual void moves_of(const Walk& walk, std::vector<game::Cell>& moves) const = 0;
  // Another search has found this score: what cannot beat it may be pruned.
  virtual void raise_known_best(int score) = 0;
  // The share of the search's budget that is left, from 1 to 0: it decides when late urgency begins (Klein
  // 2015, 6.9.2) and how far exploration has cooled. A walk costs about `per_walk` of it.
  virtual void set_budget_left(double share, double per_walk) = 0;
  // Adds a whole game from the root as a path, and counts it as a playout.
  virtual void add_line(std::span<const game::Cell> moves) = 0;

  virtual const game::Position& root_position() const = 0;
  virtual int root_points() const = 0;
  // Playouts that count at the root. With Consistent duplicates those of solved positions do not.
  virtual std::uint64_t visits() const = 0;
  virtual int in_flight() const = 0;
  virtual double average() const = 0;
  // The root's, as if a move had earned the points before it; walks in flight count as visits.
  virtual MoveStatistics root_statistics() const = 0;
  virtual int best() const = 0;  // far below any score while nothing was played
  virtual int upper() const = 0;
  // No line from the root beats the best score known.
  virtual bool is_proven() const = 0;
  virtual std::vector<RootMove> root_moves() const = 0;
  // The position after the move becomes the root; all that does not lie below it is freed. No walk may be in flight.
  virtual void advance_root(game::Cell move) = 0;
  // A beam (beam_pruning.hpp), which only a tree has. Sets L; the settings have W.
  virtual void set_simulation_limit(std::uint64_t /*walks*/) {}
  virtual std::uint64_t simulation_limit() const { return 0; }
  // How many walks may begin before the beam must prune, if all in flight pass through the depth to be pruned. 0: none
  // may until results have come, or `prune` was called.
  virtual std::uint64_t walks_before_pruning() const { return std::numeric_limits<std::uint64_t>::max(); }
  // Whether L walks have passed. Then `prune`, as soon as no walk is in flight, discards what is not in the beam.
  virtual bool is_pruning_due() const { return false; }
  virtual void prune() {}
  virtual int advanced() const = 0;  // by how many moves; depths count from the first root
  virtual TreeCounts counts() const = 0;
  // How many chunks of the pool it may take from now on, together with others of the same allowance.
  virtual void set_allowance(std::size_t* chunks) = 0;
};

}  // namespace chainshot::host
