#include "host/engines/fallback_engine.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace chainshot::host {

FallbackEngine::FallbackEngine(std::unique_ptr<game::Engine> first, Factory make_second, EngineNotice notice)
    : first_(std::move(first)),
      make_second_(std::move(make_second)),
      notice_(std::move(notice)),
      capabilities_(&first_->capabilities()) {}

game::Ticket FallbackEngine::keep(Flight flight) {
  const std::lock_guard lock(mutex_);
  flights_.emplace(++last_ticket_, std::move(flight));
  return last_ticket_;
}

// Takes in what the first engine made of a batch: the batch is back, or goes to the second engine.
void FallbackEngine::settle(Flight& flight, game::Outcome outcome, std::string& sentence) {
  if (outcome.error.empty() || outcome.error == game::kCancelled || !fall_back(outcome.error, sentence)) {
    flight.outcome = std::move(outcome);
    flight.place = Place::kBack;
  } else if (flight.place == Place::kFirst) {
    replay(flight);
  }
}

// Brings up the second engine and hands it what the first has not returned. False, with `error` completed, if there is
// none to be had.
bool FallbackEngine::fall_back(std::string& error, std::string& sentence) {
  if (second_ != nullptr) return true;
  try {
    second_ = make_second_();
  } catch (const std::exception& problem) {
    error += fmt::format("; no other engine could take over: {}", problem.what());
    return false;
  }
  sentence = fmt::format("engine {} failed: {}; {} goes on with its work", first_->capabilities().name, error,
                         second_->capabilities().name);
  capabilities_ = &second_->capabilities();
  for (auto& [ticket, flight] : flights_)
    if (flight.place == Place::kFirst) replay(flight);
  return true;
}

void FallbackEngine::replay(Flight& flight) try {
  flight.ticket = second_->submit(std::move(flight.batch));
  flight.place = Place::kSecond;
} catch (const std::exception& problem) {
  flight.outcome = {.results = {}, .error = problem.what()};
  flight.place = Place::kBack;
}

void FallbackEngine::say(const std::string& sentence) const {
  if (!sentence.empty() && notice_) notice_(sentence);
}

game::Ticket FallbackEngine::submit(game::Batch batch) {
  Flight flight{.place = Place::kSecond, .ticket = 0, .batch = {}, .outcome = {}};
  std::string sentence;
  {
    const std::lock_guard lock(mutex_);
    if (second_ == nullptr) flight.place = Place::kFirst;
  }
  if (flight.place == Place::kSecond) {
    flight.ticket = second_->submit(std::move(batch));
    return keep(std::move(flight));
  }
  flight.batch = std::move(batch);
  try {
    flight.ticket = first_->submit(flight.batch);
  } catch (const std::exception& problem) {
    const std::lock_guard lock(mutex_);
    settle(flight, {.results = {}, .error = problem.what()}, sentence);
  }
  say(sentence);
  return keep(std::move(flight));
}

bool FallbackEngine::poll(game::Ticket ticket) {
  bool complete = false;
  std::string sentence;
  {
    const std::lock_guard lock(mutex_);
    const auto found = flights_.find(ticket);
    if (found == flights_.end()) return true;
    Flight& flight = found->second;
    // Only what is in the outcome tells whether a wait would have to play the batch again.
    if (flight.place == Place::kFirst && first_->poll(flight.ticket))
      settle(flight, first_->wait(flight.ticket), sentence);
    complete = flight.place == Place::kBack || (flight.place == Place::kSecond && second_->poll(flight.ticket));
  }
  say(sentence);
  return complete;
}

game::Outcome FallbackEngine::wait(game::Ticket ticket) {
  std::unique_lock lock(mutex_);
  auto found = flights_.extract(ticket);
  lock.unlock();
  if (!found) return {{}, fmt::format("ticket {} is not one the engine gave out, or was waited for before", ticket)};
  Flight& flight = found.mapped();
  if (flight.place == Place::kFirst) {
    std::string sentence;
    game::Outcome outcome = first_->wait(flight.ticket);
    lock.lock();
    settle(flight, std::move(outcome), sentence);
    lock.unlock();
    say(sentence);
  }
  return flight.place == Place::kBack ? std::move(flight.outcome) : second_->wait(flight.ticket);
}

void FallbackEngine::cancel() {
  first_->cancel();
  const std::lock_guard lock(mutex_);
  if (second_ != nullptr) second_->cancel();
}

game::Usage FallbackEngine::usage() const {
  const std::lock_guard lock(mutex_);
  game::Usage usage = first_->usage();
  if (second_ == nullptr) return usage;
  const game::Usage more = second_->usage();
  usage.batches += more.batches;
  usage.playouts += more.playouts;
  usage.busy_seconds += more.busy_seconds;
  return usage;
}

}  // namespace chainshot::host
