// Who may play another playout, and which line was the best. All workers of a search share one SharedProgress; each
// worker writes its own Ledger, so that counted searches can combine the lines in a fixed order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string_view>
#include <vector>

#include "host/nrpa/rollout.hpp"
#include "host/search/incumbent.hpp"

namespace chainshot::host::nrpa {

class SharedProgress {
 public:
  // A live search offers each line at once and ends all workers at a proof. Otherwise the search offers lines itself.
  SharedProgress(Incumbent& incumbent, int bound, bool is_live, std::string_view source)
      : incumbent_(incumbent), bound_(bound), is_live_(is_live), source_(source) {}

  void begin(std::stop_token stop) { stop_ = std::move(stop); }
  void give_up() { given_up_.store(true, std::memory_order_relaxed); }  // after an error in one of the workers

  bool stopped() const {
    return stop_.stop_requested() || given_up_.load(std::memory_order_relaxed) ||
           (is_live_ && incumbent_.score() >= bound_);
  }
  int bound() const { return bound_; }
  void count_playout(int score) {
    playouts_.fetch_add(1, std::memory_order_relaxed);
    int best = run_best();
    while (score > best && !run_best_.compare_exchange_weak(best, score, std::memory_order_relaxed)) {
    }
  }
  void begin_run() { run_best_.store(Rollout::kNoScore, std::memory_order_relaxed); }
  // The best score since a run last began.
  int run_best() const { return run_best_.load(std::memory_order_relaxed); }
  std::uint64_t playouts() const { return playouts_.load(std::memory_order_relaxed); }
  void found(int score, const std::vector<game::Cell>& moves) {
    if (is_live_ && score > incumbent_.score()) incumbent_.offer(score, moves, source_);
  }

 private:
  Incumbent& incumbent_;
  const int bound_;
  const bool is_live_;
  const std::string_view source_;
  std::stop_token stop_;
  std::atomic<bool> given_up_ = false;
  std::atomic<std::uint64_t> playouts_ = 0;
  std::atomic<int> run_best_ = Rollout::kNoScore;
};

class Ledger {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  explicit Ledger(SharedProgress& shared) : shared_(shared) {}

  void set_quota(std::uint64_t playouts) { left_ = playouts; }
  std::uint64_t left() const { return left_; }
  void spend(std::uint64_t playouts) { left_ -= std::min(left_, playouts); }

  bool may_play() const { return left_ > 0 && best_score_ < shared_.bound() && !shared_.stopped(); }
  void played(const Rollout& rollout) {
    if (left_ != kNoLimit) --left_;
    shared_.count_playout(rollout.score);
    if (rollout.score > best_score_) keep(rollout.score, {rollout.moves.begin(), rollout.moves.end()});
  }
  void keep(int score, const std::vector<game::Cell>& moves) {
    if (score <= best_score_) return;
    best_score_ = score;
    best_moves_ = moves;
    shared_.found(score, moves);
  }
  int best_score() const { return best_score_; }
  const std::vector<game::Cell>& best_moves() const { return best_moves_; }
  SharedProgress& shared() const { return shared_; }

 private:
  SharedProgress& shared_;
  std::uint64_t left_ = kNoLimit;
  int best_score_ = Rollout::kNoScore;
  std::vector<game::Cell> best_moves_;
};

}  // namespace chainshot::host::nrpa
