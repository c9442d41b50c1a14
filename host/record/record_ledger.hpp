// Keeps the status of a record run while workers search: bests, gains, turns under way, rates. All functions may be
// called from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "host/archive/archive_rows.hpp"
#include "host/record/record_status.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot::host {

class RecordLedger {
 public:
  // `first` has the boards with what is known when this part of the run begins; `threads` is what the run may use.
  RecordLedger(RecordStatus first, int threads);

  RecordStatus status() const;
  void set_state(const std::string& state);
  void begin_round(int round, int turns, int turns_done);
  void begin_turn(int number, std::size_t board);
  void sample_turn(int number, const SolveSample& sample, double share, std::optional<int> best);
  void end_turn(int number, bool counts);
  // Notes a line that was committed. Returns true if it is the new best of its board.
  bool commit(std::size_t board, int score, const std::string& found);
  void add_note(const std::string& sentence);
  // Measures the rates. Call it about once per second.
  void tick(double seconds, std::optional<double> seconds_left);

 private:
  struct Counters {
    double playouts = 0, evaluations = 0, processor_seconds = 0, seconds = 0;
  };

  RunningTurn* turn(int number);
  Counters count(double seconds) const;

  const int threads_;
  mutable std::mutex mutex_;
  RecordStatus status_;
  Counters ended_;              // of turns that have ended
  std::vector<Counters> past_;  // one per second, the latest last
};

}  // namespace chainshot::host
