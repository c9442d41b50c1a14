#include "host/record_engine.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace chainshot::host {

using nlohmann::ordered_json;

RecordEngine::RecordEngine(std::unique_ptr<game::Engine> inner, std::ostream& log)
    : inner_(std::move(inner)), log_(log) {
  const game::Capabilities& c = inner_->capabilities();
  write({{"version", 1},
         {"event", "open"},
         {"engine", c.name},
         {"lanes", c.lanes},
         {"recommended_batch", c.recommended_batch}});
}

std::int64_t RecordEngine::now_us() const {
  using std::chrono::duration_cast, std::chrono::microseconds, std::chrono::steady_clock;
  return duration_cast<microseconds>(steady_clock::now() - opened_).count();
}

// A line is written whole and at once, so that a log is readable while the run goes on and after it was killed. Bytes
// of an error that are no UTF-8 are replaced: the log must not fail where the engine does.
void RecordEngine::write(const ordered_json& line) {
  log_ << (line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n') << std::flush;
}

game::Ticket RecordEngine::submit(game::Batch batch) {
  const std::size_t requests = batch.requests.size();
  std::uint64_t playouts = 0;
  for (const game::Request& request : batch.requests)
    playouts += request.playouts;
  // Held across the inner submit: otherwise a fast batch could be logged as complete before it was submitted.
  const std::lock_guard lock(mutex_);
  const std::int64_t at = now_us();
  const game::Ticket ticket = inner_->submit(std::move(batch));
  flights_.emplace(ticket, Flight{.submitted_us = at});
  write({{"event", "submit"},
         {"ticket", ticket},
         {"order", submitted_++},
         {"at_us", at},
         {"requests", requests},
         {"playouts", playouts},
         {"in_flight", submitted_ - completed_}});
  return ticket;
}

bool RecordEngine::poll(game::Ticket ticket) {
  if (!inner_->poll(ticket)) return false;
  const std::lock_guard lock(mutex_);
  const auto found = flights_.find(ticket);
  if (found != flights_.end() && found->second.completed_us < 0) found->second.completed_us = now_us();
  return true;
}

game::Outcome RecordEngine::wait(game::Ticket ticket) {
  game::Outcome outcome = inner_->wait(ticket);
  const std::lock_guard lock(mutex_);
  const auto found = flights_.extract(ticket);
  if (!found) return outcome;  // not a ticket of ours: nothing completed
  const Flight flight = found.mapped();
  const std::int64_t at = flight.completed_us >= 0 ? flight.completed_us : now_us();
  ordered_json line = {{"event", "complete"},
                       {"ticket", ticket},
                       {"order", completed_++},
                       {"at_us", at},
                       {"latency_us", at - flight.submitted_us},
                       {"in_flight", submitted_ - completed_}};
  std::optional<int> best;
  for (const game::Result& result : outcome.results)
    if (result.count > 0) best = std::max(best.value_or(result.best), result.best);
  if (best) line["best"] = *best;
  if (!outcome.error.empty()) line["error"] = outcome.error;
  write(line);
  return outcome;
}

}  // namespace chainshot::host
