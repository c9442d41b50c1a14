#include "tools/measure/playouts.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

#include "host/dispatch/batch_pump.hpp"

namespace chainshot::tools {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Policies that do not play in lanes may take milliseconds for a playout.
constexpr std::uint32_t kPilotPlayouts = 1024, kSlowPilotPlayouts = 64;
constexpr double kLargestFirstBatch = 4096;
// Batches of at least the first length hide what a batch costs; batches of at most the second keep progress lively and
// Ctrl-C prompt. In seconds.
constexpr double kShortBatch = 0.1, kLongBatch = 0.3;

game::Batch batch_of(const PlayoutTask& task, const game::HistogramSpec& bins, std::uint64_t first, std::uint64_t n) {
  game::Batch batch{.seed = task.seed, .scoring = task.scoring, .histogram = bins, .requests = {task.request}};
  batch.requests[0].first_playout = task.request.first_playout + static_cast<std::uint32_t>(first);
  batch.requests[0].playouts = static_cast<std::uint32_t>(n);
  return batch;
}

// Plays the first playouts, which are played again with the rest. Their number depends on the task alone, and so do the
// histogram's bins, which are chosen by them.
game::Result play_pilot(game::Engine& engine, const PlayoutTask& task) {
  const std::uint32_t n =
      std::min(task.request.playouts, task.request.policy.plays_in_lanes() ? kPilotPlayouts : kSlowPilotPlayouts);
  game::Outcome outcome = engine.run(batch_of(task, {}, 0, n));
  if (!outcome.error.empty()) throw std::runtime_error(outcome.error);
  return std::move(outcome.results[0]);
}

struct NoContext {};

// The playouts of a task in batches whose size follows the time that batches take.
class PlayoutBatches final : public host::BatchClient<NoContext> {
 public:
  PlayoutBatches(game::Engine& engine, const PlayoutTask& task, const PlayoutWatcher& watcher,
                 const std::function<bool()>& halted, Clock::time_point start)
      : task_(task), watcher_(watcher), halted_(halted), start_(start) {
    const game::Result pilot = play_pilot(engine, task);
    const double rate = static_cast<double>(pilot.count) / std::max(seconds_since(start), 1e-9);
    report_.bins = fine_bins(pilot);
    size_ = static_cast<std::uint64_t>(std::clamp(kShortBatch * rate, 1.0, kLargestFirstBatch));
    last_taken_ = Clock::now();
  }

  std::optional<host::FilledBatch<NoContext>> fill(int /*engine*/) override {
    const std::uint64_t left = task_.request.playouts - submitted_;
    if (left == 0 || halted_()) return std::nullopt;
    const std::uint64_t n = std::min(size_, left);
    host::FilledBatch<NoContext> filled{batch_of(task_, report_.bins, submitted_, n), n, {}};
    submitted_ += n;
    return filled;
  }

  void take(NoContext /*context*/, std::vector<game::Result> results) override {
    report_.result.add(results[0]);
    const double took = seconds_since(std::exchange(last_taken_, Clock::now()));
    if (took < kShortBatch) size_ *= 2;
    if (took > kLongBatch) size_ = std::max<std::uint64_t>(size_ / 2, 1);
    watcher_(report_.result, seconds_since(start_));
  }

  void give_back(NoContext /*context*/) override { submitted_ = task_.request.playouts; }

  PlayoutReport report() {
    report_.complete = report_.result.count == task_.request.playouts;
    report_.seconds = seconds_since(start_);
    return std::move(report_);
  }

 private:
  const PlayoutTask& task_;
  const PlayoutWatcher& watcher_;
  const std::function<bool()>& halted_;
  const Clock::time_point start_;
  Clock::time_point last_taken_;
  std::uint64_t size_ = 1;  // playouts of the next batch
  std::uint64_t submitted_ = 0;
  PlayoutReport report_;
};

}  // namespace

PlayoutReport run_playouts(game::Engine& engine, const PlayoutTask& task, const PlayoutWatcher& watcher,
                           const std::function<bool()>& halted) {
  PlayoutBatches batches(engine, task, watcher, halted, Clock::now());
  host::EngineQueues queues({&engine});
  host::run_pump(queues, batches);
  return batches.report();
}

}  // namespace chainshot::tools
