#include "host/tree/parallel/tree_group.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace chainshot::host {
namespace {

// Walks that one tree takes before the next tree is chosen: walks that go down together share most of their way.
constexpr std::uint64_t kTurn = 16;

constexpr std::uint64_t kBeamFlights = 8;  // a part of the walks between two prunings may be in flight at a time

}  // namespace

TreeGroup::TreeGroup(const TreeSettings& settings, std::uint64_t first_key, std::function<int()> score_to_beat,
                     LineSink found)
    : settings_(settings),
      rule_(&selection_rule(settings.selection.rule)),
      next_key_(first_key),
      score_to_beat_(std::move(score_to_beat)),
      found_(std::move(found)) {}

double TreeGroup::score_of(const SearchTree& tree) const {
  const MoveStatistics statistics = tree.root_statistics();
  if (statistics.visits == 0) return std::numeric_limits<double>::infinity();
  if (tree.visits() == 0) return -std::numeric_limits<double>::infinity();  // its first playouts are in flight
  const SelectionSettings& selection = settings_.selection;
  if (rule_->score != nullptr) return rule_->score(statistics, selection, selection.c, set_range_, set_visits_);
  return rule_->value(statistics, selection, set_range_) +
         set_range_ * selection.c * std::sqrt(std::log(set_visits_) / statistics.visits);
}

std::uint64_t TreeGroup::fill(LeafBatch& leaf_batch, std::uint64_t walks, std::uint32_t playouts) {
  std::uint64_t taken = 0;
  if (settings_.beam.width > 0) walks = std::min(walks, walks_of_beam());
  if (rooted_trees_.size() == 1) {
    while (taken < walks && take_walks(leaf_batch, 0, walks - taken, playouts, taken)) {
    }
    return taken;
  }
  if (order_.empty() || walks_since_order_ >= rooted_trees_.size()) set_in_order();
  while (taken < walks && !order_.empty()) {
    std::pop_heap(order_.begin(), order_.end());
    Candidate& candidate = order_.back();
    if (take_walks(leaf_batch, candidate.tree_index, std::min(walks - taken, kTurn), playouts, taken)) {
      candidate.score = score_of(*rooted_trees_[static_cast<std::size_t>(candidate.tree_index)].tree);
      std::push_heap(order_.begin(), order_.end());
    } else {
      order_.pop_back();
    }
  }
  walks_since_order_ += taken;
  return taken;
}

// How many walks the beam may begin now. It is pruned when the last walk before that is back, and few walks are in
// flight, because those do not know what the beam has learned since.
std::uint64_t TreeGroup::walks_of_beam() {
  SearchTree& tree = *rooted_trees_.front().tree;
  const auto in_flight = static_cast<std::uint64_t>(tree.in_flight());
  if (tree.is_pruning_due() && in_flight == 0) tree.prune();
  const std::uint64_t most = std::max<std::uint64_t>(1, tree.simulation_limit() / kBeamFlights);
  return std::min(tree.walks_before_pruning(), most - std::min(most, in_flight));
}

// Ordering the whole set takes as long as many walks. Between two orderings only trees that give walks change their
// places.
void TreeGroup::set_in_order() {
  set_visits_ = 1;
  int best = 1;
  for (const RootedTree& rooted : rooted_trees_) {
    set_visits_ += static_cast<double>(rooted.tree->visits()) + rooted.tree->in_flight();
    best = std::max(best, rooted.tree->best());
  }
  const SelectionSettings& selection = settings_.selection;
  set_range_ = selection.normalisation == Normalisation::kNone     ? 1
               : selection.normalisation == Normalisation::kStatic ? selection.range
                                                                   : best;
  order_.clear();
  for (std::size_t i = 0; i < rooted_trees_.size(); ++i)
    order_.push_back({score_of(*rooted_trees_[i].tree), static_cast<int>(i)});
  std::make_heap(order_.begin(), order_.end());
  walks_since_order_ = 0;
}

bool TreeGroup::take_walks(LeafBatch& leaf_batch, int tree_index, std::uint64_t most, std::uint32_t playouts,
                           std::uint64_t& taken) {
  const RootedTree& source = tree_numbered(tree_index);
  const std::span<Walk> walks = leaf_batch.room(most);
  if (walks.empty()) return false;
  descents_.resize(walks.size());
  source.tree->descend(walks, descents_);
  std::size_t unused = 0;
  const std::uint64_t before = leaf_batch.playouts();
  for (std::size_t i = 0; i < walks.size(); ++i) {
    Walk& walk = walks[i];
    switch (descents_[i]) {
      case Descent::kLeaf: {
        const bool look_ahead = settings_.look_ahead > 0 && ++iterations_ % settings_.look_ahead == 0;
        next_key_ = leaf_batch.add(walk, tree_index, playouts, look_ahead, next_key_);
        wanted_ += playouts;
        ++taken;
        break;
      }
      case Descent::kFinished:
        if (walk.points > score_to_beat_()) report(source, walk, walk.points, {});
        ++taken;
        break;
      case Descent::kKnown:
        ++taken;
        break;
      case Descent::kBlocked:
      case Descent::kProven:
        ++unused;
        break;
    }
  }
  leaf_batch.give_back_room(unused);
  asked_ += leaf_batch.playouts() - before;
  return unused == 0;
}

void TreeGroup::complete(const LeafBatch& leaf_batch) {
  walks_.clear();
  results_.clear();
  const std::vector<LeafBatch::Leaf>& leaves = leaf_batch.leaves();
  for (const LeafBatch::Leaf& leaf : leaves) {
    walks_.push_back(leaf.walk);
    results_.push_back(leaf_batch.result_of(leaf));
  }
  // A tree gets the results of consecutive leaves of its own in one call.
  for (std::size_t first = 0, end; first < leaves.size(); first = end) {
    const int tree_index = leaves[first].tree_index;
    for (end = first + 1; end < leaves.size() && leaves[end].tree_index == tree_index;)
      ++end;
    tree_numbered(tree_index)
        .tree->complete(std::span(walks_).subspan(first, end - first), std::span(results_).subspan(first, end - first));
  }
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (results_[i].best > score_to_beat_())
      report(tree_numbered(leaves[i].tree_index), *walks_[i], results_[i].best, leaf_batch.best_line_of(leaves[i]));
  playouts_ += leaf_batch.playouts();
  publish_now_and_then();
}

void TreeGroup::set_allowance(std::size_t chunks) {
  allowance_ = chunks;
  for (const RootedTree& rooted : rooted_trees_)
    rooted.tree->set_allowance(&allowance_);
}

std::uint64_t TreeGroup::known() const {
  std::uint64_t visits = 0;
  for (const RootedTree& rooted : rooted_trees_)
    visits += rooted.tree->visits();
  return visits;
}

double TreeGroup::playouts_requested(std::uint32_t leaf_playouts) const {
  if (wanted_ > 0) return static_cast<double>(asked_) / static_cast<double>(wanted_);
  if (settings_.look_ahead == 0) return 1;
  // Before any playout was counted, assume that a leaf has as many moves as its root.
  std::size_t most_moves = 0;
  for (const RootedTree& rooted : rooted_trees_)
    most_moves = std::max(most_moves, rooted.tree->root_position().groups().size());
  return 1 + std::max(0.0, static_cast<double>(most_moves) / leaf_playouts - 1) / settings_.look_ahead;
}

void TreeGroup::abandon(const LeafBatch& leaf_batch) {
  for (const LeafBatch::Leaf& leaf : leaf_batch.leaves())
    tree_numbered(leaf.tree_index).tree->abandon(*leaf.walk);
}

void TreeGroup::report(const RootedTree& rooted, const Walk& walk, int score, std::span<const game::Cell> rest) {
  std::vector<game::Cell> below, moves = rooted.way;
  rooted.tree->moves_of(walk, below);
  moves.insert(moves.end(), below.begin(), below.end());
  moves.insert(moves.end(), rest.begin(), rest.end());
  found_(score, moves);
}

TreeCounts counts_of(const RootedTree& rooted) {
  TreeCounts counts = rooted.tree->counts();
  const int above = static_cast<int>(rooted.way.size()) - rooted.tree->advanced();
  counts.steps += counts.walks * static_cast<std::uint64_t>(above);
  counts.deepest += above;
  return counts;
}

TreeCounts TreeGroup::counts() const {
  TreeCounts sum;
  for (const RootedTree& rooted : rooted_trees_)
    sum += counts_of(rooted);
  return sum;
}

TreeGroup::Figures TreeGroup::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

void TreeGroup::publish() {
  const Figures figures{counts(), playouts_};
  const std::lock_guard lock(mutex_);
  published_ = figures;
}

// Adding up the trees of a large set takes as long as many walks.
void TreeGroup::publish_now_and_then() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_publication_) return;
  next_publication_ = now + std::chrono::milliseconds(20);
  publish();
}

void distribute_trees(std::vector<RootedTree> rooted_trees, std::span<const std::unique_ptr<TreeGroup>> tree_groups) {
  std::stable_sort(rooted_trees.begin(), rooted_trees.end(),
                   [](const RootedTree& a, const RootedTree& b) { return a.tree->average() > b.tree->average(); });
  for (std::size_t i = 0; i < rooted_trees.size(); ++i) {
    const std::size_t lap = i / tree_groups.size(), place = i % tree_groups.size();
    tree_groups[lap % 2 == 0 ? place : tree_groups.size() - 1 - place]->rooted_trees().push_back(
        std::move(rooted_trees[i]));
  }
}

void divide_memory(const NodePool& pool, std::span<const std::unique_ptr<TreeGroup>> tree_groups) {
  const std::size_t free = pool.free_chunks();
  for (std::size_t i = 0; i < tree_groups.size(); ++i)
    tree_groups[i]->set_allowance(free / tree_groups.size() + (i < free % tree_groups.size() ? 1 : 0));
}

}  // namespace chainshot::host
