#include "host/engines/routing_engine.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace chainshot::host {
namespace {

// Whether the lane engine cannot play it.
bool is_scalar(const game::Request& request, const game::Scoring& scoring, const game::Capabilities& lanes) {
  return request.playouts > 0 &&
         !(request.policy.plays_in_lanes() && game::stays_within(lanes.most_points, scoring, request));
}

}  // namespace

RoutingEngine::RoutingEngine(std::unique_ptr<game::Engine> lanes, Factory make_scalar)
    : lanes_(std::move(lanes)), make_scalar_(std::move(make_scalar)) {}

game::Ticket RoutingEngine::submit(game::Batch batch) {
  const auto goes_to_scalar = [&](const game::Request& r) { return is_scalar(r, batch.scoring, capabilities()); };
  if (std::none_of(batch.requests.begin(), batch.requests.end(), goes_to_scalar))
    return lanes_->submit(std::move(batch));
  ScalarPart part;
  game::Batch scalar = take_scalar_requests(batch, part);
  // The lane engine gives the ticket of the whole batch, even if nothing of the batch is left for its lanes.
  const game::Ticket ticket = lanes_->submit(std::move(batch));
  send(std::move(scalar), part);
  const std::lock_guard lock(mutex_);
  parts_.emplace(ticket, std::move(part));
  return ticket;
}

game::Batch RoutingEngine::take_scalar_requests(game::Batch& batch, ScalarPart& part) const {
  game::Batch scalar{.seed = batch.seed, .scoring = batch.scoring, .histogram = batch.histogram, .requests = {}};
  std::vector<game::Request> others;
  for (std::size_t i = 0; i < batch.requests.size(); ++i) {
    const bool goes_to_scalar = is_scalar(batch.requests[i], batch.scoring, capabilities());
    if (goes_to_scalar) part.places.push_back(i);
    (goes_to_scalar ? scalar.requests : others).push_back(batch.requests[i]);
  }
  batch.requests = std::move(others);
  return scalar;
}

// Errors are kept for `wait`: the lane engine already has its part, so the caller must get a ticket.
void RoutingEngine::send(game::Batch scalar, ScalarPart& part) try {
  part.ticket = scalar_engine().submit(std::move(scalar));
} catch (const std::exception& problem) {
  part.error = problem.what();
}

game::Engine& RoutingEngine::scalar_engine() {
  const std::lock_guard lock(mutex_);
  if (scalar_ == nullptr) scalar_ = make_scalar_();
  return *scalar_;
}

bool RoutingEngine::poll(game::Ticket ticket) {
  if (!lanes_->poll(ticket)) return false;
  const std::lock_guard lock(mutex_);
  const auto part = parts_.find(ticket);
  return part == parts_.end() || !part->second.error.empty() || scalar_->poll(part->second.ticket);
}

game::Outcome RoutingEngine::wait(game::Ticket ticket) {
  ScalarPart part;
  {
    const std::lock_guard lock(mutex_);
    if (auto found = parts_.extract(ticket)) part = std::move(found.mapped());
  }
  game::Outcome outcome = lanes_->wait(ticket);
  if (part.places.empty()) return outcome;
  // The scalar engine is waited for even if the lanes failed: a ticket left behind would hold its results for ever.
  merge(outcome,
        part.error.empty() ? scalar_engine().wait(part.ticket) : game::Outcome{.results = {}, .error = part.error},
        part.places);
  return outcome;
}

// Puts the scalar results in their places between those of the lanes. The first error is that of the whole batch.
void RoutingEngine::merge(game::Outcome& outcome, game::Outcome scalar, const std::vector<std::size_t>& places) {
  if (outcome.error.empty()) outcome.error = std::move(scalar.error);
  if (!outcome.error.empty()) {
    outcome.results.clear();
    return;
  }
  std::vector<game::Result> merged(outcome.results.size() + places.size());
  std::size_t next_scalar = 0, next_lane = 0;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    const bool is_place = next_scalar < places.size() && places[next_scalar] == i;
    merged[i] = std::move(is_place ? scalar.results[next_scalar++] : outcome.results[next_lane++]);
  }
  outcome.results = std::move(merged);
}

game::Usage RoutingEngine::usage() const {
  game::Usage usage = lanes_->usage();
  const std::lock_guard lock(mutex_);
  if (scalar_ == nullptr) return usage;
  const game::Usage scalar = scalar_->usage();
  usage.playouts += scalar.playouts;
  usage.busy_seconds = std::max(usage.busy_seconds, scalar.busy_seconds);
  return usage;
}

void RoutingEngine::cancel() {
  lanes_->cancel();
  const std::lock_guard lock(mutex_);
  if (scalar_ != nullptr) scalar_->cancel();
}

}  // namespace chainshot::host
