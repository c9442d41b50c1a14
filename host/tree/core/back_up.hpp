// Results on their way up: the nodes of a walk's path add them to their statistics and bounds, from the leaf to the
// root. A walk that never gets a result is taken back.
//
// Walks that went down together share the upper part of their paths. If one follows another, what the first one tells
// the nodes they share waits and is told with the second one's, so that a node near the root is written once per group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game/engine.hpp"
#include "host/tree/core/statistics.hpp"
#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

class BackUp {
 public:
  explicit BackUp(TreeState& tree) : tree_(tree) {}

  // The results of playouts from each walk.position that started with walk.points.
  void complete(std::span<const Walk* const> walks, std::span<const game::Result> results);
  // A game that ended below the walk's last node and earned `points` from there on. `next` is the walk that the caller
  // backs up right after this one, or nullptr.
  void add_game(const Walk& walk, int points, const Walk* next);
  // Takes the walk's virtual visits back, and nodes that nobody else has visited.
  void abandon(const Walk& walk);

 private:
  // Holds the news that has not reached a node yet.
  struct Pending {
    PlayoutSums sums;
    std::uint32_t walks = 0;
    bool may_solve = false;  // a child has become solved, or a walk ended at the node

    void add(const Pending& other) {
      sums.add(other.sums);
      walks += other.walks;
      may_solve |= other.may_solve;
    }
  };

  int depth_of(const Walk& walk) const { return tree_.moves_made + walk.length() - 1; }  // from the first root
  void back_up(const Walk& walk, const PlayoutSums& sums, const Walk* next);
  void add_along(const Walk& walk, const PlayoutSums& sums, int shared);
  void add_along_parents(Link leaf, PlayoutSums sums);

  TreeState& tree_;
  std::vector<Pending> pending_;  // by step of the path; all empty between two groups of walks
};

}  // namespace chainshot::host
