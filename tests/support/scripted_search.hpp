// A search whose `run` is a function that the test supplies.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "host/search/search.hpp"

namespace chainshot::tests {

class ScriptedSearch : public host::Search {
 public:
  using Script = std::function<void(ScriptedSearch&, std::stop_token)>;

  explicit ScriptedSearch(Script script) : script_(std::move(script)) {}

  void run(const host::SearchClock& /*clock*/, std::stop_token stop) override { script_(*this, std::move(stop)); }
  void cancel_pending() override { cancelled_ = true; }
  bool is_cancelled() const { return cancelled_; }
  host::SearchStatus status() const override {
    const std::lock_guard lock(mutex_);
    return status_;
  }
  void set_status(const host::SearchStatus& status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
  }
  std::vector<host::ScoredLine> elites() const override { return elites_; }
  void set_elites(std::vector<host::ScoredLine> elites) { elites_ = std::move(elites); }

  // Blocks until someone requests a stop.
  static void until_stopped(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any asked;
    std::unique_lock lock(mutex);
    asked.wait(lock, stop, [] { return false; });
  }

 private:
  Script script_;
  std::atomic<bool> cancelled_ = false;
  mutable std::mutex mutex_;
  host::SearchStatus status_;
  std::vector<host::ScoredLine> elites_;
};

}  // namespace chainshot::tests
