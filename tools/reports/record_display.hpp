// Shows a record run while it goes on: a table on a terminal; elsewhere a plain line for each new best, and a status
// line every minute.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "host/record/record_status.hpp"
#include "tools/terminal/status_block.hpp"

namespace chainshot::tools {

class RecordDisplay {
 public:
  ~RecordDisplay() { erase(); }

  // Prints the strategy.
  void begin(const std::string& archive, const host::RecordStatus& status, bool is_resumed);
  // Call it ten times per second. Also answers SIGUSR1 by a status line.
  void update(const host::RecordStatus& status);
  // Takes a sentence for the user from any thread; the next update prints it.
  void note(const std::string& sentence);
  // Prints the notes that wait and removes the table.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  void tell_bests(const host::RecordStatus& status);
  void say(const std::string& line);

  StatusBlock block_;
  Clock::time_point next_ = Clock::now();
  std::map<std::int64_t, int> told_;  // best scores that were printed, by board
  std::mutex mutex_;
  std::vector<std::string> notes_;
};

}  // namespace chainshot::tools
