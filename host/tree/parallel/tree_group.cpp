#include "host/tree/parallel/tree_group.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace chainshot::host {
namespace {

// Walks of one tree before the order of the set is looked at again: those that go down together share most of the way.
constexpr std::uint64_t kTurn = 16;

}  // namespace

Grove::Grove(const TreeSettings& settings, std::uint64_t first_key, std::function<int()> bar, LineSink found)
    : settings_(settings),
      rule_(&selection_rule(settings.selection.rule)),
      next_key_(first_key),
      bar_(std::move(bar)),
      found_(std::move(found)) {}

double Grove::score_of(const Tree& tree) const {
  const MoveStatistics statistics = tree.root_statistics();
  if (statistics.visits == 0) return std::numeric_limits<double>::infinity();
  if (tree.visits() == 0) return -std::numeric_limits<double>::infinity();  // its first playouts are in flight
  const SelectionSettings& selection = settings_.selection;
  if (rule_->score != nullptr) return rule_->score(statistics, selection, selection.c, set_range_, set_visits_);
  return rule_->value(statistics, selection, set_range_) +
         set_range_ * selection.c * std::sqrt(std::log(set_visits_) / statistics.visits);
}

std::uint64_t Grove::fill(Lot& lot, std::uint64_t walks, std::uint32_t playouts) {
  std::uint64_t taken = 0;
  if (plots_.size() == 1) {
    while (taken < walks && take_walks(lot, 0, walks - taken, playouts, taken)) {
    }
    return taken;
  }
  if (order_.empty() || walks_since_order_ >= plots_.size()) set_in_order();
  while (taken < walks && !order_.empty()) {
    std::pop_heap(order_.begin(), order_.end());
    Candidate& candidate = order_.back();
    if (take_walks(lot, candidate.plot, std::min(walks - taken, kTurn), playouts, taken)) {
      candidate.score = score_of(*plots_[static_cast<std::size_t>(candidate.plot)].tree);
      std::push_heap(order_.begin(), order_.end());
    } else {
      order_.pop_back();
    }
  }
  walks_since_order_ += taken;
  return taken;
}

// The order of the whole set, which takes as long as many walks: in between only the trees that walks were taken from
// change their places.
void Grove::set_in_order() {
  set_visits_ = 1;
  int best = 1;
  for (const Plot& plot : plots_) {
    set_visits_ += static_cast<double>(plot.tree->visits()) + plot.tree->in_flight();
    best = std::max(best, plot.tree->best());
  }
  const SelectionSettings& selection = settings_.selection;
  set_range_ = selection.normalisation == Normalisation::kNone     ? 1
               : selection.normalisation == Normalisation::kStatic ? selection.range
                                                                   : best;
  order_.clear();
  for (std::size_t i = 0; i < plots_.size(); ++i)
    order_.push_back({score_of(*plots_[i].tree), static_cast<int>(i)});
  std::make_heap(order_.begin(), order_.end());
  walks_since_order_ = 0;
}

bool Grove::take_walks(Lot& lot, int plot, std::uint64_t most, std::uint32_t playouts, std::uint64_t& taken) {
  const Plot& source = plots_[static_cast<std::size_t>(plot)];
  const std::span<Walk> walks = lot.room(most);
  if (walks.empty()) return false;
  descents_.resize(walks.size());
  source.tree->descend(walks, descents_);
  std::size_t unused = 0;
  const std::uint64_t before = lot.playouts();
  for (std::size_t i = 0; i < walks.size(); ++i) {
    Walk& walk = walks[i];
    switch (descents_[i]) {
      case Descent::kLeaf: {
        const bool look_ahead = settings_.look_ahead > 0 && ++iterations_ % settings_.look_ahead == 0;
        next_key_ = lot.add(walk, plot, playouts, look_ahead, next_key_);
        wanted_ += playouts;
        ++taken;
        break;
      }
      case Descent::kFinished:
        if (walk.points > bar_()) report(source, walk, walk.points, {});
        ++taken;
        break;
      case Descent::kBlocked:
      case Descent::kProven:
        ++unused;
        break;
    }
  }
  lot.give_back_room(unused);
  asked_ += lot.playouts() - before;
  return unused == 0;
}

void Grove::book(const Lot& lot) {
  walks_.clear();
  results_.clear();
  const std::vector<Lot::Leaf>& leaves = lot.leaves();
  for (const Lot::Leaf& leaf : leaves) {
    walks_.push_back(leaf.walk);
    results_.push_back(lot.result_of(leaf));
  }
  // Those of one tree in a row at once.
  for (std::size_t first = 0, end; first < leaves.size(); first = end) {
    const int plot = leaves[first].plot;
    for (end = first + 1; end < leaves.size() && leaves[end].plot == plot;)
      ++end;
    plots_[static_cast<std::size_t>(plot)].tree->complete(std::span(walks_).subspan(first, end - first),
                                                          std::span(results_).subspan(first, end - first));
  }
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (results_[i].best > bar_())
      report(plots_[static_cast<std::size_t>(leaves[i].plot)], *walks_[i], results_[i].best,
             lot.best_line_of(leaves[i]));
  playouts_ += lot.playouts();
  publish_now_and_then();
}

void Grove::set_allowance(std::size_t chunks) {
  allowance_ = chunks;
  for (const Plot& plot : plots_)
    plot.tree->set_allowance(&allowance_);
}

std::uint64_t Grove::known() const {
  std::uint64_t visits = 0;
  for (const Plot& plot : plots_)
    visits += plot.tree->visits();
  return visits;
}

double Grove::playouts_for_each(std::uint32_t leaf_playouts) const {
  if (wanted_ > 0) return static_cast<double>(asked_) / static_cast<double>(wanted_);
  if (settings_.look_ahead == 0) return 1;
  // Until playouts have been counted: a leaf has no more moves than its root, mostly.
  std::size_t most_moves = 0;
  for (const Plot& plot : plots_)
    most_moves = std::max(most_moves, plot.tree->root_position().groups().size());
  return 1 + std::max(0.0, static_cast<double>(most_moves) / leaf_playouts - 1) / settings_.look_ahead;
}

void Grove::abandon(const Lot& lot) {
  for (const Lot::Leaf& leaf : lot.leaves())
    plots_[static_cast<std::size_t>(leaf.plot)].tree->abandon(*leaf.walk);
}

void Grove::report(const Plot& plot, const Walk& walk, int score, std::span<const game::Cell> rest) {
  std::vector<game::Cell> below, moves = plot.way;
  plot.tree->moves_of(walk, below);
  moves.insert(moves.end(), below.begin(), below.end());
  moves.insert(moves.end(), rest.begin(), rest.end());
  found_(score, moves);
}

TreeCounts counts_of(const Plot& plot) {
  TreeCounts counts = plot.tree->counts();
  const int above = static_cast<int>(plot.way.size()) - plot.tree->advanced();
  counts.steps += counts.walks * static_cast<std::uint64_t>(above);
  counts.deepest += above;
  return counts;
}

TreeCounts Grove::counts() const {
  TreeCounts sum;
  for (const Plot& plot : plots_)
    sum += counts_of(plot);
  return sum;
}

Grove::Figures Grove::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

void Grove::publish() {
  const Figures figures{counts(), playouts_};
  const std::lock_guard lock(mutex_);
  published_ = figures;
}

// To add up the trees of a large set takes as long as many walks.
void Grove::publish_now_and_then() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_publication_) return;
  next_publication_ = now + std::chrono::milliseconds(20);
  publish();
}

void deal_out(std::vector<Plot> plots, std::span<const std::unique_ptr<Grove>> groves) {
  std::stable_sort(plots.begin(), plots.end(),
                   [](const Plot& a, const Plot& b) { return a.tree->average() > b.tree->average(); });
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const std::size_t lap = i / groves.size(), place = i % groves.size();
    groves[lap % 2 == 0 ? place : groves.size() - 1 - place]->plots().push_back(std::move(plots[i]));
  }
}

void divide_memory(const NodePool& pool, std::span<const std::unique_ptr<Grove>> groves) {
  const std::size_t free = pool.free_chunks();
  for (std::size_t i = 0; i < groves.size(); ++i)
    groves[i]->set_allowance(free / groves.size() + (i < free % groves.size() ? 1 : 0));
}

}  // namespace chainshot::host
