#include "host/tree/tree_search.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "host/tree/found_lines.hpp"
#include "host/tree/game_search.hpp"
#include "host/tree/moves/move_shares.hpp"
#include "host/tree/parallel/nested_group.hpp"
#include "host/tree/parallel/scheduler.hpp"
#include "host/tree/round_loop.hpp"
#include "host/tree/search_context.hpp"
#include "host/tree/search_trees.hpp"
#include "machine/allowance.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kWalksPerGame = 64;  // that make a further game worthwhile: about one per move

RequestTerms terms_of(const SearchTask& task, const TreeSettings& settings) {
  return {.seed = task.seed,
          .scoring = tree_scoring_of(task.scoring, settings),
          .policy = settings.policy,
          .merges_equal = settings.duplicates != Duplicates::kIgnore,
          .merges_symmetric = settings.merges_symmetric};
}

SearchContext context_of(const SearchTask& task, const TreeSettings& settings, const Budget& budget,
                         const std::vector<game::Engine*>& engines, int threads) {
  const BudgetTracker tracker(budget, task.board.blocks());
  return {.task = task,
          .settings = settings,
          .threads = threads,
          .budget = tracker,
          .leaf_playouts = {settings, tracker.playouts_of_budget(), engines, threads_with_trees(settings, threads)}};
}

// Returns the number of searches asked for, but at most `most`, and at least one unless none is asked for.
int within(int asked, double most) {
  return asked == 0 ? 0 : std::max(1, static_cast<int>(std::min<double>(asked, most)));
}

// The games of a search, as many as it was asked for, and what it tells of itself.
class TreeSearch final : public Search {
 public:
  TreeSearch(const SearchTask& task, const TreeSettings& settings, const Budget& budget,
             const std::vector<game::Engine*>& engines, int threads, Incumbent& incumbent, std::string_view name)
      : context_(context_of(task, settings, budget, engines, threads)),
        lines_(context_, incumbent, name),
        trees_(context_, lines_),
        scheduler_(engines, terms_of(task, settings), threads, settings.in_flight,
                   trees_.pool().cap() / (kWalksShare - 1), settings.deterministic),
        rounds_(context_, lines_, trees_, scheduler_),
        game_(context_, lines_, trees_, rounds_) {
    selection_rule(settings.selection.rule);  // throws if there is none of that name
  }

  void run(const SearchClock& clock, std::stop_token stop) override {
    context_.stop = std::move(stop);
    context_.budget.begin(clock);
    const TreeSettings& settings = context_.settings;
    const int second = settings.second_restarts;
    const double most = affordable_searches() / (second > 0 ? 2 : 1);
    for (const SearchShare& search : search_shares(within(settings.restarts, most), within(second, most))) {
      if (!goes_on()) break;
      search_share(search.begin, search.share);
      if (context_.makes_moves()) played_score_ = std::max(played_score_.load(), game_.finish());
    }
    if (context_.makes_moves()) play_further_games();
  }

  void cancel_pending() override { scheduler_.cancel(); }
  SearchStatus status() const override;

 private:
  bool goes_on() const { return !context_.is_halted() && !rounds_.is_proven(); }
  double affordable_searches() const;
  void search_share(double begin, double share);
  void play_further_games();

  SearchContext context_;
  FoundLines lines_;
  SearchTrees trees_;
  Scheduler scheduler_;
  RoundLoop rounds_;
  GameSearch game_;
  std::atomic<int> played_score_ = kNoScore;
};

SearchStatus TreeSearch::status() const {
  const TreeGroup::Figures sum = trees_.figures();
  const EngineFigures engines = scheduler_.figures();
  const TreeCounts& trees = sum.trees;
  const double mean_depth = trees.walks == 0 ? 0 : static_cast<double>(trees.steps) / static_cast<double>(trees.walks);
  SearchStatus status{.playouts = sum.playouts,
                      .nodes_visited = trees.nodes_visited,
                      .resource_units = trees.resource_units,
                      .proven = rounds_.is_proven()};
  status.figures = {
      {"busy_share", engines.busy_share, FigureStyle::kPercent, "engine busy", "busy"},
      {"nodes", static_cast<double>(trees.nodes), FigureStyle::kCount, "nodes", {}, false, FigureTotal::kSum},
      {"depth", static_cast<double>(trees.deepest), FigureStyle::kNumber, "depth", {}, true, FigureTotal::kLargest},
      {"mean_depth", mean_depth},
      {.name = "memory_bytes", .value = static_cast<double>(trees_.memory_bytes()), .total = FigureTotal::kSum},
      {"batch_fill", engines.batch_fill},
      {"in_flight", engines.in_flight},
      {"leaf_playouts", static_cast<double>(context_.leaf_playouts.now())},
  };
  if (context_.settings.beam.width > 0) {
    status.figures.push_back({"beam_depth", static_cast<double>(trees.beam_depth), FigureStyle::kNumber, "pruned to"});
    status.figures.push_back({"beams", static_cast<double>(rounds_.beams()), FigureStyle::kHidden});
  }
  if (context_.settings.nested.level > 1) {
    status.figures.push_back({.name = "inner_searches",
                              .value = static_cast<double>(trees.searches),
                              .style = FigureStyle::kCount,
                              .label = "inner searches"});
    status.figures.push_back({"inner_playouts", static_cast<double>(context_.settings.nested.inner_playouts)});
  }
  if (const int played = played_score_; played != kNoScore) status.played_score = played;
  return status;
}

// How many searches the budget can pay, in equal shares.
double TreeSearch::affordable_searches() const {
  const double by_walks = context_.budget.walks_of_budget(context_.leaf_playouts.now()) / kWalksPerTree;
  return std::min(by_walks, trees_.most_by_time(1));
}

// Gives one search this part of the budget.
void TreeSearch::search_share(double begin, double share) {
  context_.first_share = begin;
  context_.share = share;
  context_.walks_before = context_.budget.used().walks;
  game_.search(begin, share);
}

// A game may end before its budget does. The rest goes to further games, whose scores do not count as the played one.
void TreeSearch::play_further_games() {
  const BudgetTracker& budget = context_.budget;
  const auto has_rest = [&] { return budget.walks_until(1, context_.leaf_playouts.now()) >= kWalksPerGame; };
  for (double spent = 0; goes_on() && has_rest() && budget.share() > spent;) {
    spent = budget.share();
    search_share(spent, 1 - spent);
    game_.finish();
  }
}

}  // namespace

int threads_with_trees(const TreeSettings& settings, int threads) {
  return std::min(threads, static_cast<int>(group_count(settings, threads)));
}

std::unique_ptr<Search> make_tree_search(const SearchTask& task, const TreeSettings& settings, const Budget& budget,
                                         const std::vector<game::Engine*>& engines, int threads, Incumbent& incumbent,
                                         std::string_view name) {
  TreeSettings of_game = settings;
  of_game.policy = settings.policy.for_game_from(task.board);
  // A colour that the user named must keep its name.
  if (settings.policy.tabu_color >= 0) of_game.merges_symmetric = false;
  if (threads <= 0) threads = machine::usable_processors();
  of_game.nested.inner_playouts = inner_playouts_of(of_game, BudgetTracker(budget, task.board.blocks()), threads);
  return std::make_unique<TreeSearch>(task, of_game, budget, engines, threads, incumbent, name);
}

}  // namespace chainshot::host
