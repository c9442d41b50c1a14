#include "host/bounded/ida_star.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "game/greedy.hpp"
#include "game/move_bounds.hpp"
#include "game/scoring_bounds.hpp"
#include "host/bounded/bound_table.hpp"
#include "host/bounded/bounded_budget.hpp"
#include "host/bounded/cut_off_counts.hpp"

namespace chainshot::host {
namespace {

constexpr std::string_view kIdaStarSource = "ida-star";
constexpr int kNoBound = std::numeric_limits<int>::min();  // less than any bound

class IdaStar final : public Search {
 public:
  IdaStar(const SearchTask& task, const IdaStarSettings& settings, const Budget& budget, Incumbent& incumbent)
      : task_(task),
        settings_(settings),
        incumbent_(incumbent),
        kept_color_(task.board.most_frequent_color()),
        budget_(budget),
        table_(!settings.transpositions     ? 0
               : settings.memory_bytes == 0 ? kDefaultBoundTable
                                            : settings.memory_bytes),
        bound_(task.board.upper_bound(task.scoring)),
        cut_off_(game::least_estimate(task.scoring, task.board), bound_),
        levels_(static_cast<std::size_t>(task.board.blocks() / 2 + 1)) {}

  void run(const SearchClock&, std::stop_token stop) override {
    budget_.begin(std::move(stop));
    levels_[0].position = task_.board;
    threshold_ = bound_.load();
    while (!is_proven()) {
      cut_off_.clear();
      const std::uint64_t before = budget_.nodes();
      const int bound = search(0, 0);
      if (halted_) return;
      ++iterations_;
      bound_ = bound;
      if (is_proven()) return;
      const double wanted = settings_.deepening * static_cast<double>(budget_.nodes() - before);
      threshold_ = cut_off_.threshold_for(wanted, bound);
    }
  }

  SearchStatus status() const override {
    SearchStatus status{.evaluations = budget_.evaluations(), .nodes_visited = budget_.nodes(), .proven = is_proven()};
    status.figures = {
        {"iterations", static_cast<double>(iterations_), FigureStyle::kNumber, "iteration"},
        {"threshold", static_cast<double>(threshold_), FigureStyle::kNumber, "threshold"},
        {"upper_bound", static_cast<double>(bound_), FigureStyle::kNumber, "bound", {}, true},
        {"memory_bytes", static_cast<double>(table_.bytes())},
    };
    return status;
  }

 private:
  struct Move {
    game::Group group;
    int bound;  // its points, and the bound of the position after it
  };
  struct Level {
    game::Position position;
    std::array<Move, game::kMaxCells / 2> moves;
  };

  bool is_proven() const { return incumbent_.score() >= bound_; }
  // A line must reach this to be of interest.
  int needed() const { return std::max(threshold_.load(), incumbent_.score() + 1); }

  // Returns a bound on what the position at this depth can still earn, lower than the over-estimator where moves were
  // searched; or anything if the search was halted.
  int search(std::size_t depth, int points) {
    Level& here = levels_[depth];
    const int count = list_moves(here);
    if (!budget_.expand(count)) {
      halted_ = true;
      return kNoBound;
    }
    if (budget_.is_game_due()) finish_greedily(here.position, points);
    if (count == 0) return finish_line(here.position, points);
    int most = kNoBound;
    for (int i = 0; i < count; ++i) {
      const Move& move = here.moves[static_cast<std::size_t>(i)];
      path_.push_back(move.group.cell);
      most = std::max(most, search_move(depth, points, move));
      path_.pop_back();
      if (halted_) return kNoBound;
    }
    if (settings_.transpositions) table_.store(key_of(here.position), most, here.position.blocks());
    return most;
  }

  // The same for one move and the position after it.
  int search_move(std::size_t depth, int points, const Move& move) {
    if (points + move.bound < needed()) return cut_off(points, move.bound);
    const int gain = task_.scoring.group_points(move.group.size);
    game::Position& after = levels_[depth + 1].position;
    after = levels_[depth].position;
    after.apply(move.group.cell);
    int bound = move.bound;
    if (settings_.transpositions)
      if (const int known = table_.find(key_of(after)); known != BoundTable::kUnknown)
        bound = std::min(bound, gain + known);
    if (points + bound < needed()) return cut_off(points, bound);
    const int below = search(depth + 1, points + gain);
    return halted_ ? kNoBound : gain + below;
  }

  int cut_off(int points, int bound) {
    cut_off_.add(points + bound);
    return bound;
  }

  int finish_line(const game::Position& end, int points) {
    const int last = end.final_points(task_.scoring);
    if (points + last > incumbent_.score()) incumbent_.offer(points + last, path_, kIdaStarSource);
    return last;
  }

  // Highest bound first; where bounds tie, in the order of the groups.
  int list_moves(Level& level) const {
    game::GroupRoom groups;
    const int count = level.position.groups(groups);
    const game::MoveBounds bounds(level.position, task_.scoring);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const game::Group& group = groups[i];
      level.moves[i] = {group, task_.scoring.group_points(group.size) + bounds.after(group.color, group.size)};
    }
    std::stable_sort(level.moves.begin(), level.moves.begin() + count,
                     [](const Move& a, const Move& b) { return a.bound > b.bound; });
    return count;
  }

  void finish_greedily(const game::Position& position, int points) {
    std::vector<game::Cell> moves = path_;
    const int score = game::play_greedily(position, task_.scoring, kept_color_, points, &moves);
    if (score > incumbent_.score()) incumbent_.offer(score, moves, kIdaStarSource);
  }

  const SearchTask task_;
  const IdaStarSettings settings_;
  Incumbent& incumbent_;
  const int kept_color_;
  BoundedBudget budget_;
  BoundTable table_;
  std::atomic<int> bound_;  // no line scores more
  std::atomic<int> threshold_ = 0;
  std::atomic<int> iterations_ = 0;
  CutOffCounts cut_off_;
  std::vector<Level> levels_;  // the positions on the path
  std::vector<game::Cell> path_;
  bool halted_ = false;
};

}  // namespace

std::unique_ptr<Search> make_ida_star(const SearchTask& task, const IdaStarSettings& settings, const Budget& budget,
                                      Incumbent& incumbent) {
  return std::make_unique<IdaStar>(task, settings, budget, incumbent);
}

}  // namespace chainshot::host
