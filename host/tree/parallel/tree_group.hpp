// A tree_group is the share of a search that one thread works on at a time: one tree, or several whose roots are open
// positions of a set (set-based search: Klein 2015, A.6). Walks start at the root with the highest score, counted with
// the walks in flight, so that a leaf_batch spreads over the best of the set.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "host/tree/core/tree.hpp"
#include "host/tree/parallel/leaf_batch.hpp"

namespace chainshot::host {

// A tree and the way from the root of the search to its own.
struct RootedTree {
  std::vector<game::Cell> way;
  std::unique_ptr<Tree> tree;
};

// What the tree has done, with depths from the root of the search.
TreeCounts counts_of(const RootedTree& rooted);

// A line the trees found, from the root of the search to the end of the game.
using LineSink = std::function<void(int score, const std::vector<game::Cell>& moves)>;

class TreeGroup {
 public:
  // Keys of requests start at `first_key`. `found` hears of lines that score more than `bar` says, from the thread
  // that works on the tree_group.
  TreeGroup(const TreeSettings& settings, std::uint64_t first_key, std::function<int()> score_to_beat, LineSink found);

  const std::vector<RootedTree>& rooted_trees() const { return rooted_trees_; }
  std::vector<RootedTree>& rooted_trees() { return rooted_trees_; }
  std::uint64_t next_key() const { return next_key_; }
  // Chunks of memory that its trees may take from now on.
  void set_allowance(std::size_t chunks);
  // To be called when rooted_trees were added or taken away.
  void forget_order() { order_.clear(); }

  // Descends for up to `walks` leaves with `playouts` each. Fewer, or none, if all ways lead to leaves in flight or
  // nothing is left to find. Returns the walks it took, with those that ended the game in the tree.
  std::uint64_t fill(LeafBatch& leaf_batch, std::uint64_t walks, std::uint32_t playouts);
  std::uint64_t known() const;  // playouts whose results its trees have
  // For each one that a walk is to have, mean: more with look-ahead, fewer where equal positions are merged.
  double playouts_for_each(std::uint32_t leaf_playouts) const;
  void book(const LeafBatch& leaf_batch);
  void abandon(const LeafBatch& leaf_batch);

  TreeCounts counts() const;  // of all its trees, added up
  // The same as it was a moment ago, and the playouts; from any thread.
  struct Figures {
    TreeCounts trees;
    std::uint64_t playouts = 0;
  };
  Figures published() const;
  void publish();

 private:
  struct Candidate {
    double score;
    int tree_index;
    bool operator<(const Candidate& other) const { return score < other.score; }
  };

  double score_of(const Tree& tree) const;
  void set_in_order();
  // One turn of one tree; false if it has no leaf to give now.
  bool take_walks(LeafBatch& leaf_batch, int tree_index, std::uint64_t most, std::uint32_t playouts,
                  std::uint64_t& taken);
  void report(const RootedTree& rooted, const Walk& walk, int score, std::span<const game::Cell> rest);
  void publish_now_and_then();

  const TreeSettings settings_;
  const SelectionRule* rule_;
  std::uint64_t next_key_;
  std::function<int()> score_to_beat_;
  LineSink found_;
  std::size_t allowance_ = 0;  // before the trees, which give their chunks back when they go
  std::vector<RootedTree> rooted_trees_;
  std::uint64_t iterations_ = 0;
  std::uint64_t wanted_ = 0;  // playouts of all walks, one leaf's each, and those that were asked for
  std::uint64_t asked_ = 0;
  std::vector<Descent> descents_;  // these three are kept to be used again
  std::vector<const Walk*> walks_;
  std::vector<game::Result> results_;
  std::vector<Candidate> order_;  // a heap; trees without a leaf to give are left out until the next order
  std::uint64_t walks_since_order_ = 0;
  double set_visits_ = 1;  // of all trees, when the order was made
  double set_range_ = 1;
  std::uint64_t playouts_ = 0;
  std::chrono::steady_clock::time_point next_publication_{};
  mutable std::mutex mutex_;  // guards what follows
  Figures published_;
};

// The rooted_trees of a set to its tree_groups, the best first, so that all tree_groups have as good ones.
void deal_out(std::vector<RootedTree> rooted_trees, std::span<const std::unique_ptr<TreeGroup>> tree_groups);

// What is free of a pool to the tree_groups, before threads start: which one takes a chunk first must not depend on
// them.
void divide_memory(const NodePool& pool, std::span<const std::unique_ptr<TreeGroup>> tree_groups);

}  // namespace chainshot::host
