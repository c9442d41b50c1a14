#include "host/engines/fallback_engine.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace chainshot::host {

FallbackEngine::FallbackEngine(std::unique_ptr<game::Engine> first, Factory make_second, EngineNotice notice)
    : first_(std::move(first)),
      make_second_(std::move(make_second)),
      notice_(std::move(notice)),
      current_(first_.get()) {}

game::Ticket FallbackEngine::keep(InFlightBatch pending) {
  const std::lock_guard lock(mutex_);
  in_flight_.emplace(++last_ticket_, std::move(pending));
  return last_ticket_;
}

// Takes an outcome of the first engine: the batch is back, or goes to the second engine.
void FallbackEngine::settle(InFlightBatch& pending, game::Outcome outcome, std::string& sentence) {
  if (outcome.error.empty() || outcome.error == game::kCancelled || !fall_back(outcome.error, sentence)) {
    pending.outcome = std::move(outcome);
    pending.place = Place::kBack;
  } else if (pending.place == Place::kFirst) {
    replay(pending);
  }
}

// Makes the second engine and hands it all batches that the first has not returned. Returns false, with the reason
// added to `error`, if it cannot be made.
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
  current_ = second_.get();
  for (auto& [ticket, pending] : in_flight_)
    if (pending.place == Place::kFirst) replay(pending);
  return true;
}

void FallbackEngine::replay(InFlightBatch& pending) try {
  pending.ticket = second_->submit(std::move(pending.batch));
  pending.place = Place::kSecond;
} catch (const std::exception& problem) {
  pending.outcome = {.results = {}, .error = problem.what()};
  pending.place = Place::kBack;
}

void FallbackEngine::say(const std::string& sentence) const {
  if (!sentence.empty() && notice_) notice_(sentence);
}

game::Ticket FallbackEngine::submit(game::Batch batch) {
  InFlightBatch pending{.place = Place::kSecond, .ticket = 0, .batch = {}, .outcome = {}};
  std::string sentence;
  {
    const std::lock_guard lock(mutex_);
    if (second_ == nullptr) pending.place = Place::kFirst;
  }
  if (pending.place == Place::kSecond) {
    pending.ticket = second_->submit(std::move(batch));
    return keep(std::move(pending));
  }
  pending.batch = std::move(batch);
  try {
    pending.ticket = first_->submit(pending.batch);
  } catch (const std::exception& problem) {
    const std::lock_guard lock(mutex_);
    settle(pending, {.results = {}, .error = problem.what()}, sentence);
  }
  say(sentence);
  return keep(std::move(pending));
}

bool FallbackEngine::poll(game::Ticket ticket) {
  bool complete = false;
  std::string sentence;
  {
    const std::lock_guard lock(mutex_);
    const auto found = in_flight_.find(ticket);
    if (found == in_flight_.end()) return true;
    InFlightBatch& pending = found->second;
    // Only the outcome tells whether a wait would have to play the batch again.
    if (pending.place == Place::kFirst && first_->poll(pending.ticket))
      settle(pending, first_->wait(pending.ticket), sentence);
    complete = pending.place == Place::kBack || (pending.place == Place::kSecond && second_->poll(pending.ticket));
  }
  say(sentence);
  return complete;
}

game::Outcome FallbackEngine::wait(game::Ticket ticket) {
  std::unique_lock lock(mutex_);
  auto found = in_flight_.extract(ticket);
  lock.unlock();
  if (!found) return {{}, fmt::format("ticket {} is not one the engine gave out, or was waited for before", ticket)};
  InFlightBatch& pending = found.mapped();
  if (pending.place == Place::kFirst) {
    std::string sentence;
    game::Outcome outcome = first_->wait(pending.ticket);
    lock.lock();
    settle(pending, std::move(outcome), sentence);
    lock.unlock();
    say(sentence);
  }
  return pending.place == Place::kBack ? std::move(pending.outcome) : second_->wait(pending.ticket);
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
