// Playouts. Engines play in a thread of their own, so that the calling thread can hear of a stop at any time.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "api/translation.hpp"
#include "game/engine.hpp"
#include "game/policy_choice.hpp"
#include "game/score_statistics.hpp"
#include "host/dispatch/replay.hpp"
#include "host/dispatch/run_requests.hpp"
#include "host/engines/engines.hpp"

namespace chainshot {

struct Engine::State {
  std::unique_ptr<game::Engine> engine;
  std::mutex mutex;                   // held while the engine plays
  std::atomic<std::thread::id> user;  // the thread that holds it
};

namespace {

constexpr int kMostBins = 1 << 16;
constexpr std::uint32_t kPilotPlayouts = 1024, kSlowPilotPlayouts = 64;

host::EngineChoice choice_of(const EngineOptions& options) {
  return {.name = options.name,
          .threads = options.threads,
          .isa = options.isa,
          .devices = options.devices,
          .gpu_memory = options.gpu_memory};
}

game::Policy policy_of(const PolicyOptions& options, const std::vector<Position>& positions) {
  const game::PolicyChoice choice{.policy = options.name,
                                  .epsilon = options.epsilon,
                                  .tabu_color = options.tabu_color,
                                  .random_below = options.random_below,
                                  .beta = options.beta,
                                  .theta = options.theta,
                                  .vs_pruning = options.vs_pruning};
  const game::Policy policy = game::policy_from(choice);
  if (options.tabu_color)
    for (const Position& position : positions)
      game::expect_tabu_color(*options.tabu_color, {"of the position", position.state().board});
  return policy;
}

game::HistogramSpec spec_of(const Bins& bins) {
  if (bins.count < 1 || bins.count > kMostBins || bins.width < 1)
    throw InputError("a histogram of " + std::to_string(bins.count) + " bins of width " + std::to_string(bins.width) +
                     "; expected 1 to " + std::to_string(kMostBins) + " bins of width 1 or more");
  if (bins.low < -game::kMostScore || bins.low > game::kMostScore)
    throw InputError("a histogram from " + std::to_string(bins.low) + "; expected a score from " +
                     std::to_string(-game::kMostScore) + " to " + std::to_string(game::kMostScore));
  return {.low = bins.low, .width = bins.width, .bins = bins.count};
}

// A list of requests while it is played. The thread that plays adds the parts; the caller reads how many there are.
class PlayedRequests {
 public:
  PlayedRequests(std::size_t requests, int bins) : results_(requests) {
    for (game::Result& result : results_)
      result.histogram.resize(static_cast<std::size_t>(bins));
  }
  void add(std::size_t request, const game::Result& part) {
    results_[request].add(part);
    played_ += part.count;
  }
  std::uint64_t played() const { return played_; }
  // Once the thread that plays has ended.
  const std::vector<game::Result>& results() const { return results_; }

 private:
  std::vector<game::Result> results_;
  std::atomic<std::uint64_t> played_ = 0;
};

enum class Counted { kNo, kYes };  // whether the caller hears how many playouts there are

// Plays the batch; a stop ends it, and what was played by then is in `played`.
void play_batch(game::Engine& engine, const game::Batch& batch, const PlayoutOptions& options, ProgressCalls& calls,
                PlayedRequests& played, Counted counted) {
  constexpr auto kInterval = std::chrono::milliseconds(100);
  std::stop_source stop;
  const std::stop_callback pass_on(options.stop, [&stop] { stop.request_stop(); });
  const auto play = [&] {
    host::EngineQueues queues({&engine});
    host::run_requests(queues, batch, stop.get_token(),
                       [&played](std::size_t request, const game::Result& part) { played.add(request, part); });
  };
  std::future<void> ends = std::async(std::launch::async, play);
  const auto progress = [&] { return options.progress(counted == Counted::kYes ? played.played() : 0); };
  while (ends.wait_for(kInterval) != std::future_status::ready)
    if (options.progress && !calls.goes_on(progress)) stop.request_stop();
  ends.get();
}

// The first playouts of all positions, which are played again with the rest. The bins that they choose depend on
// positions and options alone.
game::HistogramSpec bins_for(game::Engine& engine, game::Batch batch, const PlayoutOptions& options,
                             ProgressCalls& calls) {
  if (options.bins) return spec_of(*options.bins);
  for (game::Request& request : batch.requests)
    request.playouts =
        std::min(request.playouts, request.policy.plays_in_lanes() ? kPilotPlayouts : kSlowPilotPlayouts);
  PlayedRequests pilot(batch.requests.size(), 0);
  play_batch(engine, batch, options, calls, pilot, Counted::kNo);
  game::Result all;
  for (const game::Result& result : pilot.results())
    all.add(result);
  game::HistogramSpec bins = all.count == 0 ? game::HistogramSpec{.bins = 1} : game::fine_bins(all);
  // Positions whose scores have little in common would need too many bins.
  for (; bins.bins > kMostBins; bins.bins = bins.bins / 10 + 1)
    bins.width *= 10;
  return bins;
}

PlayoutResult result_of(const game::Result& result, const game::HistogramSpec& bins, const game::Request& request,
                        const PlayoutOptions& options, const game::Scoring& scoring) {
  PlayoutResult out;
  out.count = result.count;
  out.bins = {.low = bins.low, .width = bins.width, .count = bins.bins};
  out.histogram = result.histogram;
  if (result.count == 0) return out;
  out.mean = game::mean(result);
  out.deviation = game::standard_deviation(result);
  out.best = result.best;
  out.worst = result.worst;
  out.mean_moves = static_cast<double>(result.moves) / static_cast<double>(result.count);
  const host::Line line = host::replay_best(request, options.seed, scoring, result);
  if (!line.error.empty()) throw Error(line.error);
  out.best_key = game::to_string(line.key);
  out.best_moves = moves_of(line.moves);
  return out;
}

std::vector<PlayoutResult> play_all(game::Engine& engine, const std::vector<Position>& positions,
                                    const PlayoutOptions& options, ProgressCalls& calls) {
  if (options.playouts == 0) throw InputError("0 playouts of each position; expected 1 or more");
  const game::Policy policy = policy_of(options.policy, positions);
  game::Batch batch{.seed = options.seed, .scoring = scoring_of(options.scoring)};
  for (const Position& position : positions) {
    expect_scores_fit(batch.scoring, position.state().board);
    batch.requests.push_back({.position = position.state().board,
                              .policy = policy.for_game_from(position.state().board),
                              .playouts = options.playouts});
  }
  if (positions.empty()) return {};
  batch.histogram = bins_for(engine, batch, options, calls);
  PlayedRequests played(positions.size(), batch.histogram.bins);
  if (calls.goes_on([] { return true; })) play_batch(engine, batch, options, calls, played, Counted::kYes);
  std::vector<PlayoutResult> results;
  for (std::size_t i = 0; i < positions.size(); ++i)
    results.push_back(result_of(played.results()[i], batch.histogram, batch.requests[i], options, batch.scoring));
  return results;
}

class UsedByThread {
 public:
  explicit UsedByThread(std::atomic<std::thread::id>& user) : user_(user) { user_ = std::this_thread::get_id(); }
  ~UsedByThread() { user_ = std::thread::id(); }
  UsedByThread(const UsedByThread&) = delete;
  UsedByThread& operator=(const UsedByThread&) = delete;

 private:
  std::atomic<std::thread::id>& user_;
};

}  // namespace

Engine::Engine(const EngineOptions& options) : state_(std::make_unique<State>()) {
  state_->engine = translated([&] { return host::make_engine(choice_of(options), options.notice); });
}
Engine::Engine(Engine&& other) noexcept = default;
Engine& Engine::operator=(Engine&& other) noexcept = default;
Engine::~Engine() = default;

std::string Engine::name() const {
  return state_->engine->capabilities().name;
}

std::vector<PlayoutResult> Engine::play(const std::vector<Position>& positions, const PlayoutOptions& options) {
  if (state_->user.load() == std::this_thread::get_id())
    throw InputError("this engine is playing already; expected another engine in a progress function");
  const std::lock_guard lock(state_->mutex);
  const UsedByThread used(state_->user);
  ProgressCalls calls;
  std::vector<PlayoutResult> results;
  try {
    results = translated([&] { return play_all(*state_->engine, positions, options, calls); });
  } catch (...) {
    calls.rethrow();
    throw;
  }
  calls.rethrow();
  return results;
}

PlayoutResult Engine::play(const Position& position, const PlayoutOptions& options) {
  return play(std::vector<Position>{position}, options).front();
}

}  // namespace chainshot
