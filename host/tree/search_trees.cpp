#include "host/tree/search_trees.hpp"

#include <algorithm>
#include <utility>

#include "game/random.hpp"
#include "host/tree/core/tree.hpp"
#include "host/tree/graph/graph.hpp"
#include "host/tree/parallel/nested_group.hpp"

namespace chainshot::host {
namespace {

constexpr std::size_t kChunksPerTree = 8;   // of memory: with fewer a tree cannot grow
constexpr double kSecondsPerTree = 0.4e-3;  // to set up a tree in memory that was never touched: a generous estimate
constexpr double kSetUpShare = 0.25;        // of the time, at most

// Keys of requests: 20 bits number the group, the others count on from one set of trees to the next.
constexpr int kKeyCountBits = 44;

}  // namespace

std::size_t group_count(const TreeSettings& settings, int threads) {
  switch (settings.mode) {
    case ParallelMode::kRoot:
      if (settings.trees > 0) return static_cast<std::size_t>(settings.trees);
      [[fallthrough]];
    case ParallelMode::kSet:
      return static_cast<std::size_t>(settings.deterministic ? kDeterministicTreeGroups : threads);
    default:
      return 1;
  }
}

SearchTrees::SearchTrees(const SearchContext& context, FoundLines& lines)
    : context_(context),
      lines_(lines),
      bonus_left_out_(context.bonus_left_out()),
      pool_(bytes_for_outer_trees(context.settings)) {}

void SearchTrees::make(const PlayedGame& game, double share) {
  clear();
  lines_.forget_foreign();  // new trees do not have the paths of foreign lines
  const std::size_t count = group_count(context_.settings, context_.threads);
  if (context_.settings.mode == ParallelMode::kSet) {
    const std::vector<OpenPosition> open = open_set(game, share);
    add_groups(std::clamp<std::size_t>(open.size(), 1, count));
    for (std::size_t i = 0; i < open.size() && (i == 0 || !context_.is_halted()); ++i)
      groups_[i % groups_.size()]->rooted_trees().push_back(rooted_tree_at(game, open[i]));
  } else {
    const auto most = static_cast<std::size_t>(std::min(static_cast<double>(count), most_trees(share)));
    std::vector<RootedTree> trees;
    while (trees.size() < most && (trees.empty() || !context_.is_halted()))
      trees.push_back(rooted_tree_at(game, {game.position, game.points, {}}));
    add_groups(trees.size());
    for (std::size_t i = 0; i < trees.size(); ++i)
      groups_[i]->rooted_trees().push_back(std::move(trees[i]));
  }
}

// Gives the memory of all trees back and keeps their figures.
void SearchTrees::clear() {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    next_keys_[i] = groups_[i]->next_key();
    of_past_trees_.playouts += groups_[i]->published().playouts;
    of_past_trees_.trees += groups_[i]->counts().without_memory();
  }
  groups_.clear();
}

void SearchTrees::add_groups(std::size_t count) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == next_keys_.size()) next_keys_.push_back(std::uint64_t{i} << kKeyCountBits);
    groups_.push_back(make_group(i, count));
  }
  lines_.begin_round(count);
}

// By the scoring of the trees: a line that beats this may score more.
int SearchTrees::score_to_beat(std::size_t group) const {
  const int score = lines_.score_to_beat(group);
  return score < kNoScore + bonus_left_out_ ? kNoScore : score - bonus_left_out_;
}

void SearchTrees::offer(std::size_t group, int score, const std::vector<game::Cell>& moves) {
  if (bonus_left_out_ != 0) {
    game::Position position = context_.task.board;
    score = 0;
    for (const game::Cell cell : moves)
      score += context_.task.scoring.group_points(position.apply(cell));
    score += position.final_points(context_.task.scoring);
    if (score <= lines_.score_to_beat(group)) return;
  }
  lines_.offer(group, score, moves);
}

std::unique_ptr<TreeGroup> SearchTrees::make_group(std::size_t i, std::size_t count) {
  const TreeSettings& settings = context_.settings;
  const auto score_to_beat = [this, i] { return this->score_to_beat(i); };
  const auto found = [this, i](int score, const std::vector<game::Cell>& moves) { offer(i, score, moves); };
  if (settings.nested.level == 1) return std::make_unique<TreeGroup>(settings, next_keys_[i], score_to_beat, found);
  return std::make_unique<NestedGroup>(settings, context_.task, pool_.cap() / count, next_keys_[i], score_to_beat,
                                       found);
}

// How many trees memory and set-up time allow.
double SearchTrees::most_trees(double share) const {
  const double by_memory = static_cast<double>(pool_.cap()) / (kChunksPerTree * kChunkBytes);
  return std::max(1.0, std::min(by_memory, most_by_time(share)));
}

double SearchTrees::most_by_time(double share) const {
  return kSetUpShare * share * context_.budget.seconds_of_budget() / kSecondsPerTree;
}

// The positions of a set, as many as memory and a share of the budget allow. Games that end before them are kept.
std::vector<OpenPosition> SearchTrees::open_set(const PlayedGame& game, double share) {
  const TreeSettings& settings = context_.settings;
  const double by_walks = share * context_.budget.walks_of_budget(context_.leaf_playouts.now()) / kWalksPerTree;
  OpenSet set =
      open_positions(game.position, game.points,
                     {.wanted = settings.set_size > 0 ? static_cast<std::size_t>(settings.set_size) : kDefaultSetSize,
                      .most = static_cast<std::size_t>(std::max(1.0, std::min(by_walks, most_trees(share))))},
                     settings, context_.task.scoring, [this] { return context_.is_halted(); });
  for (const OpenPosition& over : set.ended) {
    std::vector<game::Cell> moves = game.moves;
    moves.insert(moves.end(), over.way.begin(), over.way.end());
    lines_.keep({over.points, std::move(moves)});
  }
  return std::move(set.open);
}

RootedTree SearchTrees::rooted_tree_at(const PlayedGame& game, const OpenPosition& open) {
  RootedTree rooted{.way = game.moves, .tree = nullptr};
  rooted.way.insert(rooted.way.end(), open.way.begin(), open.way.end());
  const TreeSettings settings = outer_settings(context_.settings);
  const game::Scoring scoring = context_.tree_scoring();
  const std::uint64_t seed = game::mix64(context_.task.seed ^ game::mix64(trees_made_++));
  if (settings.duplicates == Duplicates::kGraph)
    rooted.tree = std::make_unique<Graph>(pool_, open.position, open.points, settings, scoring, seed);
  else
    rooted.tree = std::make_unique<Tree>(pool_, open.position, open.points, settings, scoring, seed);
  return rooted;
}

void SearchTrees::rebalance() {
  std::vector<RootedTree> all;
  const std::lock_guard lock(mutex_);
  for (const auto& group : groups_) {
    for (RootedTree& rooted : group->rooted_trees()) {
      if (rooted.tree->is_proven())
        of_past_trees_.trees += counts_of(rooted).without_memory();
      else
        all.push_back(std::move(rooted));
    }
    group->rooted_trees().clear();
    group->forget_order();
  }
  distribute_trees(std::move(all), groups_);
  for (const auto& group : groups_)
    group->publish();
}

void SearchTrees::settle() {
  for (const auto& group : groups_)
    group->settle();
}

std::uint64_t SearchTrees::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = pool_.bytes();
  for (const auto& group : groups_)
    bytes += group->own_bytes();
  return bytes;
}

void SearchTrees::advance_roots(game::Cell move) {
  for (RootedTree* rooted : rooted_trees()) {
    rooted->tree->advance_root(move);
    rooted->way.push_back(move);
  }
}

std::vector<RootedTree*> SearchTrees::rooted_trees() const {
  std::vector<RootedTree*> all;
  for (const auto& group : groups_)
    for (RootedTree& rooted : group->rooted_trees())
      all.push_back(&rooted);
  return all;
}

bool SearchTrees::are_proven() const {
  const auto all = rooted_trees();
  const auto is_proven = [](const RootedTree* rooted) { return rooted->tree->is_proven(); };
  return context_.settings.mode == ParallelMode::kRoot ? std::any_of(all.begin(), all.end(), is_proven)
                                                       : std::all_of(all.begin(), all.end(), is_proven);
}

TreeGroup::Figures SearchTrees::figures() const {
  const std::lock_guard lock(mutex_);
  TreeGroup::Figures sum = of_past_trees_;
  for (const auto& group : groups_) {
    const TreeGroup::Figures figures = group->published();
    sum.playouts += figures.playouts;
    sum.trees += figures.trees;
  }
  return sum;
}

}  // namespace chainshot::host
