// The nodes of one tree in memory: a root, the links between nodes, their moves and positions, and the table that finds
// the node of a position. The store takes memory from a pool and returns 0 when there is none; it frees nothing by
// itself (recycling.hpp does). It knows nothing of statistics or of what bounds mean.
//
// Invariants: a node's parent links back to it at its move_index; moves from `opened` on have no node; every node that
// was made below a parent is in the table, if there is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "game/position.hpp"
#include "game/scoring.hpp"
#include "host/search/packed_board.hpp"
#include "host/tree/core/node.hpp"
#include "host/tree/memory/node_pool.hpp"
#include "host/tree/memory/position_table.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

class NodeStore {
 public:
  struct Counts {
    std::uint64_t nodes = 0;     // in memory
    std::uint64_t made = 0;      // by a first visit, since the start
    std::uint64_t expanded = 0;  // nodes with a block of moves, in memory
  };

  // The pool outlives the store. Throws std::runtime_error if it has no chunk for the root.
  NodeStore(NodePool& pool, const game::Position& root, const TreeSettings& settings, const game::Scoring& scoring);
  NodeStore(const NodeStore&) = delete;
  NodeStore& operator=(const NodeStore&) = delete;

  Link root_link() const { return root_; }
  Node& root() { return node(root_); }
  const Node& root() const { return node(root_); }
  const game::Position& root_position() const { return root_position_; }
  Node& node(Link link) { return *reinterpret_cast<Node*>(arena_.at(link)); }
  const Node& node(Link link) const { return *reinterpret_cast<const Node*>(arena_.at(link)); }
  // Only of a node that has moves.
  MoveBlock moves_of(const Node& of) const { return {arena_.at(of.move_block), bound_count(of)}; }
  // Bounds in its block: one per move and, with VS-pruning, a last one, the highest of the moves that are left out.
  int bound_count(const Node& of) const { return static_cast<int>(of.move_count) + left_out_; }
  game::Position position_of(const Node& of) const;
  // The position of a node that has moves. In place, because a position is large.
  void unpack_board(const Node& of, game::Position& position) const { codec_.unpack(moves_of(of).board(), position); }
  // The index of the move that takes the group of `cell`, or -1.
  int index_of_move(const Node& parent, game::Cell cell) const;
  // The child that `of.best` was seen below, or 0 if a playout from `of` itself saw it.
  Link best_child(const Node& of) const;

  // A leaf below move `index` of `parent`, or 0 if there is no memory.
  Link make_node(Link parent, int index, std::uint32_t hash);
  // Gives a leaf room for its moves, which the caller fills in; false if there is no memory.
  bool make_moves(Node& leaf, int count);
  void pack_board(const game::Position& position, const Node& of) { codec_.pack(position, moves_of(of).board()); }
  void swap_moves(const Node& parent, int a, int b);
  // Frees the nodes below and the moves: the node is a leaf again and keeps its statistics.
  void free_below(Node& of);
  // Frees a leaf that no move links to any more.
  void release(Link leaf);
  // The position after `move` becomes the root. `kept` becomes its node, with all below; it must have no link from a
  // move any more. 0 makes a fresh node. All else must have been freed. Returns the size of the group taken.
  int advance_root(game::Cell move, Link kept);

  // Duplicates. Both return 0 where the tree does not look for them.
  std::uint32_t hash_of(const game::Position& position) const;
  Link find(const game::Position& position, std::uint32_t hash) const;

  // Compaction: after clear_marks, and marks for everything in use, sweep frees the rest.
  void clear_marks() { arena_.clear_marks(); }
  void mark_node(Link link) { arena_.mark(link, 1); }
  void mark_moves(const Node& of) { arena_.mark(of.move_block, units_of_moves(of)); }
  void sweep();

  std::size_t units_of_moves(const Node& of) const { return MoveBlock::units(bound_count(of), codec_.bytes()); }
  std::size_t used_units() const { return arena_.used_bytes() / kUnitBytes; }
  std::size_t bytes() const { return arena_.bytes() + (table_ ? table_->bytes() : 0); }
  const Counts& counts() const { return counts_; }
  // Takes the last node made out of the count: a node that no walk has visited does not count.
  void uncount_made() { --counts_.made; }
  void set_allowance(std::size_t* chunks) { share_.set_allowance(chunks); }
  void prefetch_node(Link link) const { __builtin_prefetch(arena_.at(link)); }
  void prefetch_moves(const Node& of) const;

 private:
  void reset_root();

  const game::Scoring scoring_;
  const float c_;  // exploration factor of a new node
  const bool merges_symmetric_;
  const int left_out_;  // 1 if blocks have an entry for the moves that VS-pruning leaves out
  game::Position root_position_;
  BoardCodec codec_;
  PoolShare share_;
  NodeArena arena_;
  std::optional<PositionTable> table_;
  Link root_ = 0;
  Counts counts_;
};

inline void NodeStore::prefetch_moves(const Node& of) const {
  if (of.move_block == 0) return;
  const MoveBlock moves = moves_of(of);
  for (int i = 0; i < moves.lines(); ++i) {
    __builtin_prefetch(&moves.terms()[i]);
    __builtin_prefetch(&moves.targets()[i]);
  }
}

}  // namespace chainshot::host
