#include "host/tree/tree_search.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "game/playout.hpp"
#include "game/random.hpp"
#include "host/tree/budget_tracker.hpp"
#include "host/tree/moves/game_line.hpp"
#include "host/tree/moves/move_choice.hpp"
#include "host/tree/moves/move_shares.hpp"
#include "host/tree/parallel/leaf_playouts.hpp"
#include "host/tree/parallel/open_set.hpp"
#include "host/tree/parallel/scheduler.hpp"
#include "host/tree/parallel/tree_group.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kFirstRound = 64;      // walks
constexpr std::uint64_t kRoundsPerPhase = 16;  // at least; between rounds the set is dealt anew
constexpr std::uint64_t kLongestRound = 1 << 22;
constexpr std::size_t kChunksOfTree = 8;    // of memory: with fewer a tree cannot grow
constexpr double kWalksOfTree = 8;          // a set is no larger than a budget gives its trees so many
constexpr std::uint64_t kWalksOfGame = 64;  // a further game is worth so many: one a move, about
constexpr std::uint64_t kLastWalks = 16;    // at once, where only experience tells what they cost
constexpr double kTreeSeconds = 0.4e-3;     // to plant one in memory that was never touched: amply
constexpr double kPlantingShare = 0.25;     // of the time, at most
constexpr double kLeastUnits = 2048;        // of a move (Klein 2015, 6.8)

// Keys of requests: 20 bits for the tree_group, the rest counts on from one planting to the next. The last tree_group
// stands for ends of games that no tree has seen.
constexpr int kCountBits = 44;

RequestTerms terms_of(const SearchTask& task, const TreeSettings& settings) {
  return {.seed = task.seed,
          .scoring = task.scoring,
          .policy = settings.policy,
          .merges_equal = settings.duplicates != Duplicates::kIgnore,
          .merges_symmetric = settings.merges_symmetric};
}

// Groups of trees that can be searched at the same time.
std::size_t tree_groups_of(const TreeSettings& settings, int threads) {
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

class TreeSearch final : public Search {
 public:
  TreeSearch(const SearchTask& task, const TreeSettings& settings, const Budget& budget,
             const std::vector<game::Engine*>& engines, int threads, Incumbent& incumbent, std::string_view name)
      : name_(name),
        task_(task),
        settings_(settings),
        threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        incumbent_(incumbent),
        pool_(settings.bytes_for_nodes()),
        budget_tracker_(budget, task.board.blocks()),
        leaf_playouts_(settings, budget_tracker_.playouts_of_budget(), engines, threads_with_trees(settings, threads_)),
        scheduler_(engines, terms_of(task, settings), threads_, settings.in_flight, pool_.cap() / (kWalksShare - 1),
                   settings.deterministic) {
    selection_rule(settings.selection.rule);  // throws if there is none
  }

  void run(std::stop_token stop) override {
    stop_ = std::move(stop);
    budget_tracker_.begin();
    const int searches = searches_served();
    for (int i = 0; i < searches && !is_halted() && !proven_; ++i) {
      search_game(static_cast<double>(i) / searches, 1.0 / searches);
      if (moves_on()) played_score_ = std::max(played_score_.load(), finish_played_game());
    }
    if (moves_on()) spend_rest();
  }

  void cancel_pending() override { scheduler_.cancel(); }
  SearchStatus status() const override;

 private:
  bool is_halted() const { return stop_.stop_requested() || budget_tracker_.is_out_of_time(); }
  bool moves_on() const { return settings_.allocation != Allocation::kPerGame; }

  // A game's search, with the share of the budget from `begin` on.
  void search_game(double begin, double share);
  int searches_served() const;
  void spend_rest();
  void spend_until(double share);
  bool leaves_moves_out() const { return settings_.vs_pruning || settings_.duplicates == Duplicates::kNaive; }
  void prepare_round();
  RoundReport run_round(const RoundPlan& plan);
  std::uint64_t round_size(std::uint64_t phase_start, double share) const;

  // TreeGroups.
  void plant(double share);
  void add_tree_groups(std::size_t count);
  double most_trees(double share) const;
  double most_planted(double share) const;
  std::vector<OpenPosition> open_set(double share);
  void deal();
  void retire(const TreeGroup& tree_group);
  RootedTree rooted_tree_at(const OpenPosition& open);
  std::vector<RootedTree*> rooted_trees() const;
  bool is_closed() const;

  // Lines.
  int score_to_beat(std::size_t tree_group) const;
  void take_line(std::size_t tree_group, int score, const std::vector<game::Cell>& moves);
  void keep(ScoredLine line);
  void admit_foreign_line();

  // Moves.
  bool make_move();
  int finish_played_game();

  const std::string_view name_;
  const SearchTask task_;
  TreeSettings settings_;
  const int threads_;
  Incumbent& incumbent_;
  NodePool pool_;
  BudgetTracker budget_tracker_;
  LeafPlayouts leaf_playouts_;
  Scheduler scheduler_;
  std::stop_token stop_;
  std::atomic<bool> proven_ = false;
  std::atomic<int> played_score_ = kNoScore;
  std::vector<std::uint64_t> next_keys_;  // by tree_group
  std::uint64_t next_end_ = ~std::uint64_t{0} << kCountBits;
  std::uint64_t trees_made_ = 0;
  std::uint64_t foreign_version_ = 0;

  std::vector<game::Cell> played_;  // moves made, and where they led
  game::Position position_;
  int points_ = 0;
  GameLine line_;
  std::vector<ScoredLine> finds_;  // by tree_group; deterministic rounds gather them

  mutable std::mutex tree_groups_mutex_;  // guards the list, which only `run` changes, and what is retired
  std::vector<std::unique_ptr<TreeGroup>> tree_groups_;
  TreeGroup::Figures retired_;  // of trees that are gone
};

SearchStatus TreeSearch::status() const {
  SearchStatus status;
  TreeCounts sum;
  {
    const std::lock_guard lock(tree_groups_mutex_);
    std::vector<TreeGroup::Figures> all = {retired_};
    for (const auto& tree_group : tree_groups_)
      all.push_back(tree_group->published());
    for (const TreeGroup::Figures& figures : all) {
      status.playouts += figures.playouts;
      sum += figures.trees;
    }
  }
  const EngineFigures engines = scheduler_.figures();
  status.nodes_visited = sum.nodes_visited;
  status.resource_units = sum.resource_units;
  const double mean_depth = sum.walks == 0 ? 0 : static_cast<double>(sum.steps) / static_cast<double>(sum.walks);
  status.figures = {
      {"busy_share", engines.busy_share, FigureStyle::kPercent, "engine busy", "busy"},
      {"nodes", static_cast<double>(sum.nodes), FigureStyle::kCount, "nodes"},
      {"depth", static_cast<double>(sum.deepest), FigureStyle::kNumber, "depth", "depth", true},
      {"mean_depth", mean_depth},
      {"memory_bytes", static_cast<double>(pool_.bytes())},
      {"batch_fill", engines.batch_fill},
      {"in_flight", engines.in_flight},
      {"leaf_playouts", static_cast<double>(leaf_playouts_.now())},
  };
  status.proven = proven_;
  if (const int played = played_score_; played != kNoScore) status.played_score = played;
  return status;
}

void TreeSearch::search_game(double begin, double share) {
  played_.clear();
  position_ = task_.board;
  points_ = 0;
  line_.forget();
  bool has_trees = false;
  double spent_before = 0;
  for (const double spent :
       spent_after_moves(settings_.allocation, budget_tracker_.share_of_units(kLeastUnits) / share)) {
    if (!has_trees) plant(share * (spent - std::exchange(spent_before, spent)));
    spend_until(begin + share * spent);
    if (is_halted() || proven_ || !moves_on()) break;
    const bool has_moved = make_move();
    if (!position_.has_moves()) break;
    has_trees = !has_moved || settings_.keeps_tree_below_move();
  }
}

// As many of the searches asked for as the budget can serve.
int TreeSearch::searches_served() const {
  const double served = std::min(budget_tracker_.walks_of_budget(leaf_playouts_.now()) / kWalksOfTree, most_planted(1));
  return std::max(1, static_cast<int>(std::min<double>(settings_.restarts, served)));
}

// A game may end before its budget does. What is left goes to further games, which are not the one that was asked for.
void TreeSearch::spend_rest() {
  const auto has_rest = [&] { return budget_tracker_.walks_until(1, leaf_playouts_.now()) >= kWalksOfGame; };
  for (double spent = 0; !is_halted() && !proven_ && has_rest() && budget_tracker_.share() > spent;) {
    spent = budget_tracker_.share();
    search_game(spent, 1 - spent);
    finish_played_game();
  }
}

void TreeSearch::spend_until(double share) {
  const std::uint64_t phase_start = budget_tracker_.used().walks;
  while (!is_halted()) {
    prepare_round();
    if (is_closed()) break;
    const std::uint64_t walks = round_size(phase_start, share);
    if (walks == 0) break;
    const std::uint32_t playouts = leaf_playouts_.now();
    const RoundReport report = run_round({walks, playouts, budget_tracker_.playouts_until(share, playouts)});
    for (const auto& tree_group : tree_groups_)
      tree_group->publish();
    const SearchStatus now = status();
    budget_tracker_.set_used({.walks = budget_tracker_.used().walks + report.walks,
                              .playouts = now.playouts,
                              .nodes = now.nodes_visited,
                              .resource_units = now.resource_units});
    if (report.walks == 0 && !is_closed()) {  // all that is left was left out, in this search as in further ones
      if (is_halted() || moves_on() || !leaves_moves_out()) break;
      settings_.duplicates = Duplicates::kDynamic;
      settings_.vs_pruning = false;
      plant(share - budget_tracker_.share());
    }
    leaf_playouts_.learn(report);
  }
}

// Lines that have waited for its end are kept even if it fails.
RoundReport TreeSearch::run_round(const RoundPlan& plan) {
  const auto keep_finds = [this] {
    for (ScoredLine& find : finds_)
      if (find.score > line_.score()) keep(std::move(find));
  };
  try {
    const RoundReport report = scheduler_.run(tree_groups_, plan, [this] { return is_halted(); });
    keep_finds();
    return report;
  } catch (...) {
    keep_finds();
    throw;
  }
}

// A round is about as long as all before it, so that a leaf_batch is a small part of what the trees know; and no longer
// than a part of its phase.
std::uint64_t TreeSearch::round_size(std::uint64_t phase_start, double share) const {
  const std::uint32_t playouts = leaf_playouts_.now();
  std::uint64_t visited = 0;
  double factor = 1;
  for (const auto& tree_group : tree_groups_) {
    visited += tree_group->counts().walks;
    factor = std::max(factor, tree_group->playouts_for_each(playouts));
  }
  std::uint64_t left = budget_tracker_.walks_until(share, factor * playouts);
  if (left == 0) left = budget_tracker_.walks_until(share, playouts);
  if (budget_tracker_.is_rough() && left > kLastWalks) left = (left + 1) / 2;
  const std::uint64_t phase = budget_tracker_.used().walks - phase_start + left;
  return std::min(
      {left, std::max(kFirstRound, visited), std::max(kFirstRound, phase / kRoundsPerPhase), kLongestRound});
}

void TreeSearch::prepare_round() {
  if (!settings_.deterministic) admit_foreign_line();
  const int best = moves_on() ? line_.score() : incumbent_.score();
  const double left = std::max(0.0, 1 - budget_tracker_.share());
  for (RootedTree* rooted : rooted_trees()) {
    if (best != kNoScore) rooted->tree->raise_known_best(best);
    rooted->tree->set_budget_left(left);
  }
  if (settings_.mode == ParallelMode::kSet) deal();
  if (settings_.deterministic) divide_memory(pool_, tree_groups_);
  finds_.assign(tree_groups_.size(), {});
  if (is_closed() && played_.empty()) proven_ = true;
}

// Nothing is left to find: of a set in all trees, of independent trees in any.
bool TreeSearch::is_closed() const {
  const auto all = rooted_trees();
  const auto is_proven = [](const RootedTree* rooted) { return rooted->tree->is_proven(); };
  return settings_.mode == ParallelMode::kRoot ? std::any_of(all.begin(), all.end(), is_proven)
                                               : std::all_of(all.begin(), all.end(), is_proven);
}

std::vector<RootedTree*> TreeSearch::rooted_trees() const {
  std::vector<RootedTree*> all;
  for (const auto& tree_group : tree_groups_)
    for (RootedTree& rooted : tree_group->rooted_trees())
      all.push_back(&rooted);
  return all;
}

RootedTree TreeSearch::rooted_tree_at(const OpenPosition& open) {
  RootedTree rooted{.way = played_, .tree = nullptr};
  rooted.way.insert(rooted.way.end(), open.way.begin(), open.way.end());
  rooted.tree = std::make_unique<Tree>(pool_, open.position, open.points, settings_, task_.scoring,
                                       game::mix64(task_.seed ^ game::mix64(trees_made_++)));
  return rooted;
}

// New trees at the position reached, for a share of the budget; what grew before is given back first. Whoever asks for
// more trees than memory and time allow gets as many as they do.
void TreeSearch::plant(double share) {
  {
    const std::lock_guard lock(tree_groups_mutex_);
    for (std::size_t i = 0; i < tree_groups_.size(); ++i) {
      next_keys_[i] = tree_groups_[i]->next_key();
      retire(*tree_groups_[i]);
    }
    tree_groups_.clear();
  }
  foreign_version_ = 0;  // new trees do not know that line
  const std::size_t count = tree_groups_of(settings_, threads_);
  if (settings_.mode == ParallelMode::kSet) {
    const std::vector<OpenPosition> open = open_set(share);
    add_tree_groups(std::clamp<std::size_t>(open.size(), 1, count));
    for (std::size_t i = 0; i < open.size() && (i == 0 || !is_halted()); ++i)
      tree_groups_[i % tree_groups_.size()]->rooted_trees().push_back(rooted_tree_at(open[i]));
  } else {
    const auto most = static_cast<std::size_t>(std::min(static_cast<double>(count), most_trees(share)));
    std::vector<RootedTree> rooted_trees;
    while (rooted_trees.size() < most && (rooted_trees.empty() || !is_halted()))
      rooted_trees.push_back(rooted_tree_at({position_, points_, {}}));
    add_tree_groups(rooted_trees.size());
    for (std::size_t i = 0; i < rooted_trees.size(); ++i)
      tree_groups_[i]->rooted_trees().push_back(std::move(rooted_trees[i]));
  }
}

void TreeSearch::add_tree_groups(std::size_t count) {
  const std::lock_guard lock(tree_groups_mutex_);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == next_keys_.size()) next_keys_.push_back(std::uint64_t{i} << kCountBits);
    tree_groups_.push_back(std::make_unique<TreeGroup>(
        settings_, next_keys_[i], [this, i] { return score_to_beat(i); },
        [this, i](int score, const std::vector<game::Cell>& moves) { take_line(i, score, moves); }));
  }
  finds_.assign(count, {});
}

// That the memory and the time of a share of the budget are enough for.
double TreeSearch::most_trees(double share) const {
  const double by_memory = static_cast<double>(pool_.cap()) / (kChunksOfTree * kChunkBytes);
  return std::max(1.0, std::min(by_memory, most_planted(share)));
}

// That the time of a share of the budget is enough for, one after the other or side by side.
double TreeSearch::most_planted(double share) const {
  return kPlantingShare * share * budget_tracker_.seconds_of_budget() / kTreeSeconds;
}

// The positions of a set that a share of the budget and the memory are enough for; games that end before them are kept.
std::vector<OpenPosition> TreeSearch::open_set(double share) {
  const double by_walks = share * budget_tracker_.walks_of_budget(leaf_playouts_.now()) / kWalksOfTree;
  OpenSet set =
      open_positions(position_, points_,
                     {.wanted = settings_.set_size > 0 ? static_cast<std::size_t>(settings_.set_size) : kDefaultSetSize,
                      .most = static_cast<std::size_t>(std::max(1.0, std::min(by_walks, most_trees(share))))},
                     settings_, task_.scoring, [this] { return is_halted(); });
  for (const OpenPosition& over : set.ended) {
    std::vector<game::Cell> moves = played_;
    moves.insert(moves.end(), over.way.begin(), over.way.end());
    keep({over.points, std::move(moves)});
  }
  return std::move(set.open);
}

// Deals the trees of a set out again; those that are proven go.
void TreeSearch::deal() {
  std::vector<RootedTree> all;
  const std::lock_guard lock(tree_groups_mutex_);
  for (const auto& tree_group : tree_groups_) {
    for (RootedTree& rooted : tree_group->rooted_trees()) {
      if (rooted.tree->is_proven())
        retired_.trees += counts_of(rooted).without_memory();
      else
        all.push_back(std::move(rooted));
    }
    tree_group->rooted_trees().clear();
    tree_group->forget_order();
  }
  deal_out(std::move(all), tree_groups_);
  for (const auto& tree_group : tree_groups_)
    tree_group->publish();
}

void TreeSearch::retire(const TreeGroup& tree_group) {
  retired_.playouts += tree_group.published().playouts;
  retired_.trees += tree_group.counts().without_memory();
}

// What a line must beat to be worth a replay.
int TreeSearch::score_to_beat(std::size_t tree_group) const {
  if (settings_.deterministic) return std::max(finds_[tree_group].score, line_.score());
  return moves_on() ? line_.score() : incumbent_.score();
}

// In a deterministic round lines wait for its end: the first of equals must not depend on threads.
void TreeSearch::take_line(std::size_t tree_group, int score, const std::vector<game::Cell>& moves) {
  if (settings_.deterministic)
    finds_[tree_group] = {score, moves};
  else
    keep({score, moves});
}

void TreeSearch::keep(ScoredLine line) {
  incumbent_.offer(line.score, line.moves, name_);
  line_.offer(std::move(line));
}

// The line of another search becomes a path wherever it leads through the root of a tree.
void TreeSearch::admit_foreign_line() {
  const BestLine best = incumbent_.best();
  if (std::exchange(foreign_version_, best.version) == best.version || best.source == name_) return;
  const auto all = rooted_trees();
  game::Position position = task_.board;
  int points = 0;
  for (std::size_t i = 0; i < best.moves.size(); ++i) {
    const std::span rest = std::span(best.moves).subspan(i);
    for (RootedTree* rooted : all) {
      if (rooted->tree->root_position() != position) continue;
      // From the tree's own way the line's end is a line of this search, and may earn more than the other's did.
      std::vector<game::Cell> moves = rooted->way;
      moves.insert(moves.end(), rest.begin(), rest.end());
      keep({best.score + rooted->tree->root_points() - points, std::move(moves)});
      rooted->tree->add_line(rest);
    }
    points += task_.scoring.group_points(position.apply(best.moves[i]));
  }
}

// False if nothing is known of the moves yet.
bool TreeSearch::make_move() {
  const std::vector<RootedTree*> all = rooted_trees();
  std::vector<const RootedTree*> asked(all.begin(), all.end());
  if (settings_.mode == ParallelMode::kRoot && !settings_.merges_trees) {
    asked = {*std::max_element(asked.begin(), asked.end(), [](const RootedTree* a, const RootedTree* b) {
      return a->tree->best() < b->tree->best();
    })};
  }
  const std::optional<KnownLine> line = line_.after(played_.size());
  const std::optional<game::Cell> move =
      choose_move(asked, played_.size(), position_, task_.scoring, settings_.move_choice, line);
  if (!move) return false;
  const game::CellSet group = position_.component(*move);
  if (!line || (group[line->move.row] >> line->move.column & 1U) == 0) line_.forget();
  points_ += task_.scoring.group_points(position_.apply(*move));
  played_.push_back(*move);
  if (!position_.has_moves() || !settings_.keeps_tree_below_move()) return true;
  for (RootedTree* rooted : all) {
    rooted->tree->advance_root(*move);
    rooted->way.push_back(*move);
  }
  return true;
}

// The end of the game the moves have led into: the best line known from there, or a playout.
int TreeSearch::finish_played_game() {
  if (!line_.is_known()) {
    std::vector<game::Cell> rest;
    const game::PlayoutRules rules(settings_.policy, task_.scoring, position_);
    const game::PlayoutKey key{task_.seed, next_end_++, 0};
    const int score = game::play(position_, rules, key, points_, &rest).score;
    ScoredLine game{score, played_};
    game.moves.insert(game.moves.end(), rest.begin(), rest.end());
    keep(std::move(game));
  }
  return line_.score();
}

}  // namespace

int threads_with_trees(const TreeSettings& settings, int threads) {
  return std::min(threads, static_cast<int>(tree_groups_of(settings, threads)));
}

std::unique_ptr<Search> make_tree_search(const SearchTask& task, const TreeSettings& settings, const Budget& budget,
                                         const std::vector<game::Engine*>& engines, int threads, Incumbent& incumbent,
                                         std::string_view name) {
  TreeSettings of_game = settings;
  of_game.policy = settings.policy.for_game_from(task.board);
  // A colour that was named must keep its name.
  if (settings.policy.tabu_color >= 0) of_game.merges_symmetric = false;
  return std::make_unique<TreeSearch>(task, of_game, budget, engines, threads, incumbent, name);
}

}  // namespace chainshot::host
