// A grove at work in a round: it fills lots, sends them, and books those that come back.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "host/dispatch/engine_slots.hpp"
#include "host/tree/parallel/tree_group.hpp"
#include "host/tree/parallel/leaf_batch.hpp"

namespace chainshot::host {

// What a round of walks took.
struct RoundReport {
  std::uint64_t walks = 0;
  std::uint64_t playouts = 0;
  double seconds = 0;       // by the clock
  double tree_seconds = 0;  // processor time of the threads in the trees
  EngineSpeed engines;
};

// What the stations of a round share.
struct Round {
  std::uint64_t walks;
  std::uint32_t leaf_playouts;
  std::uint64_t in_flight;  // walks of a grove at most
  bool deterministic;
  std::function<bool()> halted;
  std::atomic<std::int64_t> left{static_cast<std::int64_t>(walks)};  // walks no grove has taken yet
  std::atomic<bool> failed = false;
  std::mutex mutex = {};  // guards what follows
  std::exception_ptr error = nullptr;

  bool is_over() const { return failed.load(std::memory_order_relaxed) || halted(); }
  void fail(std::exception_ptr thrown);
};

// Lots that wait to be used again: their walks are large.
class LotShelf {
 public:
  explicit LotShelf(const RequestTerms& terms) : terms_(terms) {}
  std::unique_ptr<Lot> take();
  void put(std::unique_ptr<Lot> lot);

 private:
  const RequestTerms terms_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Lot>> lots_;
};

class Station {
 public:
  // `share` of the round's walks are this grove's if the round is deterministic. It asks for no more than
  // `most_playouts`.
  Station(Grove& grove, LotShelf& shelf, EngineSlots& slots, Round& round, std::uint64_t share,
          std::uint64_t most_playouts);

  // Books what is back and sends what it can; false if neither was possible. What an engine or a replay objects to is
  // thrown; then only `abandon_flights` may follow.
  bool turn();
  bool is_done() const { return is_dry_ && flights_.empty(); }
  bool has_flights() const { return !flights_.empty(); }
  // Returns when a lot may be back.
  void wait();
  void abandon_flights();
  const RoundReport& report() const { return report_; }

 private:
  struct Flight {
    std::unique_ptr<Lot> lot;
    int engine;
    game::Ticket ticket;
  };

  bool book_ready();
  void book(std::vector<Flight>::iterator flight);
  bool send();
  bool fill(Lot& lot, int engine);
  std::uint64_t lot_size(int engine) const;
  bool is_full() const { return walks_in_flight_ >= round_.in_flight; }
  std::uint64_t reserve(std::uint64_t wanted);
  void give_up(std::uint64_t walks);

  Grove& grove_;
  LotShelf& shelf_;
  EngineSlots& slots_;
  Round& round_;
  const std::uint64_t share_;
  std::uint64_t share_left_;
  std::uint64_t playouts_left_;
  bool is_dry_ = false;          // it sends no more in this round
  std::vector<Flight> flights_;  // the oldest first
  std::uint64_t walks_in_flight_ = 0;
  RoundReport report_;
};

}  // namespace chainshot::host
