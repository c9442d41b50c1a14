#include "host/search/search_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "game/playout.hpp"
#include "game/reference.hpp"
#include "game/scoring_bounds.hpp"

namespace chainshot::host {
namespace {

using Clock = SearchClock::Clock;

Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Runs each search in a thread. The destructor stops and joins them, also when the owner is unwound by an exception.
class SearchThreads {
 public:
  SearchThreads(const std::vector<Search*>& searches, const SearchClock& clock, std::stop_token outside)
      : clock_(clock), outside_(std::move(outside), [this] { stop_.request_stop(); }) {
    running_ = searches.size();
    threads_.reserve(searches.size());
    for (Search* search : searches) {
      try {
        threads_.emplace_back([this, search] { run(*search); });
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
  // Returns true once all searches have returned, or false at the given time.
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
      search.run(clock_, stop_.get_token());
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
    // Store the error before stopping the others, so a failure caused by the stop cannot mask it.
    if (!error.empty()) stop_.request_stop();
    const std::lock_guard lock(mutex_);
    --running_;
    ended_.notify_all();
  }

  const SearchClock& clock_;
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
    sample.searches.push_back({named.name, named.title, named.search->status()});
  return sample;
}

// Offers the line of one random game. Searches that are stopped at once may have found none, and any line beats none.
void offer_a_game(const SearchTask& task, Incumbent& incumbent) {
  std::vector<game::Cell> moves;
  const game::PlayoutRules rules(game::Policy{}, task.scoring, task.board);
  const game::PlayoutKey key{.seed = task.seed, .request = 0, .playout = 0};
  const int score = game::play(task.board, rules, key, 0, &moves).score;
  incumbent.offer(score, moves, "playout");
}

// Throws std::logic_error if a start does not replay: whoever takes lines from outside verifies them first.
void offer_starts(const SearchTask& task, Incumbent& incumbent) {
  for (std::size_t i = 0; i < task.starts.size(); ++i) {
    const game::ReplayResult replayed = game::replay(task.board, task.starts[i], task.scoring);
    if (!replayed.error.empty())
      throw std::logic_error(fmt::format("start {} of {} does not replay by the reference rules: {}", i + 1,
                                         task.starts.size(), replayed.error));
    incumbent.offer(replayed.score, task.starts[i], kStartSource);
  }
}

// Throws std::logic_error if the reference rules find another score for one of the lines.
std::vector<ScoredLine> replayed_elites(const SearchTask& task, const std::vector<NamedSearch>& searches) {
  std::vector<ScoredLine> elites;
  for (const NamedSearch& named : searches)
    for (ScoredLine& line : named.search->elites()) {
      const game::ReplayResult replayed = game::replay(task.board, line.moves, task.scoring);
      if (!replayed.error.empty() || replayed.score != line.score)
        throw std::logic_error(fmt::format("{} claims {} points for an elite that the reference rules score {}{}",
                                           named.name, line.score, replayed.score,
                                           replayed.error.empty() ? "" : ": " + replayed.error));
      elites.push_back(std::move(line));
    }
  return elites;
}

// Returns the error of the first search that failed. Calls `sample`, if there is one, every `interval` seconds.
std::string run_searches(const std::vector<Search*>& searches, const SearchClock& clock,
                         const std::function<void()>& sample, double interval, const std::stop_token& stop) {
  constexpr auto kNever = Clock::time_point::max();
  constexpr auto kGrace = std::chrono::milliseconds(100);  // after a stop, for searches to take in work under way
  const auto pause = duration_of(std::max(interval, 1e-3));
  Clock::time_point deadline = clock.deadline();
  // It also wakes to notice a stop from elsewhere.
  Clock::time_point next_sample = clock.started() + pause, next_cancel = kNever;
  SearchThreads threads(searches, clock, stop);
  while (!threads.wait_until(std::min({next_sample, deadline, next_cancel}))) {
    const Clock::time_point now = Clock::now();
    if (now >= deadline) {
      threads.request_stop();
      deadline = kNever;
    }
    if (now >= next_sample) {
      if (sample) sample();
      next_sample = Clock::now() + pause;
    }
    if (now >= next_cancel)
      for (Search* search : searches)
        search->cancel_pending();
    if (threads.is_stopping() && (next_cancel == kNever || now >= next_cancel)) next_cancel = now + kGrace;
  }
  return threads.error();
}

}  // namespace

SearchStatus SolveSample::total() const {
  SearchStatus sum;
  for (const auto& [name, title, status] : searches) {
    sum.playouts += status.playouts;
    sum.evaluations += status.evaluations;
    sum.nodes_visited += status.nodes_visited;
    sum.resource_units += status.resource_units;
    sum.proven = sum.proven || status.proven;
    if (status.played_score) sum.played_score = status.played_score;
    for (const Figure& figure : status.figures) {
      const auto known = std::find_if(sum.figures.begin(), sum.figures.end(),
                                      [&](const Figure& other) { return other.name == figure.name; });
      if (known == sum.figures.end())
        sum.figures.push_back(figure);
      else if (figure.total == FigureTotal::kSum)
        known->value += figure.value;
      else if (figure.total == FigureTotal::kLargest)
        known->value = std::max(known->value, figure.value);
    }
  }
  return sum;
}

void run_alone(Search& search, double seconds, const std::stop_token& stop) {
  const std::string error = run_searches({&search}, SearchClock(seconds), {}, 0.1, stop);
  if (!error.empty()) throw std::runtime_error(error);
}

SolveResult solve(const SearchTask& task, const SearchMaker& make, double seconds, const SolveWatcher& watcher,
                  const std::stop_token& stop) {
  // Callers with users refuse such boards before they begin.
  if (!game::stays_within(game::kMostScore, task.scoring, task.board))
    throw std::invalid_argument(game::score_objection(task.scoring, task.board, "this board"));
  const SearchClock clock(seconds);
  Incumbent incumbent(task, [&](const BestLine& best) {
    if (watcher.improved) watcher.improved(best, clock.seconds());
  });
  SolveResult result;
  std::vector<NamedSearch> searches;
  try {
    offer_starts(task, incumbent);
    if (task.board.has_moves()) {
      searches = make(task, incumbent);
      std::vector<Search*> all;
      for (const NamedSearch& named : searches)
        all.push_back(named.search.get());
      std::function<void()> sample;
      if (watcher.sampled) sample = [&] { watcher.sampled(sample_of(searches, clock.seconds())); };
      result.error = run_searches(all, clock, sample, watcher.interval, stop);
      result.elites = replayed_elites(task, searches);
    }
  } catch (const std::exception& error) {
    if (result.error.empty()) result.error = error.what();
  }
  if (task.board.has_moves()) result.last = sample_of(searches, clock.seconds());
  if (incumbent.best().version == 0) offer_a_game(task, incumbent);
  result.best = incumbent.best();
  result.proven = !task.board.has_moves() || result.best.score >= task.board.upper_bound(task.scoring) ||
                  result.last.total().proven;
  result.complete = result.error.empty() && (result.proven || !stop.stop_requested());
  if (watcher.sampled) watcher.sampled(result.last);
  return result;
}

}  // namespace chainshot::host
