#include "cpu/engine/cpu_engine.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "cpu/engine/lane_feed.hpp"
#include "cpu/engine/lane_variants.hpp"
#include "machine/allowance.hpp"
#include "machine/numa.hpp"

namespace chainshot::cpu {
namespace {

constexpr std::uint64_t kSmallestChunk = 32;
constexpr std::uint64_t kLargestChunk = 1024;  // short enough that threads end together

struct IsaLanes {
  lanes::RunLanes run;
  int lanes;
};

IsaLanes lanes_of(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::kAvx2:
      return {avx2::run, avx2::kLanes};
    case Isa::kAvx512Ymm:
      return {avx512ymm::run, avx512ymm::kLanes};
    case Isa::kAvx512Zmm:
      return {avx512zmm::run, avx512zmm::kLanes};
#endif
    default:
      return {portable::run, portable::kLanes};
  }
}

class CpuEngine final : public game::Engine {
 public:
  explicit CpuEngine(const CpuEngineOptions& options)
      : threads_(options.threads > 0 ? options.threads : machine::usable_processors()),
        waiting_plays_(options.caller_threads > 0),
        wide_only_(options.wide_only),
        run_lanes_(lanes_of(options.isa).run) {
    capabilities_.name = "cpu (" + std::string(name_of(options.isa)) + ", " + std::to_string(threads_) +
                         (threads_ == 1 ? " thread)" : " threads)");
    capabilities_.lanes = threads_ * lanes_of(options.isa).lanes;
    capabilities_.recommended_batch = static_cast<std::uint64_t>(threads_) * 4096;
    try {
      const std::vector<machine::NodeProcessors>& nodes = machine::numa_nodes();
      const auto threads = static_cast<std::size_t>(threads_);
      const std::vector<std::size_t> node_of = machine::nodes_of_threads(nodes, threads);
      const bool pins = machine::should_pin(nodes, threads);
      for (auto i = static_cast<std::size_t>(options.caller_threads); i < threads; ++i)
        workers_.emplace_back([this, node = pins ? &nodes[node_of[i]] : nullptr] {
          if (node != nullptr) machine::stay_on(*node);
          LaneFeed(queue_).work(run_lanes_);
        });
    } catch (const std::system_error& error) {
      queue_.stop();  // the threads that did start wait for work and are joined
      throw std::runtime_error("cannot start thread " + std::to_string(workers_.size() + 1) + " of " +
                               std::to_string(threads_) + ": " + error.what() + "; expected fewer threads");
    } catch (...) {
      queue_.stop();
      throw;
    }
  }

  ~CpuEngine() override { queue_.stop(); }

  const game::Capabilities& capabilities() const override { return capabilities_; }

  game::Ticket submit(game::Batch batch) override {
    auto pending = std::make_shared<QueuedBatch>();
    pending->batch = std::move(batch);
    plan(*pending);
    game::Ticket ticket;
    {
      const std::lock_guard lock(mutex_);
      ticket = ++last_ticket_;
      tickets_.emplace(ticket, pending);
    }
    queue_.push(std::move(pending));
    return ticket;
  }

  bool poll(game::Ticket ticket) override {
    const auto batch = find(ticket, false);
    return batch == nullptr || queue_.is_complete(*batch);
  }

  game::Outcome wait(game::Ticket ticket) override {
    const auto batch = find(ticket, true);
    if (batch == nullptr)
      return {{}, "ticket " + std::to_string(ticket) + " is not one the engine gave out, or was waited for before"};
    if (waiting_plays_) play_until_complete(*batch);
    queue_.wait_complete(*batch);
    if (!batch->outcome.error.empty()) batch->outcome.results.clear();
    return std::move(batch->outcome);
  }

  void cancel() override { queue_.cancel(); }

  game::Usage usage() const override {
    game::Usage usage = queue_.usage();
    usage.busy_seconds /= threads_;
    return usage;
  }

 private:
  void plan(QueuedBatch& pending) {
    const auto& requests = pending.batch.requests;
    assert(pending.batch.histogram.bins >= 0 && pending.batch.histogram.width > 0);
    pending.outcome.results.resize(requests.size());
    pending.prepared.reserve(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const game::Request& request = requests[i];
      assert(request.position.is_settled() && request.policy.tabu_color < game::kMaxColors);
      pending.playouts += request.playouts;
      pending.prepared.push_back(
          lanes::prepare(pending.batch, request, rules_.rules_for(request, pending.batch.scoring), wide_only_, true));
      pending.outcome.results[i].histogram.resize(static_cast<std::size_t>(pending.batch.histogram.bins));
      if (request.playouts > 0) pending.order.push_back(i);
    }
    pending.unfinished = pending.playouts;
    // Puts requests of the same program side by side, because lanes run empty where the program changes.
    std::stable_sort(pending.order.begin(), pending.order.end(), [&](std::size_t a, std::size_t b) {
      return lanes::runs_before(pending.prepared[a], pending.prepared[b]);
    });
    pending.chunk_size =
        std::clamp(pending.unfinished / (static_cast<std::uint64_t>(threads_) * 4), kSmallestChunk, kLargestChunk);
  }

  void play_until_complete(const QueuedBatch& batch) {
    std::unique_ptr<LaneFeed> feed;
    {
      const std::lock_guard lock(mutex_);
      if (!feeds_.empty()) {
        feed = std::move(feeds_.back());
        feeds_.pop_back();
      }
    }
    if (feed == nullptr) feed = std::make_unique<LaneFeed>(queue_);
    feed->help(run_lanes_, batch);
    const std::lock_guard lock(mutex_);
    feeds_.push_back(std::move(feed));
  }

  std::shared_ptr<QueuedBatch> find(game::Ticket ticket, bool remove) {
    const std::lock_guard lock(mutex_);
    const auto found = tickets_.find(ticket);
    if (found == tickets_.end()) return nullptr;
    auto batch = found->second;
    if (remove) tickets_.erase(found);
    return batch;
  }

  const int threads_;
  const bool waiting_plays_;
  const bool wide_only_;
  const lanes::RunLanes run_lanes_;
  game::Capabilities capabilities_;
  lanes::RulesCache rules_;
  BatchQueue queue_;
  std::mutex mutex_;  // guards what follows
  std::unordered_map<game::Ticket, std::shared_ptr<QueuedBatch>> tickets_;
  game::Ticket last_ticket_ = 0;
  std::vector<std::unique_ptr<LaneFeed>> feeds_;  // of callers that waited, for reuse
  std::vector<std::jthread> workers_;             // last: they end before what they use
};

}  // namespace

std::unique_ptr<game::Engine> make_cpu_engine(const CpuEngineOptions& options) {
  return std::make_unique<CpuEngine>(options);
}

}  // namespace chainshot::cpu
