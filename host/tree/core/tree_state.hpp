// The parts of one tree share this state: its settings, its nodes, and what it knows of the whole search. The parts are
// modules of functions on this state, each in a file of its own and each built on those above it:
//
//   node_store        nodes, moves and positions in memory, and their links
//   statistics        what a node counts, and the terms from which the selection computes scores
//   node_exploration  exploration factors that follow the ends of games
//   global_exploration  the factor that nodes share, where it changes during a search
//   bounds            upper bounds, closing and solving (MCTS-Solver)
//   move_selection    which move a walk takes
//   proven_moves      MCTS-Solver's treatment of proven moves
//   recycling         what the tree forgets at the cap of its memory
//   expansion         adding and removing nodes and moves
//   duplicates        positions that several paths lead to
//   beam_pruning      what a beam discards
//   back_up           results on their way up
//   walk_group        walks on their way down
//   tree              the face to the outside, which composes the others
//
// Only one thread at a time uses a tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "game/position.hpp"
#include "game/random.hpp"
#include "game/scoring.hpp"
#include "host/tree/core/node_store.hpp"
#include "host/tree/core/walk.hpp"
#include "host/tree/selection/selection.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

// The draws of one tree, which are a function of its seed.
class TreeRandom {
 public:
  explicit TreeRandom(std::uint64_t seed) : seed_(game::mix64(seed)) {}
  std::uint32_t next() { return static_cast<std::uint32_t>(game::mix64(seed_ + draws_++)); }
  std::uint32_t below(std::uint32_t n) { return game::scale_draw(next(), n); }

 private:
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
};

struct WalkCounts {
  std::uint64_t walks = 0;             // that were backed up
  std::uint64_t steps = 0;             // edges of all walks, counted from the first root
  std::uint64_t resource_eighths = 0;  // of resource units (Klein 2015, 5.2)
  int deepest = 0;
};

// The exploration factor that nodes share, and what it follows (global_exploration.hpp).
struct TreeExploration {
  double c;            // the factor now
  double product = 1;  // of all that made it grow or shrink; cooling comes on top
  double share_per_walk = 0;
  std::uint64_t walks_at_round = 0;  // when the tree was last told of the budget
  double games = 0;                  // playouts and games that ended in the tree ...
  double game_moves = 0;             // ... and their lengths, from the first root
};

// Where a beam stands (beam_pruning.hpp).
struct BeamState {
  std::uint64_t limit = 0;  // L, walks; 0: no beam
  std::uint64_t walks = 0;  // that have passed through the depth to be pruned next
  int depth = 0;            // the deepest depth that was pruned
};

struct TreeState {
  static constexpr int kNoneKnown = std::numeric_limits<int>::min() / 2;

  TreeState(NodePool& pool, const game::Position& root, int points, const TreeSettings& tree_settings,
            const game::Scoring& game_scoring, std::uint64_t seed)
      : settings(tree_settings),
        scoring(game_scoring),
        rule(selection_rule(settings.selection.rule)),
        tracks_solved(settings.vs_pruning || settings.duplicates != Duplicates::kIgnore || settings.beam.width > 0),
        keeps_parents(settings.duplicates == Duplicates::kIgnore || settings.duplicates == Duplicates::kNaive),
        counts_proven(settings.solver && settings.duplicates == Duplicates::kIgnore && settings.beam.width == 0),
        changes_exploration(settings.global_exploration.changes()),
        cools(settings.global_exploration.cooling != Cooling::kNone),
        nodes(pool, root, settings, scoring),
        root_points(points),
        random(seed),
        exploration{.c = settings.selection.c} {}
  TreeState(const TreeState&) = delete;
  TreeState& operator=(const TreeState&) = delete;

  const TreeSettings settings;
  const game::Scoring scoring;
  const SelectionRule& rule;
  const bool tracks_solved;        // moves may be left out, so that `solved` is more than `closed`
  const bool keeps_parents;        // no node ever moves to another parent
  const bool counts_proven;        // the playout policy may choose proven moves (proven_moves.hpp)
  const bool changes_exploration;  // that the nodes share
  const bool cools;                // nodes without growth of their own follow the shared factor
  NodeStore nodes;
  int root_points;  // earned before the root's position
  int moves_made = 0;
  int known_best = kNoneKnown;       // a score of the whole game that another search has found
  double budget_left = 1;            // share of the search's budget, from 1 to 0
  std::uint64_t next_recycling = 0;  // the number of the walk before which no recycling pass is worth its time
  TreeRandom random;
  WalkCounts counts;
  TreeExploration exploration;
  BeamState beam;

  // Scores of the whole game. `best` is far below any score while nothing was played.
  int best() const { return root_points + nodes.root().best; }
  int upper() const { return root_points + nodes.root().upper; }
  int score_to_beat() const { return std::max(best(), known_best); }
  bool is_proven() const { return upper() <= score_to_beat(); }

  // Points earned before the node's position. `path` must lead to some node now; the path of a walk that was in flight
  // may not. If the node is one level below the end of `path`, the function compares the two paths level by level,
  // which mostly meet soon; otherwise it counts up to the root.
  int points_before(const Node& of, std::span<const Walk::Step> path = {}) const {
    int points = 0;
    std::size_t left = path.size();
    for (const Node* at = &of; at->parent != 0; at = &nodes.node(at->parent)) {
      points += at->gain;
      if (left == 0) continue;
      if (path[--left].node == at->parent) return points + path[left].points;
    }
    return points + root_points;
  }
};

}  // namespace chainshot::host
