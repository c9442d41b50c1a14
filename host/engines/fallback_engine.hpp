// An engine that survives the failure of another. When a batch of the first engine fails, it makes a second engine,
// which plays that batch, all others that the first has not returned, and everything after them. Engines agree to the
// bit, so a lost device costs time, never results. It keeps a copy of every batch until the batch is back.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "game/engine.hpp"

namespace chainshot::host {

// Takes one sentence about an engine that the user should read, without a full stop.
using EngineNotice = std::function<void(const std::string& sentence)>;

class FallbackEngine : public game::Engine {
 public:
  using Factory = std::function<std::unique_ptr<game::Engine>()>;

  // If `make_second` throws, the batch fails with both sentences, and the next failure calls it again. The thread that
  // met the error calls `notice`, once; `notice` may use the engine, and may be empty.
  FallbackEngine(std::unique_ptr<game::Engine> first, Factory make_second, EngineNotice notice);

  // Returns the capabilities of the engine that takes the next batch.
  const game::Capabilities& capabilities() const override { return current_.load()->capabilities(); }
  game::Ticket submit(game::Batch batch) override;
  bool poll(game::Ticket ticket) override;
  game::Outcome wait(game::Ticket ticket) override;
  game::Usage usage() const override;  // of both
  void cancel() override;

 private:
  enum class Place { kFirst, kSecond, kBack };
  struct InFlightBatch {
    Place place = Place::kFirst;
    game::Ticket ticket = 0;  // of the engine that plays it
    game::Batch batch;        // kFirst: to be played again
    game::Outcome outcome;    // kBack
  };

  game::Ticket keep(InFlightBatch pending);
  // The caller holds the mutex, and passes `sentence` to `say` once it has released it.
  void settle(InFlightBatch& pending, game::Outcome outcome, std::string& sentence);
  bool fall_back(std::string& error, std::string& sentence);
  void replay(InFlightBatch& pending);
  void say(const std::string& sentence) const;

  std::unique_ptr<game::Engine> first_;
  Factory make_second_;
  EngineNotice notice_;
  std::atomic<const game::Engine*> current_;
  mutable std::mutex mutex_;              // guards what follows; not held while the first engine is waited for
  std::unique_ptr<game::Engine> second_;  // stays what it is once it is there
  std::map<game::Ticket, InFlightBatch> in_flight_;  // in the order of their submission
  game::Ticket last_ticket_ = 0;
};

}  // namespace chainshot::host
