#include "host/search/search_runner.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "game/playout.hpp"

namespace chainshot::host {
namespace {

using Clock = std::chrono::steady_clock;

Clock::duration duration_of(double seconds) {
  constexpr double kLongest = 1e8;  // three years; more would overflow the clock
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, kLongest)));
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The threads of the searches. Whatever happens to the owner, they are stopped and joined when the object goes.
class SearchThreads {
 public:
  SearchThreads(const std::vector<NamedSearch>& searches, std::stop_token outside)
      : outside_(std::move(outside), [this] { stop_.request_stop(); }) {
    running_ = searches.size();
    threads_.reserve(searches.size());
    for (const NamedSearch& named : searches) {
      try {
        threads_.emplace_back([this, &search = *named.search] { run(search); });
      } catch (const std::exception& error) {
        finished(std::string("cannot start a search: ") + error.what());
      }
    }
  }
  ~SearchThreads() {
    stop_.request_stop();
    for (std::thread& thread : threads_)
      thread.join();
  }
  SearchThreads(const SearchThreads&) = delete;
  SearchThreads& operator=(const SearchThreads&) = delete;

  void request_stop() { stop_.request_stop(); }
  bool is_stopping() const { return stop_.stop_requested(); }
  // True once all searches have returned, which may be later than the time given: then false.
  bool wait_until(Clock::time_point when) {
    std::unique_lock lock(mutex_);
    return ended_.wait_until(lock, when, [this] { return running_ == 0; });
  }
  std::string error() const {
    const std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  void run(Search& search) {
    std::string error;
    try {
      search.run(stop_.get_token());
      if (search.status().proven) stop_.request_stop();
    } catch (const std::exception& thrown) {
      error = thrown.what();
      if (error.empty()) error = "a search failed without a reason";
    }
    finished(error);
  }

  void finished(const std::string& error) {
    {
      const std::lock_guard lock(mutex_);
      if (error_.empty()) error_ = error;
    }
    // What others fail of when they are stopped is not the first error.
    if (!error.empty()) stop_.request_stop();
    const std::lock_guard lock(mutex_);
    --running_;
    ended_.notify_all();
  }

  std::stop_source stop_;
  std::stop_callback<std::function<void()>> outside_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
  std::string error_;
  std::vector<std::thread> threads_;
};

SolveSample sample_of(const std::vector<NamedSearch>& searches, double seconds) {
  SolveSample sample{.seconds = seconds, .searches = {}};
  for (const NamedSearch& named : searches)
    sample.searches.push_back({named.name, named.search->status()});
  return sample;
}

// Searches that are stopped at once may have found nothing; any game is better than none.
void offer_a_game(const SearchTask& task, Incumbent& incumbent) {
  std::vector<game::Cell> moves;
  const game::PlayoutRules rules(game::Policy{}, task.scoring, task.board);
  const game::PlayoutKey key{.seed = task.seed, .request = 0, .playout = 0};
  const int score = game::play(task.board, rules, key, 0, &moves).score;
  incumbent.offer(score, moves, "playout");
}

// Returns the error of the first search that failed.
std::string run_searches(const std::vector<NamedSearch>& searches, Clock::time_point start, double seconds,
                         const SolveWatcher& watcher, const std::stop_token& stop) {
  constexpr auto kNever = Clock::time_point::max();
  constexpr auto kGrace = std::chrono::milliseconds(100);  // to take in what is under way, after a stop
  const auto interval = duration_of(std::max(watcher.interval, 1e-3));
  Clock::time_point deadline = seconds > 0 ? start + duration_of(seconds) : kNever;
  Clock::time_point next = start + interval, cancel_pending = kNever;
  SearchThreads search_threads(searches, stop);
  while (!search_threads.wait_until(std::min({next, deadline, cancel_pending}))) {
    const Clock::time_point now = Clock::now();
    if (now >= deadline) {
      search_threads.request_stop();
      deadline = kNever;
    }
    if (now >= next) {
      if (watcher.sampled) watcher.sampled(sample_of(searches, seconds_since(start)));
      next = Clock::now() + interval;
    }
    if (now >= cancel_pending)
      for (const NamedSearch& named : searches)
        named.search->cancel_pending();
    if (search_threads.is_stopping() && (cancel_pending == kNever || now >= cancel_pending))
      cancel_pending = now + kGrace;
  }
  return search_threads.error();
}

}  // namespace

SearchStatus SolveSample::total() const {
  SearchStatus sum;
  std::uint64_t most = 0;
  for (const auto& [name, status] : searches) {
    if (status.playouts > most) {
      most = status.playouts;
      sum.busy_share = status.busy_share;
      sum.batch_fill = status.batch_fill;
      sum.in_flight = status.in_flight;
      sum.leaf_playouts = status.leaf_playouts;
      sum.mean_depth = status.mean_depth;
    }
    sum.playouts += status.playouts;
    sum.evaluations += status.evaluations;
    sum.nodes += status.nodes;
    sum.nodes_visited += status.nodes_visited;
    sum.memory_bytes += status.memory_bytes;
    sum.resource_units += status.resource_units;
    sum.depth = std::max(sum.depth, status.depth);
    if (status.evaluations > 0) sum.temperature = status.temperature;
    sum.proven = sum.proven || status.proven;
    if (status.played_score) sum.played_score = status.played_score;
  }
  return sum;
}

SolveResult solve(const SearchTask& task, const SearchMaker& make, double seconds, const SolveWatcher& watcher,
                  const std::stop_token& stop) {
  const Clock::time_point start = Clock::now();
  Incumbent incumbent(task, [&](const BestLine& best) {
    if (watcher.improved) watcher.improved(best, seconds_since(start));
  });
  SolveResult result;
  if (task.board.has_moves()) {
    std::vector<NamedSearch> searches;
    try {
      searches = make(task, incumbent);
      result.error = run_searches(searches, start, seconds, watcher, stop);
    } catch (const std::exception& error) {
      result.error = error.what();
    }
    result.last = sample_of(searches, seconds_since(start));
  }
  if (incumbent.best().version == 0) offer_a_game(task, incumbent);
  result.best = incumbent.best();
  result.proven = !task.board.has_moves() || result.best.score >= task.board.upper_bound(task.scoring) ||
                  result.last.total().proven;
  result.complete = result.error.empty() && (result.proven || !stop.stop_requested());
  if (watcher.sampled) watcher.sampled(result.last);
  return result;
}

}  // namespace chainshot::host
