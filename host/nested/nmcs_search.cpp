#include "host/nested/nmcs_search.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "host/dispatch/batch_pump.hpp"
#include "host/dispatch/engine_queues.hpp"
#include "host/dispatch/replay.hpp"
#include "host/nested/call_forest.hpp"

namespace chainshot::host {
namespace {

using nested::CallForest;
using nested::Leaf;

constexpr std::string_view kSource = "nmcs";
constexpr BatchSizing kBatchSizing{.cpu_divisor = 16};
constexpr std::uint64_t kDeterministicBatch = 256;  // playouts

// A step waits for its slowest batch, and a search of the whole board has thousands of steps one after the other. So a
// batch has at most this many leaves, even if a device recommends more; a leader opens about a million per second.
constexpr std::uint64_t kMostLeaves = 1024;

// Batches of a counted budget have at most this part of it, so that a small budget is not spent on the first steps of
// many searches.
constexpr std::uint64_t kBatchesPerBudget = 128;
constexpr std::uint64_t kSmallestBatch = 32;  // playouts

// The state that the leaders of a search share.
struct SharedSearch {
  const SearchTask& task;
  const NmcsSettings& settings;
  const int bound;
  Incumbent& incumbent;
  EngineQueues& queues;
  const std::uint64_t budget;  // playouts; 0: no limit
  const bool is_deterministic;
  std::atomic<std::uint64_t> playouts_left;
  std::atomic<std::uint64_t> playouts = 0;
  std::atomic<std::uint64_t> roots = 0;  // opened
  std::atomic<std::uint64_t> roots_ended = 0;
  std::atomic<std::size_t> moves_made = 0;           // of the oldest root of the first leader
  std::atomic<int> played_score = nested::kNoScore;  // the best of the games of ended roots
  std::atomic<bool> has_failed = false;

  bool is_proven() const { return incumbent.score() >= bound; }
  std::uint64_t batch_size(int engine) const {
    const std::uint64_t most = kMostLeaves * static_cast<std::uint64_t>(settings.leaf_playouts);
    const std::uint64_t size = is_deterministic ? kDeterministicBatch : std::min(most, queues.batch_size(engine));
    return budget == 0 ? size : std::min(size, std::max(kSmallestBatch, budget / kBatchesPerBudget));
  }
  // Takes up to `wanted` playouts from the budget.
  std::uint32_t spend(std::uint32_t wanted) {
    if (budget == 0) return wanted;
    std::uint64_t left = playouts_left, taken = 0;
    do
      taken = std::min<std::uint64_t>(left, wanted);
    while (!playouts_left.compare_exchange_weak(left, left - taken));
    return static_cast<std::uint32_t>(taken);
  }
};

// One thread's searches. The context of a batch lists its leaves, one for each request.
class Leader final : public BatchClient<std::vector<Leaf>> {
 public:
  Leader(SharedSearch& shared, bool is_first)
      : shared_(shared), is_first_(is_first), forest_(shared.task, shared.settings) {}

  std::optional<FilledBatch<std::vector<Leaf>>> fill(int engine) override {
    if (shared_.has_failed || shared_.is_proven()) return std::nullopt;
    FilledBatch<std::vector<Leaf>> filled{
        .batch = {.seed = shared_.task.seed, .scoring = shared_.task.scoring}, .playouts = 0, .context = {}};
    const std::uint64_t size = shared_.batch_size(engine);
    const auto per_leaf = static_cast<std::uint32_t>(shared_.settings.leaf_playouts);
    while (filled.playouts < size) {
      const std::uint32_t playouts = shared_.spend(per_leaf);
      if (playouts == 0) break;
      const Leaf leaf = next_leaf();
      filled.batch.requests.push_back(forest_.request_of(leaf));
      filled.batch.requests.back().playouts = playouts;
      filled.context.push_back(leaf);
      filled.playouts += playouts;
    }
    if (filled.context.empty()) return std::nullopt;
    return filled;
  }

  void take(std::vector<Leaf> leaves, std::vector<game::Result> results) override {
    std::uint64_t playouts = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      playouts += results[i].count;
      if (results[i].best > shared_.incumbent.score()) keep_line(leaves[i], results[i]);
      forest_.answer(leaves[i], results[i]);
    }
    shared_.playouts += playouts;
    publish();
  }

  void give_back(std::vector<Leaf> /*leaves*/) override {}

 private:
  Leaf next_leaf() {
    for (;;) {
      if (const std::optional<Leaf> leaf = forest_.next_leaf()) return *leaf;
      forest_.open_root(shared_.roots++);
    }
  }

  void publish() {
    shared_.roots_ended += forest_.roots_ended() - std::exchange(roots_ended_, forest_.roots_ended());
    if (is_first_) shared_.moves_made = forest_.moves_made();
    int known = shared_.played_score;
    while (forest_.best_root().score > known &&
           !shared_.played_score.compare_exchange_weak(known, forest_.best_root().score)) {
    }
  }

  void keep_line(const Leaf& leaf, const game::Result& result) {
    const Line line = replay_best(forest_.request_of(leaf), shared_.task.seed, shared_.task.scoring, result);
    if (!line.error.empty()) throw std::runtime_error(line.error);
    std::vector<game::Cell> moves = forest_.way_to(leaf);
    moves.insert(moves.end(), line.moves.begin(), line.moves.end());
    shared_.incumbent.offer(result.best, moves, kSource);
  }

  SharedSearch& shared_;
  const bool is_first_;
  CallForest forest_;
  std::uint64_t roots_ended_ = 0;  // of the forest, as far as they are counted
};

class NmcsSearch final : public Search {
 public:
  NmcsSearch(const SearchTask& task, const NmcsSettings& settings, const Budget& budget,
             const std::vector<game::Engine*>& engines, int threads, const CommonSettings& common, Incumbent& incumbent)
      : task_(task),
        settings_(settings),
        leaders_(nmcs_leaders(common, threads)),
        queues_(engines, kBatchSizing),
        shared_{.task = task_,
                .settings = settings_,
                .bound = task.board.upper_bound(task.scoring),
                .incumbent = incumbent,
                .queues = queues_,
                .budget = budget.playouts,
                .is_deterministic = common.deterministic,
                .playouts_left = budget.playouts} {}

  void run(const SearchClock&, std::stop_token stop) override {
    if (!task_.board.has_moves()) return;
    queues_.open(leaders_);
    const std::stop_callback cancel(stop, [this] { queues_.cancel(); });
    {
      std::vector<std::jthread> threads;
      for (int i = 1; i < leaders_; ++i) {
        try {
          threads.emplace_back([&] { lead(stop, false); });
        } catch (const std::system_error&) {
          break;  // the system has no more threads: those there are lead all searches
        }
      }
      lead(stop, true);
    }
    if (error_) std::rethrow_exception(error_);
  }

  void cancel_pending() override { queues_.cancel(); }

  SearchStatus status() const override {
    SearchStatus status{.playouts = shared_.playouts, .proven = shared_.is_proven()};
    if (const int played = shared_.played_score; played != nested::kNoScore) status.played_score = played;
    const EngineFigures engines = queues_.figures();
    status.figures = {
        {"busy_share", engines.busy_share, FigureStyle::kPercent, "engine busy", "busy"},
        {"runs", static_cast<double>(shared_.roots_ended), FigureStyle::kNumber, "runs"},
        {"moves_played", static_cast<double>(shared_.moves_made), FigureStyle::kNumber, "move"},
        {"level", static_cast<double>(settings_.levels)},
        {"batch_fill", engines.batch_fill},
        {"in_flight", engines.in_flight},
    };
    return status;
  }

 private:
  void lead(const std::stop_token& stop, bool is_first) {
    try {
      Leader leader(shared_, is_first);
      const ResultOrder order = shared_.is_deterministic ? ResultOrder::kAsSubmitted : ResultOrder::kAsReady;
      BatchPump<std::vector<Leaf>> pump(queues_, leader, order, stop);
      run_pumps(std::span(&pump, 1));
    } catch (...) {
      shared_.has_failed = true;
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  const SearchTask task_;
  const NmcsSettings settings_;
  const int leaders_;
  EngineQueues queues_;
  SharedSearch shared_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace

int nmcs_leaders(const CommonSettings& common, int threads) {
  return common.deterministic ? 1 : std::max(1, threads);
}

std::unique_ptr<Search> make_nmcs_search(const SearchTask& task, const NmcsSettings& settings, const Budget& budget,
                                         const std::vector<game::Engine*>& engines, int threads,
                                         const CommonSettings& common, Incumbent& incumbent) {
  return std::make_unique<NmcsSearch>(task, settings, budget, engines, threads, common, incumbent);
}

}  // namespace chainshot::host
