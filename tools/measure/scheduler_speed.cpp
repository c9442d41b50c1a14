// Measures how well the scheduler feeds a simulated device, and how fast trees and engine are together. It is not a
// test: it prints figures.
//   scheduler_speed device [SECONDS] [PRESET] [THREADS]
//     a device of 250 million playouts/s and 100 us latency, which really plays only one playout of each request
//   scheduler_speed slowed [SECONDS] [PRESET] [THREADS] [SCALE]
//     the same device, SCALE (500) times slower, which really plays all of them
//   scheduler_speed visits [SECONDS] [PRESET] [THREADS] [C] [PLAYOUTS...]
//     leaf visits/s on the CPU engine with 1, 8 and 32 playouts per leaf, and how much of the engine's own rate that
//     is; 0 for C is the preset's own
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "game/board_text.hpp"
#include "host/engines/engines.hpp"
#include "host/search/search_runner.hpp"
#include "host/tree/tree_kind.hpp"
#include "host/tree/tree_search.hpp"
#include "tools/measure/delay_engine.hpp"

namespace chainshot::host {
namespace {

// Plays one playout of each request and counts it as all of them: the trees see scores of their positions, and the CPU
// is left to the scheduler, as it is beside a device.
class ThinnedEngine final : public game::Engine {
 public:
  explicit ThinnedEngine(std::unique_ptr<game::Engine> inner) : inner_(std::move(inner)) {}

  const game::Capabilities& capabilities() const override { return inner_->capabilities(); }
  game::Ticket submit(game::Batch batch) override {
    auto asked = std::make_shared<std::vector<std::uint64_t>>();
    for (game::Request& request : batch.requests) {
      asked->push_back(request.playouts);
      request.playouts = 1;
    }
    const game::Ticket ticket = inner_->submit(std::move(batch));
    const std::lock_guard lock(mutex_);
    asked_.emplace(ticket, std::move(asked));
    return ticket;
  }
  bool poll(game::Ticket ticket) override { return inner_->poll(ticket); }
  game::Outcome wait(game::Ticket ticket) override {
    game::Outcome outcome = inner_->wait(ticket);
    const std::lock_guard lock(mutex_);
    const auto asked = asked_.extract(ticket).mapped();
    for (std::size_t i = 0; i < outcome.results.size(); ++i) {
      game::Result& result = outcome.results[i];
      const std::uint64_t times = (*asked)[i];
      result.count *= times;
      result.sum *= static_cast<std::int64_t>(times);
      result.sum_of_squares *= times;
      result.moves *= times;
    }
    return outcome;
  }
  game::Usage usage() const override { return inner_->usage(); }

 private:
  std::unique_ptr<game::Engine> inner_;
  std::mutex mutex_;
  std::unordered_map<game::Ticket, std::shared_ptr<std::vector<std::uint64_t>>> asked_;
};

struct Run {
  SearchStatus status;
  double seconds = 0;
  double processor_seconds = 0;
};

Run run(const TreeSettings& settings, game::Engine& engine, const Budget& budget, int threads) {
  const SearchTask task{.board = game::standard_boards().front().position, .seed = 1};
  Incumbent incumbent(task);
  const auto search = make_tree_search(task, settings, budget, {&engine}, threads, incumbent);
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  run_alone(*search, budget.seconds);
  return {search->status(), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
}

void measure_device(const TreeSettings& settings, double seconds, int threads, double time_scale) {
  std::unique_ptr<game::Engine> inner = make_engine({.name = "cpu", .threads = 1});
  if (time_scale == 1) inner = std::make_unique<ThinnedEngine>(std::move(inner));
  DelayEngine device(std::move(inner), {.playouts_per_second = 250e6,
                                        .latency_us = 100,
                                        .batches_in_flight = 3,
                                        .time_scale = time_scale,
                                        .recommended_batch = std::uint64_t{1} << 18});
  const Run done = run(settings, device, {.seconds = seconds}, threads);
  fmt::print(
      "device busy {:.1f} %, batch fill {:.1f} %, {:.2f} in flight, {} playouts per leaf, {:.3g} leaves/s, late {}\n",
      100 * done.status.figure("busy_share"), 100 * done.status.figure("batch_fill"), done.status.figure("in_flight"),
      done.status.figure("leaf_playouts"), static_cast<double>(done.status.nodes_visited) / done.seconds,
      device.report().late);
}

// Playouts of one position, with nothing else to do.
double raw_rate(game::Engine& engine, double seconds) {
  game::Batch batch;
  batch.requests.push_back(
      {.position = game::standard_boards().front().position, .policy = {}, .playouts = std::uint32_t{1} << 14});
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t playouts = 0;
  for (game::Ticket first = engine.submit(batch), second;; first = second) {
    batch.requests[0].first_playout += batch.requests[0].playouts;
    second = engine.submit(batch);
    playouts += engine.wait(first).results[0].count;
    const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (taken < seconds) continue;
    engine.wait(second);
    return static_cast<double>(playouts) / taken;
  }
}

void measure_visits(TreeSettings settings, double seconds, int threads, const std::vector<int>& leaf_playouts) {
  const auto engine =
      make_engine({.name = "cpu", .threads = threads, .caller_threads = threads_with_trees(settings, threads)});
  for (const int playouts : leaf_playouts) {
    settings.leaf_playouts = playouts;
    const double raw = raw_rate(*engine, seconds / 4);
    const Run done = run(settings, *engine, {.seconds = seconds}, threads);
    const double leaves = static_cast<double>(done.status.playouts) / playouts;
    fmt::print(
        "{:>3} playouts per leaf: {:>7.0f} leaves/s ({:.0f} per second of processor time), {:.3g} playouts/s, {:.0f} % "
        "of the "
        "engine's {:.3g}, {} nodes, mean depth {:.1f}\n",
        playouts, leaves / done.seconds, leaves / done.processor_seconds, playouts * leaves / done.seconds,
        100 * playouts * leaves / done.seconds / raw, raw, done.status.figure("nodes"),
        done.status.figure("mean_depth"));
  }
}

}  // namespace
}  // namespace chainshot::host

int main(int argc, char** argv) {
  using namespace chainshot::host;
  const std::string_view what = argc > 1 ? argv[1] : "device";
  const double seconds = argc > 2 ? std::atof(argv[2]) : 5;
  TreeSettings settings = tree_preset(argc > 3 ? argv[3] : "set");
  const int threads = argc > 4 ? std::atoi(argv[4]) : 1;
  if (what != "visits") {
    const double slowed = argc > 5 ? std::atof(argv[5]) : 500;
    measure_device(settings, seconds, threads, what == "slowed" ? slowed : 1);
    return 0;
  }
  std::vector<int> leaf_playouts;
  for (int i = 6; i < argc; ++i)
    leaf_playouts.push_back(std::atoi(argv[i]));
  if (leaf_playouts.empty()) leaf_playouts = {1, 8, 32};
  if (const double c = argc > 5 ? std::atof(argv[5]) : 0; c > 0) settings.selection.c = c;
  measure_visits(settings, seconds, threads, leaf_playouts);
}
