// A rooted graph of positions, searched by UCT on edges (UCT1 and UCT2 of Childs et al. 2008; UCD of Saffidine et al.
// 2012, by Klein 2015, 3.5.3 to 3.5.5 and A.1). No edge is cut: a walk may reach a position by any way, and its result
// goes back along the edges that it took, to no others ("update only the nodes used to traverse down", 3.5.3).
// adapted_statistics.hpp has the formula of the selection.
//
// Bounds: every node has an upper bound, and the best line from it that the graph holds move by move. Where they meet,
// or where all its edges lead to such nodes, the node is done. A node hears of what its moves lead to when a walk
// passes through it. A walk that comes to a done node for the first time by some edge, or with a better line than
// anyone was told, follows the held line to its end, which counts as a game.
//
// At the cap of the memory the graph forgets the moves of the quarter of its nodes that walks visited least recently,
// and all that only they led to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "host/tree/core/search_tree.hpp"
#include "host/tree/core/statistics.hpp"
#include "host/tree/graph/graph_store.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

// In the walks of a graph a step names the edge that leads to the node, because two moves may lead to one position. The
// first step names the root.
class Graph final : public SearchTree {
 public:
  // As Tree.
  Graph(NodePool& pool, const game::Position& root, int points, const TreeSettings& settings,
        const game::Scoring& scoring, std::uint64_t seed);

  using SearchTree::complete;
  using SearchTree::descend;
  void descend(std::span<Walk> walks, std::span<Descent> descents) override;
  void complete(std::span<const Walk* const> walks, std::span<const game::Result> results) override;
  void abandon(const Walk& walk) override;

  void moves_of(const Walk& walk, std::vector<game::Cell>& moves) const override;
  void raise_known_best(int score) override;
  void set_budget_left(double /*share*/, double /*per_walk*/) override {}
  void add_line(std::span<const game::Cell> moves) override;

  const game::Position& root_position() const override { return root_position_; }
  int root_points() const override { return root_points_; }
  std::uint64_t visits() const override { return root().visits(); }
  int in_flight() const override { return static_cast<int>(root().virtual_visits); }
  double average() const override;
  MoveStatistics root_statistics() const override;
  int best() const override { return told_best_; }
  int upper() const override { return root_points_ + root().upper; }
  bool is_proven() const override { return upper() <= std::max(told_best_, known_best_); }
  std::vector<RootMove> root_moves() const override;
  void advance_root(game::Cell move) override;
  int advanced() const override { return moves_made_; }
  TreeCounts counts() const override;
  void set_allowance(std::size_t* chunks) override { store_.set_allowance(chunks); }

  // Give tests a look inside.
  const GraphStore& store() const { return store_; }
  const GraphNode& root() const { return store_.node(root_); }

 private:
  static constexpr int kNoneKnown = std::numeric_limits<int>::min() / 2;

  // graph_descent.cpp
  Descent descend(Walk& walk, std::vector<Link>& path);
  bool is_played_from(Link at);
  int choose_edge(const GraphNode& here) const;
  double score_of(const Edge& edge, double parent_visits, double range) const;
  double range_of(const GraphNode& here) const;
  bool open_move(Link at, int index);
  bool expand(Link at);
  void make_end(GraphNode& node, const game::Position& position);
  Descent send_out(Walk& walk, Link leaf);
  Descent follow_held_line(Walk& walk, Link from);
  bool reach(Walk& walk, std::vector<Link>& path, int index);

  // graph.cpp
  void init_root();
  Link node_of(const Walk::Step& step, bool is_root) const { return is_root ? root_ : store_.edge(step.node).to; }
  void learn(GraphNode& here, Edge& edge);
  void back_up(const Walk& walk, PlayoutSums sums, bool was_in_flight);
  int index_of_move(Link at, game::Cell cell) const;
  bool follow_line(Walk& walk, std::vector<Link>& path, game::Cell cell);

  // graph_memory.cpp
  bool recycle();
  void collect_ages(Link at, std::vector<std::uint32_t>& ages);
  void keep(Link at, std::uint32_t first_forgotten);
  void keep_what_root_reaches(std::uint32_t first_forgotten);
  std::uint32_t age_of(const GraphNode& node) const { return static_cast<std::uint32_t>(walks_) - node.touched; }

  const TreeSettings settings_;
  const game::Scoring scoring_;
  const SelectionRule& rule_;
  GraphStore store_;
  game::Position root_position_;
  int root_points_;  // earned before the root's position
  int moves_made_ = 0;
  Link root_ = 0;
  int told_best_ = kNoneKnown;   // scores of the whole game: the best line that anyone was told ...
  int known_best_ = kNoneKnown;  // ... and the best of other searches
  TreeRandom random_;
  std::vector<Link> path_;  // the nodes of the walk that goes down; recycling spares them
  std::uint32_t descent_number_ = 0;
  std::uint64_t walks_ = 0, steps_ = 0, resource_eighths_ = 0, next_recycling_ = 0;
  int deepest_ = 0;
  std::uint64_t nodes_ = 0, nodes_made_ = 0, expanded_ = 0;
};

}  // namespace chainshot::host
