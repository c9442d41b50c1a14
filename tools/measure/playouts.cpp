#include "tools/measure/playouts.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <stdexcept>
#include <utility>

#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Policies that do not play in lanes may take milliseconds for a playout.
constexpr std::uint32_t kPilotPlayouts = 1024, kSlowPilotPlayouts = 64;
constexpr double kLargestFirstBatch = 4096;
// A batch this short keeps progress lively and Ctrl-C prompt; one this long keeps what a batch costs out of sight.
constexpr double kShortBatch = 0.1, kLongBatch = 0.3;

game::Outcome succeeded(game::Outcome outcome) {
  if (!outcome.error.empty()) throw std::runtime_error(outcome.error);
  return outcome;
}

game::Batch batch_of(const PlayoutTask& task, const game::HistogramSpec& bins, std::uint64_t first, std::uint64_t n) {
  game::Batch batch{.seed = task.seed, .scoring = task.scoring, .histogram = bins, .requests = {task.request}};
  batch.requests[0].first_playout = task.request.first_playout + static_cast<std::uint32_t>(first);
  batch.requests[0].playouts = static_cast<std::uint32_t>(n);
  return batch;
}

// The first playouts, which are played again with the rest. How many they are depends on the task alone, and so do the
// bins that are chosen by them.
game::Result play_pilot(game::Engine& engine, const PlayoutTask& task) {
  const std::uint32_t n =
      std::min(task.request.playouts, task.request.policy.plays_in_lanes() ? kPilotPlayouts : kSlowPilotPlayouts);
  return succeeded(engine.run(batch_of(task, {}, 0, n))).results[0];
}

}  // namespace

PlayoutReport run_playouts(game::Engine& engine, const PlayoutTask& task, const PlayoutWatcher& watcher) {
  const Clock::time_point start = Clock::now();
  const game::Result pilot = play_pilot(engine, task);
  const double rate = static_cast<double>(pilot.count) / std::max(seconds_since(start), 1e-9);
  PlayoutReport report{.result = {}, .bins = fine_bins(pilot)};
  const std::uint64_t wanted = task.request.playouts;
  const std::uint64_t largest = std::max<std::uint64_t>(1, engine.capabilities().largest_batch);
  const auto in_flight = static_cast<std::size_t>(std::max(1, engine.capabilities().batches_in_flight));
  std::uint64_t submitted = 0;
  std::uint64_t batch =
      std::min(static_cast<std::uint64_t>(std::clamp(kShortBatch * rate, 1.0, kLargestFirstBatch)), largest);
  std::deque<game::Ticket> flights;
  for (Clock::time_point last = Clock::now();;) {
    while (flights.size() < in_flight && submitted < wanted && !interrupted()) {
      const std::uint64_t n = std::min(batch, wanted - submitted);
      flights.push_back(engine.submit(batch_of(task, report.bins, submitted, n)));
      submitted += n;
    }
    if (flights.empty()) break;
    report.result.add(succeeded(engine.wait(flights.front())).results[0]);
    flights.pop_front();
    const double took = seconds_since(std::exchange(last, Clock::now()));
    if (took < kShortBatch) batch = std::min(2 * batch, largest);
    if (took > kLongBatch) batch = std::max<std::uint64_t>(batch / 2, 1);
    watcher(report.result, seconds_since(start));
  }
  report.complete = report.result.count == wanted;
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace chainshot::tools
