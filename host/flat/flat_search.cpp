#include "host/flat/flat_search.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "host/dispatch/replay.hpp"
#include "host/dispatch/run_requests.hpp"

namespace chainshot::host {
namespace {

constexpr std::string_view kSource = "flat";
constexpr int kNoScore = std::numeric_limits<int>::min();

// A random game of 225 blocks has 64 moves (Klein 2015, 2.5.1).
constexpr double kMovesPerBlock = 64.0 / 225;

constexpr std::uint32_t kPilotPlayouts = 8;  // of every move, before the speed is known

struct Game {
  game::Position position;
  int points = 0;
  std::vector<game::Cell> moves = {};
};

bool is_better(const game::Result& a, const game::Result& b, ChooseBy choose_by) {
  const auto mean = [](const game::Result& r) { return static_cast<double>(r.sum) / static_cast<double>(r.count); };
  const bool by_best = choose_by == ChooseBy::kBest;
  if (by_best && a.best != b.best) return a.best > b.best;
  if (mean(a) != mean(b)) return mean(a) > mean(b);
  return a.best > b.best;
}

class FlatSearch final : public Search {
 public:
  FlatSearch(const SearchTask& task, const FlatSettings& settings, const Budget& budget,
             const std::vector<game::Engine*>& engines, Incumbent& incumbent)
      : task_(task),
        settings_(settings),
        policy_(settings.policy.for_game_from(task.board)),
        budget_(budget),
        incumbent_(incumbent),
        queues_(engines) {}

  void run(const SearchClock& clock, std::stop_token stop) override {
    clock_ = clock;
    const auto has_games = [&] { return settings_.games == 0 || games_ < settings_.games; };
    for (bool goes_on = true; goes_on && has_games() && !stop.stop_requested() && !is_proven();)
      goes_on = play_game(stop);
  }

  void cancel_pending() override { queues_.cancel(); }

  SearchStatus status() const override {
    SearchStatus status{.playouts = playouts_, .proven = is_proven()};
    if (const int played = played_score_; played != kNoScore) status.played_score = played;
    const EngineFigures engines = queues_.figures();
    status.figures = {
        {"busy_share", engines.busy_share, FigureStyle::kPercent, "engine busy", "busy"},
        {"games", static_cast<double>(games_), FigureStyle::kNumber, "games"},
        {"moves_played", static_cast<double>(moves_played_), FigureStyle::kNumber, "move"},
        {"batch_fill", engines.batch_fill},
        {"in_flight", engines.in_flight},
    };
    return status;
  }

 private:
  bool is_proven() const { return incumbent_.score() >= task_.board.upper_bound(task_.scoring); }

  // Returns false if the budget or a stop ended the game before its last move.
  bool play_game(const std::stop_token& stop) {
    Game game{.position = task_.board};
    while (game.position.has_moves()) {
      moves_played_ = static_cast<int>(game.moves.size());
      if (!make_best_move(game, stop)) return false;
    }
    const int score = game.points + game.position.final_points(task_.scoring);
    incumbent_.offer(score, game.moves, kSource);
    played_score_ = std::max(played_score_.load(), score);
    ++games_;
    return true;
  }

  bool make_best_move(Game& game, const std::stop_token& stop) {
    const std::vector<game::Group> groups = game.position.groups();
    game::Batch batch = batch_of(game, groups);
    std::vector<game::Result> results(groups.size());
    // The first move of a timed search begins with a few playouts: they tell what the time is worth.
    if (clock_.is_limited() && playouts_ == 0 && !play_batch(game, groups, batch, kPilotPlayouts, results, stop))
      return false;
    const std::uint32_t playouts = playouts_per_move(game.position, groups.size());
    const auto played = static_cast<std::uint32_t>(results[0].count);
    if (playouts == 0) return false;
    if (playouts > played && !play_batch(game, groups, batch, playouts - played, results, stop)) return false;
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < results.size(); ++i)
      if (is_better(results[i], results[chosen], settings_.choose_by)) chosen = i;
    game.position = batch.requests[chosen].position;
    game.points = batch.requests[chosen].points;
    game.moves.push_back(groups[chosen].cell);
    return true;
  }

  // Adds `playouts` of every request to the results. Returns false if a stop came first; lines found by then are kept.
  bool play_batch(const Game& game, const std::vector<game::Group>& groups, game::Batch& batch, std::uint32_t playouts,
                  std::vector<game::Result>& results, const std::stop_token& stop) {
    for (game::Request& request : batch.requests)
      request.playouts = playouts;
    const auto offer = [&](std::size_t i, const game::Result& result) {
      if (result.best > incumbent_.score()) keep_line(game, groups[i].cell, batch.requests[i], result);
    };
    // Which of equal lines comes first must not depend on the engines where the budget is counted.
    const auto part_played = [&](std::size_t i, const game::Result& part) {
      playouts_ += part.count;
      if (!budget_.is_counted()) offer(i, part);
    };
    const auto played = run_requests(queues_, batch, stop, part_played);
    if (!played) return false;
    for (std::size_t i = 0; i < played->size(); ++i) {
      results[i].add((*played)[i]);
      offer(i, (*played)[i]);
      batch.requests[i].first_playout += playouts;
    }
    return true;
  }

  // R, or an equal share of what is left of the budget for this move and each that may follow. The number of moves to
  // choose from falls towards the end, so later moves get more, and what a game leaves serves the next one.
  std::uint32_t playouts_per_move(const game::Position& position, std::size_t moves) const {
    const auto wanted = static_cast<double>(settings_.child_playouts);
    double left = std::numeric_limits<double>::infinity();
    if (budget_.playouts > 0)
      left = static_cast<double>(budget_.playouts - std::min(budget_.playouts, playouts_.load()));
    if (left < static_cast<double>(moves)) return 0;
    if (clock_.is_limited()) {
      const double now = clock_.seconds(), rate = static_cast<double>(playouts_) / std::max(now, 1e-9);
      left = std::min(left, std::max(0.0, clock_.limit() - now) * rate);
    }
    const double moves_left = 2 + kMovesPerBlock * position.blocks();
    const double share = left / (static_cast<double>(moves) * moves_left);
    return static_cast<std::uint32_t>(std::clamp(share, 1.0, wanted));
  }

  game::Batch batch_of(const Game& game, const std::vector<game::Group>& groups) {
    game::Batch batch{.seed = task_.seed, .scoring = task_.scoring};
    for (const game::Group& group : groups) {
      game::Request& request = batch.requests.emplace_back();
      request.position = game.position;
      request.points = game.points + task_.scoring.group_points(request.position.apply(group.cell));
      request.policy = policy_;
      request.key = next_key_++;
    }
    return batch;
  }

  // Offers the best playout below a move, with the moves that led to it.
  void keep_line(const Game& game, game::Cell move, const game::Request& request, const game::Result& result) {
    const Line line = replay_best(request, task_.seed, task_.scoring, result);
    if (!line.error.empty()) throw std::runtime_error(line.error);
    std::vector<game::Cell> moves = game.moves;
    moves.push_back(move);
    moves.insert(moves.end(), line.moves.begin(), line.moves.end());
    incumbent_.offer(result.best, moves, kSource);
  }

  const SearchTask task_;
  const FlatSettings settings_;
  const game::Policy policy_;
  const Budget budget_;
  Incumbent& incumbent_;
  EngineQueues queues_;
  SearchClock clock_;
  std::uint64_t next_key_ = 0;
  std::atomic<std::uint64_t> playouts_ = 0;
  std::atomic<int> games_ = 0;
  std::atomic<int> moves_played_ = 0;
  std::atomic<int> played_score_ = kNoScore;
};

}  // namespace

std::unique_ptr<Search> make_flat_search(const SearchTask& task, const FlatSettings& settings, const Budget& budget,
                                         const std::vector<game::Engine*>& engines, Incumbent& incumbent) {
  return std::make_unique<FlatSearch>(task, settings, budget, engines, incumbent);
}

}  // namespace chainshot::host
