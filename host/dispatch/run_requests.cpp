#include "host/dispatch/run_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "host/dispatch/batch_pump.hpp"

namespace chainshot::host {
namespace {

// The context of a batch is the place of its first request in the list; those after it follow without a gap.
class RequestList final : public BatchClient<std::size_t> {
 public:
  RequestList(const EngineQueues& queues, const game::Batch& batch, const PartPlayed& played)
      : queues_(queues), batch_(batch), played_(played), results_(batch.requests.size()) {
    std::uint64_t playouts = 0;
    for (const game::Request& request : batch.requests)
      playouts += request.playouts;
    // A short list is divided among the engines.
    largest_ = std::max<std::uint64_t>(1, (playouts + queues.size() - 1) / queues.size());
    for (game::Result& result : results_)
      result.histogram.resize(static_cast<std::size_t>(batch.histogram.bins));
  }

  std::optional<FilledBatch<std::size_t>> fill(int engine) override {
    if (is_cancelled_) return std::nullopt;
    FilledBatch<std::size_t> filled{.batch = {.seed = batch_.seed, .scoring = batch_.scoring}, .context = next_};
    filled.batch.histogram = batch_.histogram;
    const std::uint64_t most = std::min(queues_.batch_size(engine), largest_);
    while (next_ < batch_.requests.size() && filled.playouts < most) {
      const game::Request& whole = batch_.requests[next_];
      const auto left = std::uint64_t{whole.playouts} - played_of_next_;
      const auto part = static_cast<std::uint32_t>(std::min(left, most - filled.playouts));
      game::Request& request = filled.batch.requests.emplace_back(whole);
      request.first_playout += played_of_next_;
      request.playouts = part;
      filled.playouts += part;
      played_of_next_ += part;
      if (part < left) break;
      ++next_;
      played_of_next_ = 0;
    }
    if (filled.batch.requests.empty()) return std::nullopt;
    return filled;
  }

  void take(std::size_t first, std::vector<game::Result> results) override {
    for (std::size_t i = 0; i < results.size(); ++i) {
      results_[first + i].add(results[i]);
      if (played_) played_(first + i, results[i]);
    }
  }

  void give_back(std::size_t /*first*/) override { is_cancelled_ = true; }

  bool is_complete() const { return next_ == batch_.requests.size() && !is_cancelled_; }
  std::vector<game::Result> take_results() { return std::move(results_); }

 private:
  const EngineQueues& queues_;
  const game::Batch& batch_;
  const PartPlayed& played_;
  std::vector<game::Result> results_;
  std::uint64_t largest_ = 0;         // playouts of a batch at most
  std::size_t next_ = 0;              // the first request that was not submitted whole ...
  std::uint32_t played_of_next_ = 0;  // ... and how many of its playouts were
  bool is_cancelled_ = false;
};

}  // namespace

std::optional<std::vector<game::Result>> run_requests(EngineQueues& queues, const game::Batch& batch,
                                                      const std::stop_token& stop, const PartPlayed& played) {
  queues.open(1);
  RequestList list(queues, batch, played);
  run_pump(queues, list, stop);
  if (!list.is_complete()) return std::nullopt;
  return list.take_results();
}

}  // namespace chainshot::host
