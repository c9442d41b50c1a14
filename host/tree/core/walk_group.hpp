// Walks on their way down (selection, expansion and the first visit of a position). Walks that go down together are
// only counted until they reach their leaves: a node distributes the walks that come to it among its moves, each as a
// virtual visit that the next one sees, and the tree reads the node once for all of them. Walks that find nothing to
// visit below a move come back, and the node distributes them again.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "host/tree/core/back_up.hpp"
#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

class WalkGroup {
 public:
  WalkGroup(TreeState& tree, BackUp& back_up) : tree_(tree), back_up_(back_up) {}

  // descents[i] says how walks[i] ended. Walks that find nothing to visit are the last ones.
  void descend(std::span<Walk> walks, std::span<Descent> descents);

 private:
  struct Share {
    int index;  // of the move
    int walks;
  };
  struct FinishedGame {
    const Walk* walk;
    int points;  // from its last node to the end of the game
  };

  // These return how many of the walks find nothing to visit.
  int send(const Walk::Step& at, int count);
  int distribute(const Walk::Step& at, int count);
  int send_over(const Walk::Step& at, Share share);

  // These end one walk where the group is; false if it found nothing to visit.
  bool open_move(const Walk::Step& at, int index);
  bool join_duplicate(const Walk::Step& at, Walk& walk, int index, Link twin);
  void finish_game(Walk& walk);
  [[gnu::noinline, gnu::cold]] void count_proven_move(const Walk::Step& at, int index);

  Walk& begin_walk();
  void end_walk(Descent descent) { descents_[ended_++] = descent; }
  void add_share(std::size_t first, Share share);
  void count_finished_games();

  TreeState& tree_;
  BackUp& back_up_;
  std::span<Walk> walks_;
  std::span<Descent> descents_;
  std::size_t ended_ = 0;               // walks that are no longer on their way
  std::vector<Walk::Step> path_;        // from the root to where the group is
  std::vector<Share> shares_;           // of the moves of the nodes on the path, those of the last node at the end
  std::vector<FinishedGame> finished_;  // that the tree has yet to count
};

}  // namespace chainshot::host
