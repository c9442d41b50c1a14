// A walk: the path of one playout request from the root down to a leaf. It is in flight from its descent until the tree
// hears of its result; every node of its path counts it as a virtual visit meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "game/position.hpp"
#include "game/scoring.hpp"
#include "host/tree/memory/node_pool.hpp"

namespace chainshot::host {

struct Walk {
  struct Step {
    Link node = 0;
    std::int32_t points = 0;  // earned before the node's position
    game::Cell move;          // leads to the node; meaningless for the root
  };

  game::Position position;       // where the playouts start
  int points = 0;                // earned before `position`; for a finished walk the score of the game
  std::vector<Step> steps;       // the root's first
  std::vector<game::Cell> rest;  // the moves after the last step, of a game that ended

  int length() const { return static_cast<int>(steps.size()); }
  Link leaf() const { return steps.back().node; }
  // Takes the groups that are left, none of which moves a block of another one. Returns the points of these groups and
  // of the end of the game.
  int play_rest(const game::Scoring& scoring);
};

// How the descent of a walk ended.
enum class Descent : std::uint8_t {
  kLeaf,      // the caller plays walk.position and hands the result to Tree::complete
  kFinished,  // the game ended in the tree, which has counted it already; walk.points is its score
  kKnown,     // as kFinished, but at a proven move (proven_moves.hpp): walk.points is the best score through it, whose
              // line was told before
  kBlocked,   // every path leads to leaves in flight; no visit was counted. If no walk is in flight, only moves that
              // the tree leaves out (VS-pruning, Naive) could be better: the tree is done without a proof
  kProven,    // no line beats the best score known
};

}  // namespace chainshot::host
