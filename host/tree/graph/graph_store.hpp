// The nodes and edges of a graph of positions in memory. Every position that was reached has one node, and every move
// that was taken is an edge, so that a node may have several edges that lead to it. Statistics belong to edges (Childs
// et al. 2008; Saffidine, Cazenave, Mehat 2012, by Klein 2015, 3.5.4, 3.5.5 and A.1); a node keeps the sums over its
// edges.
//
// A node takes a cache line and its packed board: 192 bytes in the standard game. A list of moves takes 12 bytes per
// move, and an edge a cache line. Points are local: they count from the node's own position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "game/position.hpp"
#include "host/search/packed_board.hpp"
#include "host/tree/core/node.hpp"
#include "host/tree/memory/node_pool.hpp"
#include "host/tree/memory/position_table.hpp"

namespace chainshot::host {

struct GraphNode {
  static constexpr std::int32_t kNothing = Node::kNothing;

  std::uint64_t own_visits = 0;  // playouts that began here
  std::int64_t own_sum = 0;
  std::uint64_t passed = 0;  // playouts that went on over an edge, and their points
  std::int64_t passed_sum = 0;
  std::uint32_t virtual_visits = 0;  // walks in flight through the node
  std::int32_t held = kNothing;      // the best line from here whose moves the graph holds
  std::int32_t upper = 0;            // no line from here earns more
  Link moves = 0;                    // 0 while the node is a leaf
  std::uint32_t touched = 0;         // number of the last walk through here, its lowest 32 bits
  std::uint32_t hash = 0;
  std::uint16_t move_count = 0;
  std::uint16_t opened = 0;   // moves before this index have an edge
  std::uint16_t settled = 0;  // edges whose destination is done, and the node knows
  bool is_end = false;
  bool is_done = false;  // no walk needs to visit the node: its bounds meet, or all its edges are settled

  std::uint64_t visits() const { return own_visits + passed; }
};
static_assert(sizeof(GraphNode) <= kUnitBytes);

struct Edge {
  std::uint64_t visits = 0;  // playouts that went over the edge
  std::int64_t sum = 0;      // of their points, from the edge's origin
  double squares = 0;
  std::uint64_t own_visits = 0;  // of these, playouts that began right behind the edge ...
  std::int64_t own_sum = 0;      // ... and their points, from its destination
  Link to = 0;
  std::int32_t gain = 0;  // points of the move
  std::int32_t best = GraphNode::kNothing;
  std::uint32_t virtual_visits = 0;
  std::uint32_t dead_end = 0;  // number of the last descent that found nothing to visit behind the edge
  std::uint16_t index = 0;     // of the move
  bool is_settled = false;
};
static_assert(sizeof(Edge) <= kUnitBytes);

// A view of the arrays in the memory of a list of moves.
class GraphMoves {
 public:
  GraphMoves(std::byte* at, int moves) : at_(at), moves_(moves) {}

  // With one bound more, that of the moves which VS-pruning leaves out.
  static constexpr std::size_t units(int moves) {
    const std::size_t bytes = static_cast<std::size_t>(moves) * (sizeof(Link) + sizeof(Move) + 4) + 4;
    return (bytes + kUnitBytes - 1) / kUnitBytes;
  }
  Link& edge(int i) const { return reinterpret_cast<Link*>(at_)[i]; }  // 0 until the move was taken
  Move& move(int i) const { return reinterpret_cast<Move*>(at_ + sizeof(Link) * count())[i]; }
  std::int32_t* bounds() const {
    return reinterpret_cast<std::int32_t*>(at_ + (sizeof(Link) + sizeof(Move)) * count());
  }
  int bound_count() const { return moves_ + 1; }

 private:
  std::size_t count() const { return static_cast<std::size_t>(moves_); }

  std::byte* at_;
  int moves_;
};
static_assert(GraphMoves::units(game::kMaxCells / 2) <= NodeArena::kLargestUnits);

class GraphStore {
 public:
  // The pool outlives the store. Throws std::runtime_error if it has no chunk for the root.
  GraphStore(NodePool& pool, const game::Position& root, bool merges_symmetric);
  GraphStore(const GraphStore&) = delete;
  GraphStore& operator=(const GraphStore&) = delete;

  GraphNode& node(Link link) { return *reinterpret_cast<GraphNode*>(arena_.at(link)); }
  const GraphNode& node(Link link) const { return *reinterpret_cast<const GraphNode*>(arena_.at(link)); }
  Edge& edge(Link link) { return *reinterpret_cast<Edge*>(arena_.at(link)); }
  const Edge& edge(Link link) const { return *reinterpret_cast<const Edge*>(arena_.at(link)); }
  GraphMoves moves_of(const GraphNode& of) const { return {arena_.at(of.moves), of.move_count}; }
  void unpack(Link of, game::Position& position) const { codec_.unpack(arena_.at(of + 1), position); }

  std::uint32_t hash_of(const game::Position& position) const;
  // The node of a position, or 0.
  Link find(const game::Position& position, std::uint32_t hash) const;
  // These return 0, or false, if there is no memory. A node that is not listed cannot be found.
  Link make_node(const game::Position& position, std::uint32_t hash, bool is_listed = true);
  Link make_edge();
  bool make_moves(GraphNode& of, int count);
  void release_edge(Link edge) { arena_.give(edge, 1); }
  // Makes an old node one of another position.
  void renew(Link node, const game::Position& position);

  // Compaction: after clear_marks, and marks for everything in use, sweep frees the rest.
  void clear_marks() { arena_.clear_marks(); }
  bool is_marked(Link link) const { return arena_.is_marked(link); }
  void mark_node(Link link) { arena_.mark(link, node_units_); }
  void mark_edge(Link link) { arena_.mark(link, 1); }
  void mark_moves(const GraphNode& of) { arena_.mark(of.moves, GraphMoves::units(of.move_count)); }
  void sweep();

  std::size_t bytes() const { return arena_.bytes() + table_.bytes(); }
  void set_allowance(std::size_t* chunks) { share_.set_allowance(chunks); }

 private:
  const bool merges_symmetric_;
  BoardCodec codec_;
  const std::size_t node_units_;
  PoolShare share_;
  NodeArena arena_;
  PositionTable table_;
};

}  // namespace chainshot::host
