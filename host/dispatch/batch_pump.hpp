// Keeps engines full of batches for one client. The pump asks the client to fill a batch whenever an engine has room,
// submits it, and hands the results back when they arrive. It knows nothing of what the batches are for.
//
// A pump belongs to one thread; pumps of several threads share the engines through their EngineQueues. Every batch that
// a client has filled comes back to it exactly once, by `take` or by `give_back`.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "game/engine.hpp"
#include "host/dispatch/engine_queues.hpp"

namespace chainshot::host {

// A batch that is ready to be sent. `context` is what the client needs to know when the results arrive.
template <class Context>
struct FilledBatch {
  game::Batch batch;
  std::uint64_t playouts = 0;  // of all requests of the batch
  Context context;
};

template <class Context>
class BatchClient {
 public:
  virtual ~BatchClient() = default;

  // The next batch for this engine, of about queues.batch_size(engine) playouts. Nothing if there is nothing to send
  // before results come back; if none are to come back, the client has finished.
  virtual std::optional<FilledBatch<Context>> fill(int engine) = 0;
  // The results of a batch, one for each of its requests.
  virtual void take(Context context, std::vector<game::Result> results) = 0;
  // A batch will not be answered: it was cancelled, or something has failed.
  virtual void give_back(Context context) = 0;
};

enum class ResultOrder : std::uint8_t {
  kAsReady,      // results are taken when they arrive, and batches go out as engines have room
  kAsSubmitted,  // two batches are in flight, and results are taken in the order of submission, whatever the engines
};

template <class Context>
class BatchPump {
 public:
  // Queues and client outlive the pump. Once `stop` is requested, the client is asked for no more batches.
  BatchPump(EngineQueues& queues, BatchClient<Context>& client, ResultOrder order, std::stop_token stop = {})
      : queues_(&queues), client_(&client), order_(order), stop_(std::move(stop)) {}

  // Takes results and submits a batch, as far as that is possible without waiting; in the order of submission it waits
  // for results when enough batches are in flight. Returns false if nothing could be done. Throws what the client
  // throws, and std::runtime_error with the engine's sentence if a batch fails; then only `abandon` may follow.
  bool turn();
  bool has_finished() const { return has_finished_; }
  bool has_flights() const { return !flights_.empty(); }
  // Returns when results may have arrived.
  void wait();
  // Waits for what is in flight and gives it back to the client.
  void abandon();

 private:
  struct Flight {
    Context context;
    int engine;
    std::size_t requests;
    game::Ticket ticket;
  };
  using FlightIterator = typename std::vector<Flight>::iterator;

  static constexpr std::size_t kOrderedDepth = 2;  // batches in flight
  static constexpr auto kPause = std::chrono::microseconds(50);

  bool take_ready();
  void take(FlightIterator flight);
  bool submit();
  bool fill_and_submit(int engine);

  EngineQueues* queues_;
  BatchClient<Context>* client_;
  ResultOrder order_;
  std::stop_token stop_;
  std::vector<Flight> flights_;  // the oldest first
  bool has_finished_ = false;
};

// Runs the pumps of one thread until their clients have finished. If one fails, all are abandoned before the exception
// leaves.
template <class Context>
void run_pumps(std::span<BatchPump<Context>> pumps) {
  try {
    for (;;) {
      bool progressed = false, have_finished = true;
      for (BatchPump<Context>& pump : pumps) {
        progressed |= pump.turn();
        have_finished &= pump.has_finished();
      }
      if (have_finished) return;
      if (progressed) continue;
      const auto waiting =
          std::find_if(pumps.begin(), pumps.end(), [](const BatchPump<Context>& pump) { return pump.has_flights(); });
      if (waiting != pumps.end()) waiting->wait();
    }
  } catch (...) {
    for (BatchPump<Context>& pump : pumps)
      pump.abandon();
    throw;
  }
}

// Serves one client in the calling thread until it has finished. When `stop` is requested, the engines are cancelled.
template <class Context>
void run_pump(EngineQueues& queues, BatchClient<Context>& client, const std::stop_token& stop = {}) {
  BatchPump<Context> pump(queues, client, ResultOrder::kAsReady, stop);
  const std::stop_callback cancel(stop, [&queues] { queues.cancel(); });
  run_pumps(std::span(&pump, 1));
}

template <class Context>
bool BatchPump<Context>::turn() {
  if (order_ == ResultOrder::kAsReady) {
    const bool taken = take_ready();
    return submit() || taken;
  }
  if (flights_.size() < kOrderedDepth && submit()) return true;
  if (flights_.empty()) return false;
  take(flights_.begin());
  return true;
}

template <class Context>
bool BatchPump<Context>::take_ready() {
  const auto ready = std::find_if(flights_.begin(), flights_.end(), [&](const Flight& flight) {
    return queues_->engine(flight.engine).poll(flight.ticket);
  });
  if (ready == flights_.end()) return false;
  take(ready);
  return true;
}

template <class Context>
void BatchPump<Context>::take(FlightIterator flight) {
  game::Outcome outcome = queues_->engine(flight->engine).wait(flight->ticket);
  queues_->release(flight->engine);
  Context context = std::move(flight->context);
  const std::size_t requests = flight->requests;
  flights_.erase(flight);
  if (outcome.error.empty() && outcome.results.size() != requests)
    outcome.error = "an engine answered another number of requests than asked";
  if (outcome.error.empty()) return client_->take(std::move(context), std::move(outcome.results));
  client_->give_back(std::move(context));
  if (outcome.error != game::kCancelled) throw std::runtime_error(outcome.error);
}

template <class Context>
bool BatchPump<Context>::submit() {
  if (has_finished_) return false;
  // A client with nothing in flight has nothing to wait for: it may always send.
  const bool always = order_ == ResultOrder::kAsSubmitted || flights_.empty();
  const int engine = always ? queues_->reserve_any() : queues_->reserve();
  if (engine < 0) return false;
  if (!stop_.stop_requested() && fill_and_submit(engine)) {
    // A stop that came between the two lines above has cancelled the batches before this one only.
    if (stop_.stop_requested()) queues_->cancel();
    return true;
  }
  queues_->release(engine);
  has_finished_ = flights_.empty();
  return false;
}

// Returns whether the client had a batch. Whatever throws, the place with the engine is free again.
template <class Context>
bool BatchPump<Context>::fill_and_submit(int engine) {
  std::optional<FilledBatch<Context>> filled;
  try {
    filled = client_->fill(engine);
    if (!filled) return false;
    queues_->count_batch(engine, filled->playouts);
    flights_.reserve(flights_.size() + 1);  // once the batch is submitted, nothing may throw
    const std::size_t requests = filled->batch.requests.size();
    const game::Ticket ticket = queues_->engine(engine).submit(std::move(filled->batch));
    flights_.push_back({std::move(filled->context), engine, requests, ticket});
    return true;
  } catch (...) {
    queues_->release(engine);
    if (filled) client_->give_back(std::move(filled->context));
    throw;
  }
}

template <class Context>
void BatchPump<Context>::wait() {
  const int engine = flights_.front().engine;
  const bool is_only_one =
      std::all_of(flights_.begin(), flights_.end(), [&](const Flight& flight) { return flight.engine == engine; });
  if (is_only_one)
    take(flights_.begin());
  else
    std::this_thread::sleep_for(kPause);
}

template <class Context>
void BatchPump<Context>::abandon() {
  has_finished_ = true;
  for (Flight& flight : flights_) {
    queues_->engine(flight.engine).wait(flight.ticket);
    queues_->release(flight.engine);
    client_->give_back(std::move(flight.context));
  }
  flights_.clear();
}

}  // namespace chainshot::host
