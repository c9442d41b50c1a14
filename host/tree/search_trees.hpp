// The trees of a search, in groups that can be searched at the same time: one tree, independent trees of one position
// (root parallelism), or a tree for each position of a set. Makes as many as memory, time and budget allow.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "host/tree/core/search_tree.hpp"
#include "host/tree/found_lines.hpp"
#include "host/tree/parallel/open_set.hpp"
#include "host/tree/parallel/tree_group.hpp"
#include "host/tree/search_context.hpp"

namespace chainshot::host {

inline constexpr double kWalksPerTree = 8;  // a set has no more trees than the budget gives that many walks

// Groups of trees that can be searched at the same time.
std::size_t group_count(const TreeSettings& settings, int threads);

// Only the thread of the search calls these functions, except `figures` and `memory_bytes`.
class SearchTrees {
 public:
  // Context and lines outlive the trees.
  SearchTrees(const SearchContext& context, FoundLines& lines);

  // Replaces all trees by new ones at the position that the game has reached, for a share of the budget.
  void make(const PlayedGame& game, double share);
  // Divides the trees of a set among the groups again, and drops those that are proven.
  void rebalance();
  // Ends the searches that walks of the trees wait for.
  void settle();
  // Adds a move of the game to all trees.
  void advance_roots(game::Cell move);

  std::span<const std::unique_ptr<TreeGroup>> groups() const { return groups_; }
  std::vector<RootedTree*> rooted_trees() const;
  // Whether nothing is left to find: in all trees of a set, or in any of several independent trees.
  bool are_proven() const;
  // How many trees can be set up in the time of a share of the budget, whether at once or one after the other.
  double most_by_time(double share) const;

  NodePool& pool() { return pool_; }
  // The work of all trees so far, also of those that are gone. From any thread.
  TreeGroup::Figures figures() const;
  std::uint64_t memory_bytes() const;

 private:
  void clear();
  std::unique_ptr<TreeGroup> make_group(std::size_t i, std::size_t count);
  void add_groups(std::size_t count);
  double most_trees(double share) const;
  int score_to_beat(std::size_t group) const;
  void offer(std::size_t group, int score, const std::vector<game::Cell>& moves);
  std::vector<OpenPosition> open_set(const PlayedGame& game, double share);
  RootedTree rooted_tree_at(const PlayedGame& game, const OpenPosition& open);

  const SearchContext& context_;
  FoundLines& lines_;
  const int bonus_left_out_;
  NodePool pool_;
  std::vector<std::uint64_t> next_keys_;  // of requests, by group
  std::uint64_t trees_made_ = 0;
  mutable std::mutex mutex_;  // guards what follows; the thread of the search reads `groups_` without it
  std::vector<std::unique_ptr<TreeGroup>> groups_;
  TreeGroup::Figures of_past_trees_;
};

}  // namespace chainshot::host
