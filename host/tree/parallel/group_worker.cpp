#include "host/tree/parallel/group_worker.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <utility>

namespace chainshot::host {
namespace {

constexpr std::size_t kDeterministicDepth = 2;      // leaf_batches in flight
constexpr std::uint64_t kDeterministicWalks = 128;  // a leaf_batch
constexpr std::uint64_t kBatchesPerRound = 16;      // at least, so that walks see what earlier ones found
constexpr auto kPause = std::chrono::microseconds(50);

// Processor time: what other programs take does not count.
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

GroupWorker::GroupWorker(TreeGroup& tree_group, LeafBatchPool& batch_pool, EngineSlots& slots, Round& round,
                         std::uint64_t share, std::uint64_t most_playouts)
    : tree_group_(tree_group),
      batch_pool_(batch_pool),
      slots_(slots),
      round_(round),
      share_(share),
      share_left_(share),
      playouts_left_(most_playouts) {}

bool GroupWorker::turn() {
  if (!round_.deterministic) {
    const bool booked = book_ready();
    return send() || booked;
  }
  if (flights_.size() < kDeterministicDepth && send()) return true;
  if (flights_.empty()) return false;
  book(flights_.begin());
  return true;
}

bool GroupWorker::book_ready() {
  const auto ready = std::find_if(flights_.begin(), flights_.end(), [&](const Flight& flight) {
    return slots_.engine(flight.engine).poll(flight.ticket);
  });
  if (ready == flights_.end()) return false;
  book(ready);
  return true;
}

void GroupWorker::book(std::vector<Flight>::iterator flight) {
  game::Outcome outcome = slots_.engine(flight->engine).wait(flight->ticket);
  slots_.give_back(flight->engine);
  std::unique_ptr<LeafBatch> leaf_batch = std::move(flight->leaf_batch);
  flights_.erase(flight);
  walks_in_flight_ -= leaf_batch->size();
  if (!outcome.error.empty()) {
    tree_group_.abandon(*leaf_batch);
    if (outcome.error != game::kCancelled) throw std::runtime_error(outcome.error);
    is_dry_ = true;
    return;
  }
  const double started = thread_seconds();
  leaf_batch->answer(std::move(outcome.results));
  tree_group_.book(*leaf_batch);
  report_.tree_seconds += thread_seconds() - started;
  report_.playouts += leaf_batch->playouts();
  batch_pool_.put(std::move(leaf_batch));
}

bool GroupWorker::send() {
  if (is_dry_ || is_full()) return false;
  if (round_.is_over()) {
    is_dry_ = true;
    return false;
  }
  // A tree_group with nothing in flight has nothing to wait for: it may always send.
  const int engine = round_.deterministic || flights_.empty() ? slots_.take_any() : slots_.take();
  if (engine < 0) return false;
  std::unique_ptr<LeafBatch> leaf_batch = batch_pool_.take();
  const bool progressed = fill(*leaf_batch, engine);
  if (leaf_batch->size() == 0) {
    slots_.give_back(engine);
    batch_pool_.put(std::move(leaf_batch));
    return progressed;
  }
  slots_.count_batch(engine, leaf_batch->playouts());
  const game::Ticket ticket = slots_.engine(engine).submit(leaf_batch->take_batch());
  walks_in_flight_ += leaf_batch->size();
  flights_.push_back({std::move(leaf_batch), engine, ticket});
  return true;
}

// Returns whether there were walks, which may all have ended in the tree.
bool GroupWorker::fill(LeafBatch& leaf_batch, int engine) {
  const std::uint64_t granted = reserve(std::min(batch_size(engine), playouts_left_ / round_.leaf_playouts));
  leaf_batch.begin(granted, playouts_left_);
  const double started = thread_seconds();
  const std::uint64_t taken = tree_group_.fill(leaf_batch, granted, round_.leaf_playouts);
  report_.tree_seconds += thread_seconds() - started;
  report_.walks += taken;
  playouts_left_ -= leaf_batch.playouts();
  give_up(granted - taken);
  if (granted == 0 || (taken == 0 && flights_.empty())) is_dry_ = true;
  return taken > 0;
}

// As many walks as make a batch, but not so many that the rest of the round knows nothing of them.
std::uint64_t GroupWorker::batch_size(int engine) const {
  const std::uint64_t full =
      round_.deterministic ? kDeterministicWalks : slots_.batch(engine, tree_group_.known()) / round_.leaf_playouts;
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

void GroupWorker::give_up(std::uint64_t walks) {
  if (round_.deterministic)
    share_left_ += walks;
  else
    round_.left.fetch_add(static_cast<std::int64_t>(walks));
}

void GroupWorker::wait() {
  const int engine = flights_.front().engine;
  const bool is_only_one =
      std::all_of(flights_.begin(), flights_.end(), [&](const Flight& flight) { return flight.engine == engine; });
  if (is_only_one)
    book(flights_.begin());
  else
    std::this_thread::sleep_for(kPause);
}

void GroupWorker::abandon_flights() {
  is_dry_ = true;
  for (Flight& flight : flights_) {
    slots_.engine(flight.engine).wait(flight.ticket);
    slots_.give_back(flight.engine);
    tree_group_.abandon(*flight.leaf_batch);
  }
  flights_.clear();
  walks_in_flight_ = 0;
}

}  // namespace chainshot::host
