#include "host/engines/check_engine.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "game/random.hpp"

namespace chainshot::host {

std::string difference(const game::Result& checked, const game::Result& witness) {
  const auto differs = [](const char* what, auto a, auto b) { return fmt::format("{} is {}, not {}", what, a, b); };
  if (checked.count != witness.count) return differs("count", checked.count, witness.count);
  if (checked.sum != witness.sum) return differs("sum", checked.sum, witness.sum);
  if (checked.sum_of_squares != witness.sum_of_squares)
    return differs("sum of squares", checked.sum_of_squares, witness.sum_of_squares);
  if (checked.moves != witness.moves) return differs("moves", checked.moves, witness.moves);
  if (checked.best != witness.best) return differs("best", checked.best, witness.best);
  if (checked.worst != witness.worst) return differs("worst", checked.worst, witness.worst);
  if (checked.best_playout != witness.best_playout)
    return differs("best playout", checked.best_playout, witness.best_playout);
  if (checked.digest != witness.digest)
    return fmt::format("digest is {:016x}, not {:016x}", checked.digest, witness.digest);
  if (checked.histogram.size() != witness.histogram.size())
    return differs("number of histogram bins", checked.histogram.size(), witness.histogram.size());
  for (std::size_t bin = 0; bin < checked.histogram.size(); ++bin)
    if (checked.histogram[bin] != witness.histogram[bin])
      return differs(fmt::format("histogram bin {}", bin).c_str(), checked.histogram[bin], witness.histogram[bin]);
  return {};
}

CheckEngine::CheckEngine(std::unique_ptr<game::Engine> checked, std::unique_ptr<game::Engine> witness, double share)
    : checked_(std::move(checked)),
      witness_(std::move(witness)),
      share_(share),
      capabilities_(checked_->capabilities()) {
  if (!(share >= 0 && share <= 1)) throw std::invalid_argument("the share to check must be from 0 to 1");
  capabilities_.name = fmt::format("check({}, {})", capabilities_.name, witness_->capabilities().name);
}

bool CheckEngine::is_drawn(std::uint64_t running_number) const {
  return static_cast<double>(game::mix64(running_number) >> 11) * 0x1p-53 < share_;
}

CheckEngine::Sample CheckEngine::draw(const game::Batch& batch, game::Batch& drawn) {
  Sample sample;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < batch.requests.size(); ++i) {
    if (!is_drawn(counts_.requests++)) continue;
    sample.places.push_back(i);
    sample.keys.push_back(batch.requests[i].key);
    drawn.requests.push_back(batch.requests[i]);
  }
  return sample;
}

game::Ticket CheckEngine::submit(game::Batch batch) {
  game::Batch drawn{.seed = batch.seed, .scoring = batch.scoring, .histogram = batch.histogram, .requests = {}};
  Sample sample = draw(batch, drawn);
  const game::Ticket ticket = checked_->submit(std::move(batch));
  // The checked engine has the batch, so the caller must get a ticket: `wait` reports a witness that cannot play.
  try {
    if (!sample.empty()) sample.ticket = witness_->submit(std::move(drawn));
  } catch (const std::exception& error) {
    sample.error = error.what();
  }
  const std::lock_guard lock(mutex_);
  samples_.emplace(ticket, std::move(sample));
  return ticket;
}

bool CheckEngine::poll(game::Ticket ticket) {
  if (!checked_->poll(ticket)) return false;
  const std::lock_guard lock(mutex_);
  const auto found = samples_.find(ticket);
  if (found == samples_.end() || found->second.empty() || !found->second.error.empty()) return true;
  return witness_->poll(found->second.ticket);
}

game::Outcome CheckEngine::wait(game::Ticket ticket) {
  Sample sample;
  {
    const std::lock_guard lock(mutex_);
    // The inner engine complains about a ticket that nobody gave out.
    if (auto found = samples_.extract(ticket)) sample = std::move(found.mapped());
  }
  return compare(checked_->wait(ticket), sample);
}

game::Outcome CheckEngine::compare(game::Outcome outcome, const Sample& sample) {
  if (sample.empty()) return outcome;
  // Waits for the witness in any case: a ticket left behind would hold its results for ever.
  const game::Outcome expected =
      sample.error.empty() ? witness_->wait(sample.ticket) : game::Outcome{.results = {}, .error = sample.error};
  if (!outcome.error.empty()) return outcome;
  if (expected.error == game::kCancelled) return {.results = {}, .error = expected.error};
  const std::string& witness = witness_->capabilities().name;
  if (!expected.error.empty())
    return {.results = {}, .error = fmt::format("the witness {} failed: {}", witness, expected.error)};
  std::string first;
  std::uint64_t mismatches = 0;
  for (std::size_t i = 0; i < sample.places.size(); ++i) {
    const std::string differs = difference(outcome.results[sample.places[i]], expected.results[i]);
    if (differs.empty() || ++mismatches > 1) continue;
    first = fmt::format("request {} (key {}) of engine {} differs from {}: {}", sample.places[i], sample.keys[i],
                        checked_->capabilities().name, witness, differs);
  }
  const std::lock_guard lock(mutex_);
  counts_.checked += sample.places.size();
  counts_.mismatches += mismatches;
  if (mismatches > 0) return {.results = {}, .error = std::move(first)};
  return outcome;
}

CheckEngine::Counts CheckEngine::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace chainshot::host
