// An engine whose results a test decides: requests get the results of the script in order, or the batch fails with an
// error. A batch is complete when the test puts its ticket into `done`, or when someone waits for it. Any thread may
// call the engine, but the test may use the public members only while no other thread does.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::tests {

class ScriptedEngine : public game::Engine {
 public:
  explicit ScriptedEngine(std::string name, std::vector<game::Result> script = {},
                          game::Capabilities capabilities = {.name = {}, .recommended_batch = 64})
      : capabilities_(std::move(capabilities)), script_(std::move(script)) {
    capabilities_.name = std::move(name);
  }

  const game::Capabilities& capabilities() const override { return capabilities_; }

  game::Ticket submit(game::Batch batch) override {
    if (on_submit) on_submit();
    const std::lock_guard lock(mutex_);
    game::Outcome& outcome = outcomes_[++last_];
    if (last_ >= error_from) outcome.error = error;
    if (outcome.error.empty())
      for (const game::Request& request : batch.requests) {
        playouts += request.playouts;
        outcome.results.push_back(script_.empty() ? game::Result{} : script_.at(next_++ % script_.size()));
      }
    batches.push_back(std::move(batch));
    return last_;
  }
  bool poll(game::Ticket ticket) override {
    const std::lock_guard lock(mutex_);
    return done.count(ticket) != 0;
  }
  game::Outcome wait(game::Ticket ticket) override {
    if (on_wait) on_wait();
    const std::lock_guard lock(mutex_);
    auto found = outcomes_.extract(ticket);
    if (!found) return {{}, "no such ticket"};
    if (found.mapped().error.empty()) ++waited_;
    return std::move(found.mapped());
  }
  void cancel() override { ++cancelled; }
  void change_capabilities(const game::Capabilities& capabilities) { capabilities_ = capabilities; }
  // Counts the batches that someone waited for and the playouts of all batches submitted.
  game::Usage usage() const override {
    const std::lock_guard lock(mutex_);
    return {.batches = waited_, .playouts = playouts, .busy_seconds = busy_seconds};
  }

  std::string error;                // error of the batches that follow
  game::Ticket error_from = 0;      // the first ticket that gets the error
  std::set<game::Ticket> done;      // the tickets that `poll` reports as complete
  std::function<void()> on_submit;  // `submit` calls it first; it may block or throw
  std::function<void()> on_wait;
  double busy_seconds = 0;  // `usage` reports it
  std::vector<game::Batch> batches;
  std::uint64_t playouts = 0;
  int cancelled = 0;  // number of calls

 private:
  mutable std::mutex mutex_;
  game::Capabilities capabilities_;
  std::uint64_t waited_ = 0;
  std::vector<game::Result> script_;
  std::size_t next_ = 0;
  game::Ticket last_ = 0;
  std::unordered_map<game::Ticket, game::Outcome> outcomes_;
};

// Makes a batch of requests with keys 1000, 1001, ... and the given numbers of playouts.
inline game::Batch batch_of(const std::vector<std::uint32_t>& playouts) {
  game::Batch batch;
  for (std::size_t i = 0; i < playouts.size(); ++i) {
    game::Request& request = batch.requests.emplace_back();
    request.position = game::Position(2, 2);
    request.playouts = playouts[i];
    request.key = 1000 + i;
  }
  return batch;
}

inline game::Result result_with_best(int best) {
  game::Result result;
  result.add(game::PlayoutKey{}, best, 1);
  return result;
}

}  // namespace chainshot::tests
