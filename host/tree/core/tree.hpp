// One tree of positions. It is used by one thread at a time; several walks may be in flight in it: virtual visits keep
// them apart (the node count update of HGSTS: Klein 2015, A.6). Parallel searches are made of several trees or of many
// walks.
//
// Every node has an upper bound (all of a colour in one group, then the best of its moves' bounds) and a lower one (the
// best line seen). Where they meet the node is closed and not visited again; when those of the root meet, the best
// score is proven. Moves that are left out (VS-pruning, duplicates: duplicates.cpp) keep their bounds where they could
// be better, so that a proof is one of the game and not of the tree. With state pruning a move is closed as soon as its
// bound cannot beat the best score known (Klein 2015, 2.4.1; MCTS-Solver, Winands 2008, for one player).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "game/engine.hpp"
#include "game/position.hpp"
#include "game/random.hpp"
#include "game/scoring.hpp"
#include "host/tree/core/node.hpp"
#include "host/tree/memory/node_pool.hpp"
#include "host/tree/memory/packed_board.hpp"
#include "host/tree/memory/position_table.hpp"
#include "host/tree/selection/selection.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

// The way down the tree of one playout request.
struct Walk {
  struct Step {
    Link node = 0;
    std::int32_t points = 0;  // earned before the node's position
    game::Cell move;          // that leads to it; meaningless for the root
  };

  game::Position position;       // where the playouts start
  int points = 0;                // earned before it; for a finished walk the score of the game
  std::vector<Step> steps;       // the root's first
  std::vector<game::Cell> rest;  // moves after them, of a game that ended

  int length() const { return static_cast<int>(steps.size()); }
  Link leaf() const { return steps.back().node; }
};

enum class Descent : std::uint8_t {
  kLeaf,      // play walk.position and hand the result to `complete`
  kFinished,  // a game that ended in the tree; it is counted already, and its score is walk.points
  kBlocked,   // every way leads to leaves in flight: no visit was counted. If none is in flight, only moves that were
              // left out (VS-pruning, Naive) could be better: the tree is done without a proof
  kProven,    // no line beats the best score known
};

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
  // Of a tree that is gone.
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
  // `points` were earned before `root`. The pool outlives the tree. Throws std::invalid_argument for a rule of no name,
  // std::runtime_error if there is no chunk for the root.
  Tree(NodePool& pool, const game::Position& root, int points, const TreeSettings& settings,
       const game::Scoring& scoring, std::uint64_t seed);
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  // Selection and expansion. A leaf must be given back by `complete` or `abandon`; in between other walks may descend.
  Descent descend(Walk& walk);
  // Several at once: a node shares the walks that come to it out among its moves, each as a virtual visit that the next
  // one sees, and is read once for all of them. Of its own visits it knows those before it chose a move for several
  // walks in a row. Walks that find nothing to visit are the last ones.
  void descend(std::span<Walk> walks, std::span<Descent> descents);
  // The result of playouts from walk.position that start with walk.points.
  void complete(const Walk& walk, const game::Result& result);
  // Several at once: fast if walks that went down together follow one another.
  void complete(std::span<const Walk* const> walks, std::span<const game::Result> results);
  void abandon(const Walk& walk);

  // The moves from the root to the walk's leaf; for a finished walk the whole game.
  void moves_of(const Walk& walk, std::vector<game::Cell>& moves) const;
  // A score some other search has found: what cannot beat it may be pruned.
  void raise_known_best(int score) { known_best_ = std::max(known_best_, score); }
  // The share of the search's budget that is left, from 1 to 0: late urgency begins by it (Klein 2015, 6.9.2).
  void set_budget_left(double share) { budget_left_ = share; }
  // A whole game from the root becomes a path and counts as a playout.
  void add_line(std::span<const game::Cell> moves);

  const game::Position& root_position() const { return root_position_; }
  int root_points() const { return root_points_; }
  // Playouts that count at the root; with Consistent duplicates those of solved positions do not.
  std::uint64_t visits() const { return root().visits; }
  int in_flight() const { return static_cast<int>(root().virtual_visits); }
  double average() const;
  // Of the root, as if it were a move that the points before it were earned with; walks in flight count as visits.
  MoveStatistics root_statistics() const;
  int best() const { return root_points_ + root().best; }  // far below any score while nothing was played
  int upper() const { return root_points_ + root().upper; }
  // No line from the root beats the best score known.
  bool is_proven() const { return upper() <= std::max(best(), known_best_); }
  std::vector<RootMove> root_moves() const;
  // The position after the move becomes the root; what does not lie below it is given back. No walk may be in flight.
  void advance_root(game::Cell move);
  int advanced() const { return advanced_; }  // by so many moves; depths count from the first root
  const TreeCounts& counts() const;
  // Chunks of the pool that it may take from now on, together with others of the same allowance.
  void set_allowance(std::size_t* chunks) { share_.set_allowance(chunks); }

 private:
  friend struct TreeInspector;  // tests/support/tree_inspector.hpp

  Node& node(Link link) const { return *reinterpret_cast<Node*>(arena_.at(link)); }
  Node& root() const { return node(root_); }
  Block block(const Node& of) const { return {arena_.at(of.block), of.moves + left_out_}; }

  // Descent.
  // Walks on their way down together. Until they have found their leaves they are only counted.
  struct WalkGroup {
    struct Share {
      int slot;
      int walks;
    };

    struct Ended {
      const Walk* walk;
      int points;  // from its last node to the end of the game
    };

    std::span<Walk> walks;
    std::span<Descent> descents;
    std::size_t placed = 0;       // walks that are on their way no more
    std::vector<Walk::Step> way;  // to where the walk_group is
    std::vector<Share> shares;    // that moves of the nodes of the way have of the walks, the last node's at the end
    std::vector<Ended> ended;     // walks that are to be counted

    Walk& begin_walk();
    void place(Descent descent) { descents[placed++] = descent; }
  };
  struct Choice {
    int slot;   // -1: there is nothing to visit
    int walks;  // that take it, one after the other
  };
  int send(const Walk::Step& at, int count);
  void count_ended();
  int share_out(const Walk::Step& at, int count);
  int send_on(const Walk::Step& at, WalkGroup::Share share);
  bool expand(Node& leaf, const game::Position& position);
  Choice choose(Node& parent, int points, int walks);
  int choose_by_policy(Node& parent);
  Choice choose_by_score(const Node& parent, std::uint64_t visits, int walks) const;
  bool open(const Walk::Step& at, int slot);
  bool is_over(const game::Position& position) const;
  int play_end(Walk& walk) const;
  void enter(Walk& walk, const Walk::Step& step);
  void add_virtual_visits(Node& to, int walks);
  void prefetch_moves(const Node& of) const;
  game::Position position_of(const Node& of) const;
  bool is_done(const Node& of, int points) const {
    return of.is_closed() || of.is_solved || is_hopeless(of.upper, points);
  }
  bool is_hopeless(int bound, int points) const {
    return settings_.state_pruning && points + bound <= std::max(best(), known_best_);
  }
  std::uint32_t random() { return static_cast<std::uint32_t>(game::mix64(seed_ + draws_++)); }
  std::uint32_t draw(std::uint32_t n) { return game::scale_draw(random(), n); }

  // Backpropagation.
  struct Added {
    std::uint64_t count = 0;
    std::int64_t sum = 0;
    double squares = 0;
    int best = Node::kNothing;
    std::uint32_t walks = 0;
    bool may_solve = false;  // a move of the node has become solved, or a walk ended there
    static Added of_game(int points) {
      const double p = points;
      return {.count = 1, .sum = points, .squares = p * p, .best = points};
    }
    void shift(int points);
    void add(const Added& other);
  };
  void prefetch_last_nodes(const Walk& walk) const;
  static int shared_steps(const Walk& a, const Walk& b);
  void back_up(const Walk& walk, Added added, const Walk* next = nullptr);
  void add_along(const Walk& walk, const Added& added, int kept);
  void add_up(Link leaf, Added added);
  void reach_end(Node& from);
  void visit(Node& of, const Added& added);
  void write_terms(const Node& of) const;
  void write_width(const Node& of) const;
  void lower_upper(Node& of, int upper);
  int highest_bound(const Node& of) const;
  void bounds_changed(Node& of);
  bool is_exhausted(const Node& of) const;
  void solve_up(Node& from, const Node& until);
  double range_of(const Node& parent) const;
  MoveStatistics statistics_of(const Node& of) const;

  // Duplicates.
  std::uint32_t hash_of(const game::Position& position) const;
  Link find_duplicate(const game::Position& position, std::uint32_t hash) const;
  int points_at(const Node& of, std::span<const Walk::Step> way) const;
  bool join_duplicate(Walk& walk, Link twin, int slot);
  void cut(Node& parent, int slot, int margin);
  void mark_cut(Node& of);
  void take_over(Link twin, Link parent, int slot, int points, int more, int told);
  void forget_lines(Node& of, int most);
  void reopen(Node& of);
  void add_above(const Node& of, int times);
  void add_virtual_above(const Node& of, int times);
  void raise_best(Node& of, int best);
  void raise_paths(Node& of, int more);
  bool has_best_line(const Node& of) const;
  void finish_by_best_line(Walk& walk, const Walk::Step& first);

  // Memory. `take` recycles at the cap; 0 if there is nothing to recycle either.
  Link take(std::size_t units);
  struct Ages;
  void recycle();
  void tell_ages(const Node& of, Ages& ages) const;
  void keep_young(Node& of, const Ages& ages);
  std::uint32_t age_of(const Node& of) const { return static_cast<std::uint32_t>(counts_.walks) - of.touched; }
  std::size_t units_of(const Node& of) const { return Block::units(of.moves + left_out_, codec_.bytes()); }
  Node* best_child(const Node& of) const;
  void free_below(Node& of);
  void forget_bounds(Node& of);
  void remove(Link link);
  void release(Link link);
  bool has_room_in_table(std::uint32_t hash);

  Link make_node(Link parent, int slot, std::uint32_t hash);
  Link node_of_line(const Walk& walk, int slot);
  Link take_root_move(int slot);
  void swap_moves(Node& parent, int a, int b);
  int slot_of(const Node& parent, game::Cell cell) const;

  const TreeSettings settings_;
  const game::Scoring scoring_;
  const SelectionRule* rule_;
  game::Position root_position_;
  int root_points_;
  BoardCodec codec_;
  PoolShare share_;
  NodeArena arena_;
  std::optional<PositionTable> table_;  // where duplicates are looked for
  const int left_out_;                  // a slot for the highest bound of the moves that VS-pruning leaves out
  const bool tracks_solved_;
  const bool keeps_parents_;  // no node is taken over by another parent
  Link root_ = 0;
  int advanced_ = 0;
  static constexpr int kNoneKnown = std::numeric_limits<int>::min() / 2;
  int known_best_ = kNoneKnown;
  double budget_left_ = 1;
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
  std::uint64_t eighths_ = 0;         // of resource units
  std::uint64_t next_recycling_ = 0;  // in walks
  WalkGroup walk_group_;
  std::vector<Added> rising_;  // by step of a walk: what its node is still to be told
  mutable TreeCounts counts_;
};

}  // namespace chainshot::host
