#include "host/tune/game_team.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "host/search/search_runner.hpp"

namespace chainshot::host {
namespace {

// The state that the threads of one call of `play` share.
class GameQueue {
 public:
  GameQueue(const std::vector<TuningGame>& games, const GameWatcher& watcher, std::size_t threads)
      : games_(games), watcher_(watcher), running_(threads) {}

  // Plays games until there are no more.
  void work(const RunPlan& plan, const Resources& resources) {
    try {
      while (!stop_.stop_requested()) {
        const std::size_t next = next_++;
        if (next >= games_.size()) break;
        play(games_[next], plan, resources);
      }
    } catch (const std::exception& error) {
      fail(error.what());
    }
    const std::lock_guard lock(mutex_);
    --running_;
    ended_.notify_all();
  }

  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, time, [this] { return running_ == 0; });
  }
  void leave(std::size_t threads) {
    const std::lock_guard lock(mutex_);
    running_ -= threads;
  }
  void fail(const std::string& error) {
    {
      const std::lock_guard lock(mutex_);
      if (error_.empty()) error_ = error;
    }
    stop_.request_stop();
  }
  void request_stop() { stop_.request_stop(); }
  std::string error() const {
    const std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  void play(const TuningGame& game, const RunPlan& plan, const Resources& resources) {
    const GameTask of_game = watcher_.task(game);
    const auto make = [&](const SearchTask& task, Incumbent& incumbent) {
      return plan.kind->make(task, of_game.settings, resources, incumbent);
    };
    const SearchTask task{.board = of_game.position, .scoring = plan.scoring, .seed = of_game.seed};
    const SolveResult result = solve(task, make, plan.budget.seconds, {}, stop_.get_token());
    if (!result.error.empty()) return fail(result.error);
    if (result.complete) watcher_.finished(game, result.best.score);
  }

  const std::vector<TuningGame>& games_;
  const GameWatcher& watcher_;
  std::atomic<std::size_t> next_ = 0;
  std::stop_source stop_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_;
  std::string error_;
};

}  // namespace

GameTeam::GameTeam(const RunPlan& plan, const EngineNotice& notice) {
  const int threads = threads_of(plan.choice);
  const auto add = [&](int threads_of_worker) {
    RunPlan of_worker = plan;
    of_worker.choice.threads = threads_of_worker;
    auto resources = std::make_unique<RunResources>(of_worker, notice);
    workers_.push_back({std::move(of_worker), std::move(resources)});
  };
  // Whether the search has a device is known once its engines are open.
  add(threads);
  if (threads == 1 || has_device()) return;
  workers_.clear();
  for (int i = 0; i < threads; ++i)
    add(1);
}

std::string GameTeam::play(const std::vector<TuningGame>& games, const GameWatcher& watcher,
                           const std::stop_token& stop) {
  GameQueue queue(games, watcher, workers_.size());
  const std::stop_callback on_stop(stop, [&] { queue.request_stop(); });
  std::vector<std::jthread> threads;
  for (const Worker& worker : workers_) {
    try {
      threads.emplace_back([&] { queue.work(worker.plan, worker.resources->resources()); });
    } catch (const std::system_error& error) {
      queue.leave(workers_.size() - threads.size());
      queue.fail(std::string("cannot start a thread: ") + error.what());
      break;
    }
  }
  while (!queue.wait_for(std::chrono::milliseconds(100)))
    watcher.watch();
  threads.clear();
  return queue.error();
}

}  // namespace chainshot::host
