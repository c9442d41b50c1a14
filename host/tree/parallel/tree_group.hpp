// A tree group is the share of a search that one thread works on at a time: one tree, or several whose roots are open
// positions of a set (set-based search: Klein 2015, A.6). Walks start at the root with the highest score, which counts
// walks in flight, so that a leaf batch spreads over the best trees of the set.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "host/tree/core/search_tree.hpp"
#include "host/tree/memory/node_pool.hpp"
#include "host/tree/parallel/leaf_batch.hpp"

namespace chainshot::host {

// A tree and the moves from the root of the search to the tree's own root.
struct RootedTree {
  std::vector<game::Cell> way;
  std::unique_ptr<SearchTree> tree;
};

// The counts of a tree, with depths from the root of the search.
TreeCounts counts_of(const RootedTree& rooted);

// Takes a line that a tree found, from the root of the search to the end of the game.
using LineSink = std::function<void(int score, const std::vector<game::Cell>& moves)>;

class TreeGroup {
 public:
  // Keys of requests start at `first_key`. `found` gets every line that scores more than `score_to_beat` returns, in
  // the thread that works on the group.
  TreeGroup(const TreeSettings& settings, std::uint64_t first_key, std::function<int()> score_to_beat, LineSink found);

  virtual ~TreeGroup() = default;
  TreeGroup(const TreeGroup&) = delete;
  TreeGroup& operator=(const TreeGroup&) = delete;

  const std::vector<RootedTree>& rooted_trees() const { return rooted_trees_; }
  std::vector<RootedTree>& rooted_trees() { return rooted_trees_; }
  std::uint64_t next_key() const { return next_key_; }
  // Sets how many chunks of memory its trees may take from now on.
  void set_allowance(std::size_t chunks);
  // Must be called when trees were added or removed.
  void forget_order() { order_.clear(); }

  // Descends for up to `walks` leaves with `playouts` each; for fewer, or none, if all ways lead to leaves in flight or
  // nothing is left to find. Returns how many walks it made, including those that ended the game inside the tree.
  virtual std::uint64_t fill(LeafBatch& leaf_batch, std::uint64_t walks, std::uint32_t playouts);
  std::uint64_t known() const;  // playouts whose results its trees have
  // Mean playouts requested per playout wanted: more with look-ahead, fewer where equal positions are merged.
  double playouts_requested(std::uint32_t leaf_playouts) const;
  // Enters the results of a leaf batch into the trees.
  virtual void complete(const LeafBatch& leaf_batch);
  // Takes back the walks of a leaf batch that will not be answered.
  virtual void abandon(const LeafBatch& leaf_batch);
  // Ends what its trees wait for, so that no walk is in flight. Between two rounds.
  virtual void settle() {}

  virtual TreeCounts counts() const;  // of all its trees, added up
  // Memory of its own, beside that of the trees in the common pool. From any thread.
  virtual std::uint64_t own_bytes() const { return 0; }
  // The same as of a moment ago, and the playouts. From any thread.
  struct Figures {
    TreeCounts trees;
    std::uint64_t playouts = 0;
  };
  Figures published() const;
  void publish();

 protected:
  // The tree that a leaf batch knows by this number.
  virtual const RootedTree& tree_numbered(int index) const { return rooted_trees_[static_cast<std::size_t>(index)]; }
  // Takes one turn of one tree. Returns false if the tree has no leaf to give now.
  bool take_walks(LeafBatch& leaf_batch, int tree_index, std::uint64_t most, std::uint32_t playouts,
                  std::uint64_t& taken);
  void report(const RootedTree& rooted, const Walk& walk, int score, std::span<const game::Cell> rest);
  const TreeSettings& settings() const { return settings_; }
  int score_to_beat() const { return score_to_beat_(); }

 private:
  struct Candidate {
    double score;
    int tree_index;
    bool operator<(const Candidate& other) const { return score < other.score; }
  };

  double score_of(const SearchTree& tree) const;
  void set_in_order();
  std::uint64_t walks_of_beam();
  void publish_now_and_then();

  const TreeSettings settings_;
  const SelectionRule* rule_;
  std::uint64_t next_key_;
  std::function<int()> score_to_beat_;
  LineSink found_;
  std::size_t allowance_ = 0;  // declared before the trees, which return their chunks when destroyed
  std::vector<RootedTree> rooted_trees_;
  std::uint64_t iterations_ = 0;
  std::uint64_t wanted_ = 0;       // playouts that the walks wanted ...
  std::uint64_t asked_ = 0;        // ... and that were requested for them
  std::vector<Descent> descents_;  // this and the next two are members only to reuse their memory
  std::vector<const Walk*> walks_;
  std::vector<game::Result> results_;
  std::vector<Candidate> order_;  // a heap, without the trees that had no leaf to give
  std::uint64_t walks_since_order_ = 0;
  double set_visits_ = 1;  // of all trees, when they were ordered
  double set_range_ = 1;
  std::uint64_t playouts_ = 0;
  std::chrono::steady_clock::time_point next_publication_{};
  mutable std::mutex mutex_;  // guards what follows
  Figures published_;
};

// Distributes the trees of a set among its groups, the best first, so that all groups have equally good ones.
void distribute_trees(std::vector<RootedTree> rooted_trees, std::span<const std::unique_ptr<TreeGroup>> tree_groups);

// Divides the free memory of a pool among the groups before a deterministic round, so that it does not depend on
// threads which group takes a chunk.
void divide_memory(const NodePool& pool, std::span<const std::unique_ptr<TreeGroup>> tree_groups);

}  // namespace chainshot::host
