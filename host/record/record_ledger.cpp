#include "host/record/record_ledger.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

namespace chainshot::host {
namespace {

constexpr std::size_t kRateSeconds = 5;
constexpr std::size_t kMostNotes = 20;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

RecordLedger::RecordLedger(RecordStatus first, int threads) : threads_(threads), status_(std::move(first)) {}

RecordStatus RecordLedger::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void RecordLedger::set_state(const std::string& state) {
  const std::lock_guard lock(mutex_);
  status_.state = state;
}

void RecordLedger::begin_round(int round, int turns, int turns_done) {
  const std::lock_guard lock(mutex_);
  status_.round = round;
  status_.turns_of_round = turns;
  status_.turns_done_of_round = turns_done;
}

void RecordLedger::begin_turn(int number, std::size_t board) {
  const std::lock_guard lock(mutex_);
  status_.turns.push_back({.board = board, .number = number});
}

void RecordLedger::sample_turn(int number, const SolveSample& sample, double share, std::optional<int> best) {
  const std::lock_guard lock(mutex_);
  RunningTurn* running = turn(number);
  if (running == nullptr) return;
  running->best = best;
  running->seconds = sample.seconds;
  running->share = share;
  running->status = sample.total();
}

void RecordLedger::end_turn(int number, bool counts) {
  const std::lock_guard lock(mutex_);
  const RunningTurn* running = turn(number);
  if (running == nullptr) return;
  ended_.playouts += static_cast<double>(running->status.playouts);
  ended_.evaluations += static_cast<double>(running->status.evaluations);
  if (counts) {
    ++status_.turns_done_of_round;
    ++status_.boards[running->board].turns;
  }
  status_.turns.erase(status_.turns.begin() + (running - status_.turns.data()));
}

bool RecordLedger::commit(std::size_t board, int score, const std::string& found) {
  const std::lock_guard lock(mutex_);
  RecordedBoard& entry = status_.boards[board];
  if (entry.best && score <= *entry.best) return false;
  entry.best = score;
  entry.improved_at = found;
  return true;
}

void RecordLedger::add_note(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  status_.notes.push_back(sentence);
  if (status_.notes.size() > kMostNotes) status_.notes.erase(status_.notes.begin());
}

void RecordLedger::tick(double seconds, std::optional<double> seconds_left) {
  const std::lock_guard lock(mutex_);
  status_.seconds = seconds;
  status_.seconds_left = seconds_left;
  past_.push_back(count(seconds));
  if (past_.size() > kRateSeconds + 1) past_.erase(past_.begin());
  const Counters &first = past_.front(), &last = past_.back();
  const double passed = last.seconds - first.seconds;
  if (passed <= 0) return;
  status_.playouts_per_second = std::max(0.0, last.playouts - first.playouts) / passed;
  status_.evaluations_per_second = std::max(0.0, last.evaluations - first.evaluations) / passed;
  status_.busy = std::min(1.0, (last.processor_seconds - first.processor_seconds) / passed / threads_);
  for (const RunningTurn& running : status_.turns)
    if (const double busy = running.status.figure("busy_share"); busy > 0) status_.busy = busy;  // of a device
}

RunningTurn* RecordLedger::turn(int number) {
  const auto found = std::find_if(status_.turns.begin(), status_.turns.end(),
                                  [&](const RunningTurn& running) { return running.number == number; });
  return found == status_.turns.end() ? nullptr : &*found;
}

RecordLedger::Counters RecordLedger::count(double seconds) const {
  Counters now = ended_;
  now.seconds = seconds;
  now.processor_seconds = processor_seconds();
  for (const RunningTurn& running : status_.turns) {
    now.playouts += static_cast<double>(running.status.playouts);
    now.evaluations += static_cast<double>(running.status.evaluations);
  }
  return now;
}

}  // namespace chainshot::host
