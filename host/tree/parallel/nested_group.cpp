#include "host/tree/parallel/nested_group.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "game/random.hpp"
#include "host/tree/core/tree.hpp"
#include "host/tree/search_context.hpp"
#include "host/tree/search_trees.hpp"

namespace chainshot::host {
namespace {

constexpr double kWalksOfTime = 1e6;  // that N is made for where only time limits the search
constexpr double kLeastInnerWalks = 16, kMostInnerWalks = 1e6;
constexpr double kMovesOfAllocations = 30;   // among which the budget is divided, if it is (moves/move_shares.cpp)
constexpr std::uint64_t kWaitingShare = 16;  // a search has this part of N in flight at most ...
constexpr std::uint64_t kKnownShare = 8;     // ... and this part of the walks whose results it knows, ...
constexpr std::uint64_t kLeastPlayed = 4, kLeastSearched = 1, kLeastOutermost = 2;  // ... but at least so many
constexpr std::size_t kSpareChunks = 8;  // of memory, before another inner tree is made
constexpr std::size_t kUpperShare = 2;   // inner trees above level 1 grow to this part of the memory at most

// Inner trees above level 1 may take this beside their first chunks. With little memory they have only those.
std::size_t upper_allowance(const NodePool& pool) {
  const std::size_t chunks = pool.cap() / kChunkBytes;
  return chunks < kUpperShare * kSpareChunks ? 0 : chunks / kUpperShare;
}

// All trees of a nested search are trees, none is a graph.
Tree& tree_in(const RootedTree& rooted) {
  return static_cast<Tree&>(*rooted.tree);
}

// Whether a tree has seen the end of a game.
bool has_line(const Tree& tree) {
  return tree.state().nodes.root().best > Node::kNothing;
}

// The root of an inner tree is a node of the tree above it, and does not count again.
TreeCounts inner_counts(const RootedTree& rooted) {
  TreeCounts counts = counts_of(rooted);
  --counts.nodes_visited;
  return counts;
}

}  // namespace

TreeSettings outer_settings(TreeSettings settings) {
  if (settings.nested.level > 1 && settings.nested.outer_c > 0) settings.selection.c = settings.nested.outer_c;
  return settings;
}

int inner_playouts_of(const TreeSettings& settings, const BudgetTracker& budget, int threads) {
  if (settings.nested.inner_playouts > 0) return settings.nested.inner_playouts;
  const int least = settings.deterministic ? kDeterministicPlayouts : 1;
  const double walks = budget.walks_of_budget(settings.leaf_playouts > 0 ? settings.leaf_playouts : least);
  const double moves = settings.allocation == Allocation::kPerGame ? 1 : kMovesOfAllocations;
  const double searches = (settings.restarts + settings.second_restarts) * moves;
  const double of_tree =
      std::isfinite(walks) ? walks / searches / static_cast<double>(group_count(settings, threads)) : kWalksOfTime;
  const double inner = std::round(std::pow(of_tree, 2.0 / (2 * settings.nested.level - 1)));
  return static_cast<int>(std::clamp(inner, kLeastInnerWalks, kMostInnerWalks));
}

std::uint64_t bytes_for_outer_trees(const TreeSettings& settings) {
  const std::uint64_t bytes = settings.bytes_for_nodes();
  if (settings.nested.level == 1) return bytes;
  return (bytes == 0 ? quarter_of_memory() : bytes) / 2;
}

NestedGroup::NestedGroup(const TreeSettings& settings, const SearchTask& task, std::uint64_t bytes,
                         std::uint64_t first_key, std::function<int()> score_to_beat, LineSink found)
    : TreeGroup(settings, first_key, std::move(score_to_beat), std::move(found)),
      scoring_(tree_scoring_of(task.scoring, settings)),
      seed_(game::mix64(task.seed ^ game::mix64(first_key + 1))),
      walks_per_search_(static_cast<std::uint64_t>(settings.nested.inner_playouts)),
      inner_pool_(std::max<std::uint64_t>(1, bytes)),
      upper_allowance_(upper_allowance(inner_pool_)) {}

std::uint64_t NestedGroup::fill(LeafBatch& leaf_batch, std::uint64_t walks, std::uint32_t playouts) {
  std::uint64_t taken = 0;
  while (taken < walks) {
    const std::uint64_t before = taken;
    for (std::size_t i = 0; i < searches_.size() && taken < walks; ++i)
      if (searches_[i] != nullptr && searches_[i]->level == 1) take_from(i, leaf_batch, walks, playouts, taken);
    if (taken < walks && !begin_search(taken) && taken == before) break;
  }
  return taken;
}

const RootedTree& NestedGroup::tree_of(const InnerSearch* search) const {
  return search == nullptr ? rooted_trees().front() : search->rooted;
}

bool NestedGroup::has_room(const InnerSearch& search) const {
  return !search.is_exhausted && search.begun < walks_per_search_ && search.waiting < most_waiting(search);
}

// A young tree with many walks in flight would search blindly.
std::uint64_t NestedGroup::most_waiting(const InnerSearch& search) const {
  return most_waiting(search.begun - search.waiting, search.level == 1 ? kLeastPlayed : kLeastSearched);
}

std::uint64_t NestedGroup::most_waiting(std::uint64_t known, std::uint64_t least) const {
  const std::uint64_t most = std::max<std::uint64_t>(1, walks_per_search_ / kWaitingShare);
  return std::min(most, std::max(known / kKnownShare, least));
}

// Walks of a search of level 1, until `taken` is `walks`.
void NestedGroup::take_from(std::size_t index, LeafBatch& leaf_batch, std::uint64_t walks, std::uint32_t playouts,
                            std::uint64_t& taken) {
  InnerSearch& search = *searches_[index];
  if (has_room(search)) {
    Tree& tree = tree_in(search.rooted);
    tree.set_budget_left(1 - static_cast<double>(search.begun) / static_cast<double>(walks_per_search_));
    // Its first walk makes sure that the search has a result, even if no line from here can be the best.
    if (settings().state_pruning && has_line(tree)) tree.raise_known_best(score_to_beat());
    const std::uint64_t before = taken, leaves = leaf_batch.size();
    const std::uint64_t most =
        std::min({walks_per_search_ - search.begun, most_waiting(search) - search.waiting, walks - taken});
    const bool has_more = take_walks(leaf_batch, static_cast<int>(index), most, playouts, taken);
    search.begun += taken - before;
    search.waiting += leaf_batch.size() - leaves;
    search.is_exhausted = !has_more && search.waiting == 0;
  }
  end_if_finished(&search);
}

// Begins an inner search, of the lowest level that any can. Returns false if none could, or if a game that ended in a
// tree took the place of the search.
bool NestedGroup::begin_search(std::uint64_t& taken) {
  for (int level = 2; level < settings().nested.level; ++level)
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      InnerSearch* const caller = searches_[i].get();
      if (caller == nullptr || caller->level != level) continue;
      if (has_room(*caller) && begin_search_below(caller, taken)) return true;
      end_if_finished(caller);
    }
  const std::uint64_t most = most_waiting(rooted_trees().front().tree->visits(), kLeastOutermost);
  return outer_waiting_ < most && begin_search_below(nullptr, taken);
}

bool NestedGroup::begin_search_below(InnerSearch* caller, std::uint64_t& taken) {
  const int level = (caller == nullptr ? settings().nested.level : caller->level) - 1;
  if (!may_add_tree(level)) return false;
  const RootedTree& above = tree_of(caller);
  Walk walk;
  switch (above.tree->descend(walk)) {
    case Descent::kLeaf:
      add_search(level, caller, std::move(walk));
      if (caller != nullptr) ++caller->begun;
      ++(caller == nullptr ? outer_waiting_ : caller->waiting);
      return true;
    case Descent::kFinished:
      if (walk.points > score_to_beat()) report(above, walk, walk.points, {});
      [[fallthrough]];
    case Descent::kKnown:
      if (caller != nullptr) ++caller->begun;
      ++taken;
      return false;
    case Descent::kBlocked:
    case Descent::kProven:
      if (caller != nullptr && caller->waiting == 0) caller->is_exhausted = true;
      return false;
  }
  return false;
}

// There is always a place for the first tree of a level.
bool NestedGroup::may_add_tree(int level) const {
  return inner_pool_.free_chunks() >= kSpareChunks ||
         std::none_of(searches_.begin(), searches_.end(),
                      [&](const auto& search) { return search != nullptr && search->level == level; });
}

void NestedGroup::add_search(int level, InnerSearch* caller, Walk walk) {
  auto place = std::find(searches_.begin(), searches_.end(), nullptr);
  if (place == searches_.end()) place = searches_.emplace(searches_.end());
  const RootedTree& above = tree_of(caller);
  RootedTree rooted{.way = above.way, .tree = nullptr};
  std::vector<game::Cell> moves;
  above.tree->moves_of(walk, moves);
  rooted.way.insert(rooted.way.end(), moves.begin(), moves.end());
  try {
    rooted.tree = std::make_unique<Tree>(inner_pool_, walk.position, walk.points,
                                         level == 1 ? settings() : outer_settings(settings()), scoring_,
                                         game::mix64(seed_ ^ game::mix64(trees_made_++)));
  } catch (...) {
    above.tree->abandon(walk);
    throw;
  }
  std::size_t beyond = 0;
  if (level > 1) {
    const std::size_t first = rooted.tree->counts().bytes / kChunkBytes, allowed = std::min(upper_allowance_, first);
    upper_allowance_ -= allowed;
    beyond = first - allowed;
    rooted.tree->set_allowance(&upper_allowance_);
  }
  *place = std::make_unique<InnerSearch>(InnerSearch{.level = level,
                                                     .caller = caller,
                                                     .walk = std::move(walk),
                                                     .rooted = std::move(rooted),
                                                     .beyond_allowance = beyond});
}

void NestedGroup::end_if_finished(const InnerSearch* search) {
  if (search == nullptr || search->waiting > 0) return;
  if (!search->is_exhausted && search->begun < walks_per_search_ && !search->rooted.tree->is_proven()) return;
  const auto place =
      std::find_if(searches_.begin(), searches_.end(), [&](const auto& other) { return other.get() == search; });
  end(static_cast<std::size_t>(place - searches_.begin()));
}

// The walk that waits for the search gets its result, if it has one.
void NestedGroup::end(std::size_t index) {
  std::unique_ptr<InnerSearch> search = std::move(searches_[index]);
  InnerSearch* const caller = search->caller;
  const Tree& tree = tree_in(search->rooted);
  Tree& above = tree_in(tree_of(caller));
  if (has_line(tree)) {
    game::Result result;
    result.add({}, tree.best(), 0);
    above.complete(search->walk, result, tree.upper() - tree.root_points());
    ++of_past_trees_.searches;
  } else {
    above.abandon(search->walk);
  }
  of_past_trees_ += inner_counts(search->rooted).without_memory();
  const std::size_t beyond = search->beyond_allowance;
  search.reset();  // the tree returns all its chunks to the allowance
  upper_allowance_ -= std::min(upper_allowance_, beyond);
  --(caller == nullptr ? outer_waiting_ : caller->waiting);
  end_if_finished(caller);
}

void NestedGroup::complete(const LeafBatch& leaf_batch) {
  TreeGroup::complete(leaf_batch);
  count_back(leaf_batch, true);
}

void NestedGroup::abandon(const LeafBatch& leaf_batch) {
  TreeGroup::abandon(leaf_batch);
  count_back(leaf_batch, false);
}

void NestedGroup::count_back(const LeafBatch& leaf_batch, bool answered) {
  for (const LeafBatch::Leaf& leaf : leaf_batch.leaves()) {
    InnerSearch& search = *searches_[static_cast<std::size_t>(leaf.tree_index)];
    --search.waiting;
    if (!answered) --search.begun;
  }
  for (const LeafBatch::Leaf& leaf : leaf_batch.leaves())
    end_if_finished(searches_[static_cast<std::size_t>(leaf.tree_index)].get());
}

void NestedGroup::settle() {
  for (int level = 1; level < settings().nested.level; ++level)
    for (std::size_t i = 0; i < searches_.size(); ++i)
      if (searches_[i] != nullptr && searches_[i]->level == level) end(i);
}

TreeCounts NestedGroup::counts() const {
  TreeCounts sum = TreeGroup::counts();
  sum += of_past_trees_;
  for (const auto& search : searches_)
    if (search != nullptr) sum += inner_counts(search->rooted);
  return sum;
}

}  // namespace chainshot::host
