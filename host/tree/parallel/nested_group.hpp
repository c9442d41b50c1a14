// Nested Monte-Carlo tree search (NMCTS: Baier and Winands 2012, as described by Klein 2015, A.3): where a tree of
// level n would play a leaf, it searches the leaf by a tree of level n - 1, to the end of the game, and enters the best
// score found. Level 1 is ordinary Monte-Carlo tree search; its leaves are played.
//
//   NMCTS(position, level)
//     tree <- position
//     repeat N times
//       leaf <- select and expand in the tree
//       result <- level = 1 ? playout(leaf) : NMCTS(leaf, level - 1)
//       back up result
//     return the best result
//
// The outermost tree goes on until the budget is spent. Where the paper is silent, N is the same at all levels, and
// such that a budget of B walks gives the outermost tree the square root of N searches: N = B^(2/3) at level 2. With
// fewer, larger inner searches it found more than with as many as each has walks (docs/lab/papers.md). We differ
// in two points: several inner searches are under way at a time, so that their walks fill batches, and the upper bound
// of an inner tree becomes that of the leaf, so that small boards are proven.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/search/search.hpp"
#include "host/tree/budget_tracker.hpp"
#include "host/tree/parallel/tree_group.hpp"

namespace chainshot::host {

// The settings of the trees above level 1.
TreeSettings outer_settings(TreeSettings settings);
// N: as asked for, or from the budget.
int inner_playouts_of(const TreeSettings& settings, const BudgetTracker& budget, int threads);
// The memory of the outermost trees; as much is for the inner ones.
std::uint64_t bytes_for_outer_trees(const TreeSettings& settings);

// Its one rooted tree is the outermost tree. The walks that it gives are those of level 1.
class NestedGroup final : public TreeGroup {
 public:
  // The inner trees have `bytes` of memory. The other arguments are those of a tree group.
  NestedGroup(const TreeSettings& settings, const SearchTask& task, std::uint64_t bytes, std::uint64_t first_key,
              std::function<int()> score_to_beat, LineSink found);

  std::uint64_t fill(LeafBatch& leaf_batch, std::uint64_t walks, std::uint32_t playouts) override;
  void complete(const LeafBatch& leaf_batch) override;
  void abandon(const LeafBatch& leaf_batch) override;
  // Inner searches that have a result end early with it.
  void settle() override;
  TreeCounts counts() const override;
  std::uint64_t own_bytes() const override { return inner_pool_.bytes(); }

 private:
  // The search of a leaf.
  struct InnerSearch {
    int level;
    InnerSearch* caller;  // that searches the tree of the leaf; nullptr: it is the outermost
    Walk walk;            // in that tree, which waits for the result
    RootedTree rooted;
    std::size_t beyond_allowance = 0;  // chunks of its tree, when it was made
    std::uint64_t begun = 0;           // its walks
    std::uint64_t waiting = 0;         // of these, for a result
    bool is_exhausted = false;         // its tree has nothing left to visit
  };

  const RootedTree& tree_numbered(int index) const override {
    return searches_[static_cast<std::size_t>(index)]->rooted;
  }
  const RootedTree& tree_of(const InnerSearch* search) const;
  bool has_room(const InnerSearch& search) const;
  // How many walks may wait for results.
  std::uint64_t most_waiting(const InnerSearch& search) const;
  std::uint64_t most_waiting(std::uint64_t known, std::uint64_t least) const;
  void take_from(std::size_t index, LeafBatch& leaf_batch, std::uint64_t walks, std::uint32_t playouts,
                 std::uint64_t& taken);
  bool begin_search(std::uint64_t& taken);
  bool begin_search_below(InnerSearch* caller, std::uint64_t& taken);
  bool may_add_tree(int level) const;
  void add_search(int level, InnerSearch* caller, Walk walk);
  void end_if_finished(const InnerSearch* search);
  void end(std::size_t index);
  void count_back(const LeafBatch& leaf_batch, bool answered);

  const game::Scoring scoring_;
  const std::uint64_t seed_;
  const std::uint64_t walks_per_search_;  // N
  NodePool inner_pool_;
  std::size_t upper_allowance_;                         // chunks that inner trees above level 1 may still take
  std::vector<std::unique_ptr<InnerSearch>> searches_;  // by number, with gaps
  std::uint64_t outer_waiting_ = 0;
  std::uint64_t trees_made_ = 0;
  TreeCounts of_past_trees_;
};

}  // namespace chainshot::host
