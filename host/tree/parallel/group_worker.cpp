#include "host/tree/parallel/group_worker.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <utility>

namespace chainshot::host {
namespace {

constexpr std::size_t kDeterministicDepth = 2;      // lots in flight
constexpr std::uint64_t kDeterministicWalks = 128;  // a lot
constexpr std::uint64_t kLotsPerRound = 16;         // at least, so that walks see what earlier ones found
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

std::unique_ptr<Lot> LotShelf::take() {
  const std::lock_guard lock(mutex_);
  if (lots_.empty()) return std::make_unique<Lot>(terms_);
  std::unique_ptr<Lot> lot = std::move(lots_.back());
  lots_.pop_back();
  return lot;
}

void LotShelf::put(std::unique_ptr<Lot> lot) {
  const std::lock_guard lock(mutex_);
  lots_.push_back(std::move(lot));
}

Station::Station(Grove& grove, LotShelf& shelf, EngineSlots& slots, Round& round, std::uint64_t share,
                 std::uint64_t most_playouts)
    : grove_(grove),
      shelf_(shelf),
      slots_(slots),
      round_(round),
      share_(share),
      share_left_(share),
      playouts_left_(most_playouts) {}

bool Station::turn() {
  if (!round_.deterministic) {
    const bool booked = book_ready();
    return send() || booked;
  }
  if (flights_.size() < kDeterministicDepth && send()) return true;
  if (flights_.empty()) return false;
  book(flights_.begin());
  return true;
}

bool Station::book_ready() {
  const auto ready = std::find_if(flights_.begin(), flights_.end(), [&](const Flight& flight) {
    return slots_.engine(flight.engine).poll(flight.ticket);
  });
  if (ready == flights_.end()) return false;
  book(ready);
  return true;
}

void Station::book(std::vector<Flight>::iterator flight) {
  game::Outcome outcome = slots_.engine(flight->engine).wait(flight->ticket);
  slots_.give_back(flight->engine);
  std::unique_ptr<Lot> lot = std::move(flight->lot);
  flights_.erase(flight);
  walks_in_flight_ -= lot->size();
  if (!outcome.error.empty()) {
    grove_.abandon(*lot);
    if (outcome.error != game::kCancelled) throw std::runtime_error(outcome.error);
    is_dry_ = true;
    return;
  }
  const double started = thread_seconds();
  lot->answer(std::move(outcome.results));
  grove_.book(*lot);
  report_.tree_seconds += thread_seconds() - started;
  report_.playouts += lot->playouts();
  shelf_.put(std::move(lot));
}

bool Station::send() {
  if (is_dry_ || is_full()) return false;
  if (round_.is_over()) {
    is_dry_ = true;
    return false;
  }
  // A grove with nothing in flight has nothing to wait for: it may always send.
  const int engine = round_.deterministic || flights_.empty() ? slots_.take_any() : slots_.take();
  if (engine < 0) return false;
  std::unique_ptr<Lot> lot = shelf_.take();
  const bool progressed = fill(*lot, engine);
  if (lot->size() == 0) {
    slots_.give_back(engine);
    shelf_.put(std::move(lot));
    return progressed;
  }
  slots_.count_batch(engine, lot->playouts());
  const game::Ticket ticket = slots_.engine(engine).submit(lot->take_batch());
  walks_in_flight_ += lot->size();
  flights_.push_back({std::move(lot), engine, ticket});
  return true;
}

// Returns whether there were walks, which may all have ended in the tree.
bool Station::fill(Lot& lot, int engine) {
  const std::uint64_t granted = reserve(std::min(lot_size(engine), playouts_left_ / round_.leaf_playouts));
  lot.begin(granted, playouts_left_);
  const double started = thread_seconds();
  const std::uint64_t taken = grove_.fill(lot, granted, round_.leaf_playouts);
  report_.tree_seconds += thread_seconds() - started;
  report_.walks += taken;
  playouts_left_ -= lot.playouts();
  give_up(granted - taken);
  if (granted == 0 || (taken == 0 && flights_.empty())) is_dry_ = true;
  return taken > 0;
}

// As many walks as make a batch, but not so many that the rest of the round knows nothing of them.
std::uint64_t Station::lot_size(int engine) const {
  const std::uint64_t full =
      round_.deterministic ? kDeterministicWalks : slots_.batch(engine, grove_.known()) / round_.leaf_playouts;
  const std::uint64_t most = (round_.deterministic ? share_ : round_.walks) / kLotsPerRound;
  return std::max<std::uint64_t>(1, std::min({full, most, round_.in_flight - walks_in_flight_}));
}

std::uint64_t Station::reserve(std::uint64_t wanted) {
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

void Station::give_up(std::uint64_t walks) {
  if (round_.deterministic)
    share_left_ += walks;
  else
    round_.left.fetch_add(static_cast<std::int64_t>(walks));
}

void Station::wait() {
  const int engine = flights_.front().engine;
  const bool is_only_one =
      std::all_of(flights_.begin(), flights_.end(), [&](const Flight& flight) { return flight.engine == engine; });
  if (is_only_one)
    book(flights_.begin());
  else
    std::this_thread::sleep_for(kPause);
}

void Station::abandon_flights() {
  is_dry_ = true;
  for (Flight& flight : flights_) {
    slots_.engine(flight.engine).wait(flight.ticket);
    slots_.give_back(flight.engine);
    grove_.abandon(*flight.lot);
  }
  flights_.clear();
  walks_in_flight_ = 0;
}

}  // namespace chainshot::host
