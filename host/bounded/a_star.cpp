#include "host/bounded/a_star.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "game/greedy.hpp"
#include "game/move_bounds.hpp"
#include "game/scoring_bounds.hpp"
#include "host/bounded/bounded_budget.hpp"
#include "host/bounded/state_store.hpp"

namespace chainshot::host {
namespace {

constexpr std::string_view kAStarSource = "a-star";

class AStar final : public Search {
 public:
  AStar(const SearchTask& task, const AStarSettings& settings, const Budget& budget, Incumbent& incumbent)
      : task_(task),
        incumbent_(incumbent),
        kept_color_(task.board.most_frequent_color()),
        budget_(budget),
        bound_(task.board.upper_bound(task.scoring)),
        store_(task.board, game::least_estimate(task.scoring, task.board), bound_,
               settings.memory_bytes > 0 ? settings.memory_bytes : kDefaultAStarMemory) {}

  void run(const SearchClock&, std::stop_token stop) override {
    budget_.begin(std::move(stop));
    const StateStore::Id root = store_.add(task_.board, bound_, StateStore::kNone);
    store_.open(root, StateStore::kNone, {}, 0);
    for (;;) {
      const int bound = std::max({store_.open_bound(), store_.dropped_bound(), incumbent_.score()});
      if (bound < bound_) bound_ = bound;
      if (store_.open_bound() <= incumbent_.score()) return;
      const StateStore::Id id = store_.highest();
      if (!expand(id)) return;
      states_ = store_.used();
      open_ = store_.open_count();
      memory_ = store_.bytes();
    }
  }

  SearchStatus status() const override {
    SearchStatus status{.evaluations = budget_.evaluations(), .nodes_visited = budget_.nodes(), .proven = is_proven()};
    status.figures = {
        {"nodes", static_cast<double>(states_), FigureStyle::kCount, "nodes"},
        {"open_nodes", static_cast<double>(open_), FigureStyle::kCount, "open"},
        {"upper_bound", static_cast<double>(bound_), FigureStyle::kNumber, "bound", {}, true},
        {"memory_bytes", static_cast<double>(memory_)},
    };
    return status;
  }

 private:
  bool is_proven() const { return incumbent_.score() >= bound_; }

  // Returns false if the budget does not allow it.
  bool expand(StateStore::Id id) {
    const int points = store_.state(id).points;
    const bool is_hopeless = store_.state(id).f() <= incumbent_.score();  // it shares a stack with better ones
    const game::Position position = store_.position(id);
    game::GroupRoom groups;
    const int count = is_hopeless ? 0 : position.groups(groups);
    if (!is_hopeless && !budget_.expand(count)) return false;
    if (!is_hopeless && budget_.is_game_due()) finish_greedily(id, position);
    store_.close(id);
    const game::MoveBounds bounds(position, task_.scoring);
    for (int i = 0; i < count; ++i) {
      const game::Group& group = groups[static_cast<std::size_t>(i)];
      const int earned = points + task_.scoring.group_points(group.size);
      const int bound = bounds.after(group.color, group.size);
      if (earned + bound > incumbent_.score()) open_child(id, position, group.cell, earned, bound);
    }
    return true;
  }

  void open_child(StateStore::Id parent, const game::Position& position, game::Cell move, int points, int bound) {
    game::Position after = position;
    after.apply(move);
    if (!after.has_moves()) {
      if (points + after.final_points(task_.scoring) > incumbent_.score()) offer(parent, move);
      return;
    }
    StateStore::Id id = store_.find(after);
    if (id != StateStore::kNone && store_.state(id).points >= points) return;
    if (id == StateStore::kNone) id = store_.add(after, bound, parent);
    if (id == StateStore::kNone) {
      store_.drop(points + bound);
    } else {
      store_.open(id, parent, move, points);
    }
  }

  void finish_greedily(StateStore::Id id, const game::Position& position) {
    std::vector<game::Cell> moves = store_.path(id);
    const int score = game::play_greedily(position, task_.scoring, kept_color_, points_of(moves), &moves);
    if (score > incumbent_.score()) incumbent_.offer(score, moves, kAStarSource);
  }

  // Offers the line that ends with a move after a state.
  void offer(StateStore::Id parent, game::Cell move) {
    std::vector<game::Cell> moves = store_.path(parent);
    moves.push_back(move);
    game::Position end = task_.board;
    const int points = points_of(moves, &end);
    incumbent_.offer(points + end.final_points(task_.scoring), moves, kAStarSource);
  }

  // The points of a path may exceed those of its last state, if a better way to a state on it was found later.
  int points_of(const std::vector<game::Cell>& moves, game::Position* end = nullptr) const {
    game::Position position = task_.board;
    int points = 0;
    for (const game::Cell cell : moves)
      points += task_.scoring.group_points(position.apply(cell));
    if (end != nullptr) *end = position;
    return points;
  }

  const SearchTask task_;
  Incumbent& incumbent_;
  const int kept_color_;
  BoundedBudget budget_;
  std::atomic<int> bound_;  // no line scores more
  StateStore store_;
  std::atomic<std::uint64_t> states_ = 0, open_ = 0, memory_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_a_star(const SearchTask& task, const AStarSettings& settings, const Budget& budget,
                                    Incumbent& incumbent) {
  return std::make_unique<AStar>(task, settings, budget, incumbent);
}

}  // namespace chainshot::host
