#include "host/dbs/dbs_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "game/greedy.hpp"
#include "game/move_bounds.hpp"
#include "host/dbs/budget_share.hpp"
#include "host/dbs/known_games.hpp"

namespace chainshot::host {
namespace {

constexpr std::string_view kSource = "dbs";
constexpr double kMostBudget = 1e18;  // of a pass

class DbsSearch final : public Search {
 public:
  DbsSearch(const SearchTask& task, const DbsSettings& settings, const Budget& budget, Incumbent& incumbent)
      : task_(task),
        settings_(settings),
        budget_(budget),
        incumbent_(incumbent),
        kept_color_(task.board.most_frequent_color()),
        bound_(task.board.upper_bound(task.scoring)),
        known_(settings.memory_bytes > 0 ? settings.memory_bytes : kDefaultDbsMemory),
        levels_(static_cast<std::size_t>(task.board.blocks() / 2 + 1)) {}

  void run(const SearchClock&, std::stop_token stop) override {
    stop_ = std::move(stop);
    levels_[0].position = task_.board;
    play(task_.board, 0);
    double wanted = settings_.first_budget;
    while (!is_over()) {
      is_cut_ = false;
      ++pass_;
      pass_budget_ = std::min(static_cast<std::uint64_t>(wanted), games_left());
      const Outcome outcome = search(0, 0, pass_budget_);
      if (!is_cut_) {
        is_proven_ = true;
        return;
      }
      if (outcome.games == 0 && pass_budget_ == games_left()) return;  // what is left pays for nothing
      // The same budget would find nothing new again.
      const double growth = outcome.games == 0 ? std::max(2.0, settings_.budget_growth) : settings_.budget_growth;
      wanted = std::min(wanted * growth, kMostBudget);
    }
  }

  SearchStatus status() const override {
    SearchStatus status{.playouts = games_, .nodes_visited = nodes_, .proven = is_proven_ || reaches_bound()};
    status.figures = {
        {"passes", static_cast<double>(pass_), FigureStyle::kNumber, "pass"},
        {"pass_budget", static_cast<double>(pass_budget_), FigureStyle::kCount, "games a pass", "a pass"},
        {"memory_bytes", static_cast<double>(known_.bytes())},
    };
    return status;
  }

 private:
  struct Child {
    game::Cell cell;
    int points;  // earned with the move
    int score;   // of the best game through it
    PositionKey key;
  };
  struct Level {
    game::Position position;
    std::vector<Child> children;
  };
  // The result of a search below a position.
  struct Outcome {
    std::uint64_t games = 0;                      // spent
    int score = std::numeric_limits<int>::min();  // of the best game
  };

  bool reaches_bound() const { return incumbent_.score() >= bound_; }
  bool is_over() const {
    return stop_.stop_requested() || reaches_bound() || games_left() == 0 ||
           (budget_.nodes > 0 && nodes_ >= budget_.nodes);
  }
  std::uint64_t games_left() const {
    if (budget_.playouts == 0) return std::numeric_limits<std::uint64_t>::max();
    return budget_.playouts - std::min<std::uint64_t>(budget_.playouts, games_);
  }

  // Spends at most `budget` games on the lines from the position at this depth on.
  Outcome search(std::size_t depth, int points, std::uint64_t budget) {
    Outcome outcome;
    Level& here = levels_[depth];
    if (!here.position.has_moves()) return outcome;
    if (is_over()) {
      is_cut_ = true;
      return outcome;
    }
    if (!rank_moves(here, points, budget, outcome)) return outcome;
    for (std::size_t i = 0; i < here.children.size(); ++i) {
      if (outcome.games == budget || is_over()) {
        is_cut_ = true;
        break;
      }
      const Child child = here.children[i];
      path_.push_back(child.cell);
      game::Position& after = levels_[depth + 1].position;
      after = here.position;
      after.apply(child.cell);
      const Outcome below = search(depth + 1, child.points,
                                   share_of(budget - outcome.games, here.position.blocks(), settings_.moves_per_block,
                                            i + 1 == here.children.size()));
      path_.pop_back();
      outcome.games += below.games;
      if (below.score > child.score)
        if (KnownGames::Entry* entry = known_.find(child.key); entry != nullptr)
          entry->future = std::max(entry->future, below.score - child.points);
      outcome.score = std::max({outcome.score, child.score, below.score});
    }
    return outcome;
  }

  // Lists the moves of a position, best first. Returns false if the budget does not pay for a game after each.
  bool rank_moves(Level& here, int points, std::uint64_t budget, Outcome& outcome) {
    game::GroupRoom groups;
    const int count = here.position.groups(groups);
    if (budget < static_cast<std::uint64_t>(count)) {
      is_cut_ = true;
      return false;
    }
    ++nodes_;
    here.children.clear();
    const game::MoveBounds bounds(here.position, task_.scoring);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const game::Group& group = groups[i];
      const int earned = points + task_.scoring.group_points(group.size);
      if (earned + bounds.after(group.color, group.size) <= incumbent_.score()) continue;
      if (stop_.stop_requested()) {
        is_cut_ = true;
        return false;
      }
      add_child(here, group.cell, earned, outcome);
    }
    // In the order of the groups where scores tie.
    std::stable_sort(here.children.begin(), here.children.end(),
                     [](const Child& a, const Child& b) { return a.score > b.score; });
    return true;
  }

  void add_child(Level& here, game::Cell cell, int points, Outcome& outcome) {
    game::Position after = here.position;
    after.apply(cell);
    const PositionKey key = key_of(after);
    KnownGames::Entry* entry = known_.find(key);
    if (entry != nullptr && entry->pass == pass_ && entry->points >= points) return;
    // A known position that is reached with more points than before may end a better line: only a game can tell.
    if (entry == nullptr || points + entry->future > incumbent_.score()) {
      path_.push_back(cell);
      const int score = play(after, points);
      path_.pop_back();
      ++outcome.games;
      outcome.score = std::max(outcome.score, score);
      if (entry == nullptr) {
        entry = &known_.add(key);
        entry->future = score - points;
      }
    }
    entry->pass = pass_;
    entry->points = points;
    here.children.push_back({cell, points, points + entry->future, key});
  }

  // Plays a greedy game from a position that path_ leads to.
  int play(const game::Position& position, int points) {
    ++games_;
    const int score = game::play_greedily(position, task_.scoring, kept_color_, points);
    if (score > incumbent_.score()) {
      std::vector<game::Cell> moves = path_;
      game::play_greedily(position, task_.scoring, kept_color_, points, &moves);
      incumbent_.offer(score, moves, kSource);
    }
    return score;
  }

  const SearchTask task_;
  const DbsSettings settings_;
  const Budget budget_;
  Incumbent& incumbent_;
  const int kept_color_;
  const int bound_;  // no line scores more
  KnownGames known_;
  std::stop_token stop_;
  std::vector<Level> levels_;  // the positions on the path
  std::vector<game::Cell> path_;
  bool is_cut_ = false;  // some line was left out for want of budget
  std::atomic<std::uint32_t> pass_ = 0;
  std::atomic<std::uint64_t> pass_budget_ = 0, games_ = 0, nodes_ = 0;
  std::atomic<bool> is_proven_ = false;
};

}  // namespace

std::unique_ptr<Search> make_dbs_search(const SearchTask& task, const DbsSettings& settings, const Budget& budget,
                                        Incumbent& incumbent) {
  return std::make_unique<DbsSearch>(task, settings, budget, incumbent);
}

}  // namespace chainshot::host
