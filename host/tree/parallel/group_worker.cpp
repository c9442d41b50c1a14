#include "host/tree/parallel/group_worker.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

namespace chainshot::host {
namespace {

constexpr std::uint64_t kDeterministicWalks = 128;  // per leaf batch
constexpr std::uint64_t kBatchesPerRound = 16;      // at least, so that walks see what earlier ones found
constexpr std::uint64_t kKnownPerPlayout = 256;     // results the trees know, per playout of a batch

// CPU time, which does not count what other programs take.
double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

void Round::fail(std::exception_ptr thrown) {
  const std::lock_guard lock(mutex);
  if (error == nullptr) error = std::move(thrown);
  failed = true;
}

std::unique_ptr<LeafBatch> LeafBatchPool::take() {
  const std::lock_guard lock(mutex_);
  if (leaf_batches_.empty()) return std::make_unique<LeafBatch>(terms_);
  std::unique_ptr<LeafBatch> leaf_batch = std::move(leaf_batches_.back());
  leaf_batches_.pop_back();
  return leaf_batch;
}

void LeafBatchPool::put(std::unique_ptr<LeafBatch> leaf_batch) {
  const std::lock_guard lock(mutex_);
  leaf_batches_.push_back(std::move(leaf_batch));
}

GroupWorker::GroupWorker(TreeGroup& tree_group, LeafBatchPool& batch_pool, const EngineQueues& queues, Round& round,
                         std::uint64_t share, std::uint64_t most_playouts)
    : tree_group_(tree_group),
      batch_pool_(batch_pool),
      queues_(queues),
      round_(round),
      share_(share),
      share_left_(share),
      playouts_left_(most_playouts) {}

std::optional<FilledLeafBatch> GroupWorker::fill(int engine) {
  if (!may_walk()) return std::nullopt;
  std::unique_ptr<LeafBatch> leaf_batch = batch_pool_.take();
  while (walk(*leaf_batch, engine) && leaf_batch->size() == 0 && may_walk()) {
  }
  if (leaf_batch->size() == 0) {
    batch_pool_.put(std::move(leaf_batch));
    return std::nullopt;
  }
  walks_in_flight_ += leaf_batch->size();
  game::Batch batch = leaf_batch->take_batch();
  const std::uint64_t playouts = leaf_batch->playouts();
  return FilledLeafBatch{std::move(batch), playouts, std::move(leaf_batch)};
}

void GroupWorker::take(std::unique_ptr<LeafBatch> leaf_batch, std::vector<game::Result> results) {
  walks_in_flight_ -= leaf_batch->size();
  const double started = thread_seconds();
  leaf_batch->answer(std::move(results));
  tree_group_.complete(*leaf_batch);
  report_.tree_seconds += thread_seconds() - started;
  report_.playouts += leaf_batch->playouts();
  batch_pool_.put(std::move(leaf_batch));
}

void GroupWorker::give_back(std::unique_ptr<LeafBatch> leaf_batch) {
  is_dry_ = true;
  walks_in_flight_ -= leaf_batch->size();
  tree_group_.abandon(*leaf_batch);
}

// A round also ends where a device has given way to a CPU: its length and its batches were meant for the device.
bool GroupWorker::may_walk() {
  if (is_dry_ || walks_in_flight_ >= round_.in_flight) return false;
  is_dry_ = round_.is_over() || (!round_.deterministic && queues_.has_changed());
  return !is_dry_;
}

bool GroupWorker::walk(LeafBatch& leaf_batch, int engine) {
  const std::uint64_t granted = reserve(std::min(batch_size(engine), playouts_left_ / round_.leaf_playouts));
  leaf_batch.begin(granted, playouts_left_);
  const double started = thread_seconds();
  const std::uint64_t taken = tree_group_.fill(leaf_batch, granted, round_.leaf_playouts);
  report_.tree_seconds += thread_seconds() - started;
  report_.walks += taken;
  playouts_left_ -= leaf_batch.playouts();
  return_unused(granted - taken);
  if (granted == 0 || (taken == 0 && walks_in_flight_ == 0)) is_dry_ = true;
  return taken > 0;
}

// Returns enough walks for a batch, but leaves enough of the round to learn from them.
std::uint64_t GroupWorker::batch_size(int engine) const {
  const std::uint64_t full =
      round_.deterministic ? kDeterministicWalks
                           : queues_.batch_size(engine, tree_group_.known() / kKnownPerPlayout) / round_.leaf_playouts;
  const std::uint64_t most = (round_.deterministic ? share_ : round_.walks) / kBatchesPerRound;
  return std::max<std::uint64_t>(1, std::min({full, most, round_.in_flight - walks_in_flight_}));
}

std::uint64_t GroupWorker::reserve(std::uint64_t wanted) {
  if (round_.deterministic) {
    const std::uint64_t granted = std::min(wanted, share_left_);
    share_left_ -= granted;
    return granted;
  }
  const auto most = static_cast<std::int64_t>(wanted);
  const std::int64_t granted = std::clamp<std::int64_t>(round_.left.fetch_sub(most), 0, most);
  round_.left.fetch_add(most - granted);
  return static_cast<std::uint64_t>(granted);
}

void GroupWorker::return_unused(std::uint64_t walks) {
  if (round_.deterministic)
    share_left_ += walks;
  else
    round_.left.fetch_add(static_cast<std::int64_t>(walks));
}

}  // namespace chainshot::host
