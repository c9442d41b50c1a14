// The parts a tree search is made of, as data. A preset (host/tree/presets.cpp) is a named choice of them with its
// paper.
#pragma once

#include <cstdint>
#include <string>

#include "game/policy.hpp"

namespace chainshot::host {

// How an average becomes comparable to the exploration term (Klein 2015, 6.1).
enum class Normalisation : std::uint8_t {
  kNone,    // points as they are (Schadd 2012: C is in points)
  kStatic,  // divided by a fixed range, settings.range
  kLocal,   // by the best score below the parent
  kGlobal,  // by the best score of the whole search
};

enum class Duplicates : std::uint8_t {
  kIgnore,  // a tree
  kNaive,   // a DAG: Klein 2015, 6.7
  kDynamic,
  kConsistent,
  kGraph,  // no edge is cut, and statistics belong to edges (graph/graph.hpp)
};

// All but kEveryMove (Schadd 2012, 6.4): Klein 2015, 6.8.
enum class Allocation : std::uint8_t { kPerGame, kUniform, kLinear, kExponential, kEveryMove };
// The first three: Schadd 2012, table 4. The last is the '+' of Klein 2015, 6.8: the best score below the move, its own
// points left out.
enum class MoveChoice : std::uint8_t { kAverage, kVisits, kTopScore, kTopScoreBelow };
enum class ParallelMode : std::uint8_t { kTree, kRoot, kSet };

inline constexpr int kDefaultSetSize = 64;  // positions of a set, at least, if the budget allows
// Trees, or parts of a set, that are searched side by side where the result must not depend on the threads: as many as
// threads that could use them.
inline constexpr int kDeterministicTreeGroups = 8;
inline constexpr int kDeterministicPlayouts = 8;                              // a leaf, where speeds would choose
inline constexpr std::uint64_t kDeterministicBytes = std::uint64_t{1} << 30;  // unless a cap is given
inline constexpr std::uint64_t kWalksShare = 8;  // a part of the memory is for walks in flight, the others for nodes

struct SelectionSettings {
  std::string rule = "sp-mcts";  // by its name in host/tree/selection/selection.hpp
  double c = 0.1;
  double d = 32;
  double w = 0.02;  // weight of the best score, added to the average (Schadd 2012)
  double t = 10;    // visits below which the playout policy chooses (Schadd 2012)
  Normalisation normalisation = Normalisation::kNone;
  double range = 5000;  // of static normalisation (Klein 2015, 6.1)
};

// An exploration factor for each node, which grows above every end of a game the tree reaches (CNode: Klein
// 2015, 6.9.2) and, late in a search, shrinks where it has reached none (late urgency).
struct NodeExploration {
  bool enabled = false;
  double growth = 1.05;   // P: of the node next to the end
  double fading = 0.999;  // f: of the growth, at each step up
  double least = 1.001;   // L: of the growth
  bool late_urgency = false;
  double urgency = 0.9995;     // factor of each visit
  double urgency_share = 0.3;  // of the budget, that is left when it begins
};

// SA-UCT (Ruijl 2013, by Klein 2015, 3.7.2; exponential: 6.9.2): the exploration factor falls as the budget is spent.
enum class Cooling : std::uint8_t { kNone, kLinear, kExponential };
// Late in a search the shared factor shrinks while nodes lie less than half as deep as they should (LU: Klein 2015,
// 6.9.1), or while the tree has no end of a game (LUntn: 6.9.2).
enum class GlobalUrgency : std::uint8_t { kNone, kShallow, kNoEnd };

// How the exploration factor that nodes share changes during a search (Klein 2015, 6.9). Factors are multiplied at each
// walk; `urgency` and `urgency_share` of NodeExploration hold here too.
struct GlobalExploration {
  Cooling cooling = Cooling::kNone;
  double cooling_rate = 5;  // exponential: the factor is C exp(-rate * share spent) ...
  double coolest = 0.0016;  // ... but at least this: 8 points of 5,000
  bool depth_block = false;
  double depth_growth = 1 / 0.9995;  // f1: while nodes lie deeper than they should
  bool leaf_block = false;
  double end_growth = 1 / 0.99;  // f1: of each end of a game that the tree reaches
  GlobalUrgency urgency = GlobalUrgency::kNone;
  double ideal_depth = 0;    // where nodes should lie on average; 0: at a share of the length of a game
  double ideal_share = 0.5;  // of the mean length of the games so far

  // Whether walks and the budget change the factor.
  bool changes() const { return cooling != Cooling::kNone || depth_block || leaf_block || has_urgency(); }
  bool has_urgency() const { return urgency != GlobalUrgency::kNone; }
  bool uses_depth() const { return depth_block || urgency == GlobalUrgency::kShallow; }
};

// How many levels below an edge its statistics look (UCD: graph/adapted_statistics.hpp).
struct GraphDepths {
  int score = 1;   // d1: of the average
  int parent = 0;  // d2: of the visits of the parent
  int visits = 0;  // d3: of the visits of the edge
};
inline constexpr int kMostGraphDepth = 2;  // each level costs as many times the work as a position has moves

// Beam Monte-Carlo tree search (core/beam_pruning.hpp).
struct BeamPruning {
  int width = 0;             // W: nodes that a pruned depth keeps; 0: no beam
  int simulation_limit = 0;  // L: walks through a depth before it is pruned; 0: from the budget
  bool keeps_below = false;  // what lies below the nodes that stay is kept too
};

// Nested Monte-Carlo tree search (parallel/nested_group.hpp).
inline constexpr int kMostNesting = 4;
struct TreeNesting {
  int level = 1;           // 1: a leaf is played; 2: a leaf is searched by a tree of its own; 3: that one's leaves too
  int inner_playouts = 0;  // walks of a search of level 1, and searches that those of higher levels call; 0: from the
                           // budget
  double outer_c = 0;      // exploration at the levels above 1; 0: as at level 1
};

struct TreeSettings {
  SelectionSettings selection;
  GraphDepths graph;
  NodeExploration node_exploration;
  GlobalExploration global_exploration;
  BeamPruning beam;
  TreeNesting nested;
  game::Policy policy;
  bool solver = false;         // selection of MCTS-Solver: Winands 2008, 4.2
  bool state_pruning = false;  // Klein 2015
  bool vs_pruning = false;
  double bonus_share = 1;  // of the bonus for a cleared board, that counts in the tree (Klein 2015, 6.4)
  Duplicates duplicates = Duplicates::kIgnore;
  Allocation allocation = Allocation::kPerGame;
  MoveChoice move_choice = MoveChoice::kTopScore;
  bool keeps_tree = true;   // after a move what was searched below it stays: keeps_tree_below_move()
  int restarts = 1;         // searches the budget is split into, each with a seed of its own
  int second_restarts = 0;  // further ones; then each of the two lots gets half of the budget (Klein 2015, 8.1.2)
  ParallelMode mode = ParallelMode::kTree;
  int leaf_playouts = 1;  // playouts per leaf; 0: chosen from the speeds of tree and engine
  int look_ahead = 0;     // every so many iterations the children of the leaf are played; 0: never
  int in_flight = 0;      // walks of a tree_group at most; 1: one after the other; 0: as many as the engine likes
  int set_size = 0;       // positions of the set-based search, at least; 0: 64
  bool merges_symmetric = false;   // positions that differ by a permutation of colours are one
  bool deterministic = false;      // results depend on the seed alone, not on threads, engine and latency
  int trees = 0;                   // root parallel: independent trees; 0: one per thread
  bool merges_trees = true;        // root parallel: all trees choose a move together, not the best one alone
  std::uint64_t memory_bytes = 0;  // cap of trees and walks; 0: nodes have a quarter of the machine's

  // 0: as many as a pool has unless it is told.
  std::uint64_t bytes_for_nodes() const {
    const std::uint64_t all = memory_bytes == 0 && deterministic ? kDeterministicBytes : memory_bytes;
    return all - all / kWalksShare;
  }
  // A set is always made anew.
  bool keeps_tree_below_move() const { return keeps_tree && mode != ParallelMode::kSet; }
};

}  // namespace chainshot::host
