// Runs the user's command for every new best line: `COMMAND BOARD SCORE FILE`, where FILE is a solution file with the
// line that is removed when the command has ended. One command runs at a time, in the background: a command that is
// slow or hangs does not touch the search. If a board improves again while its line waits, only the better line is
// passed on.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace chainshot::host {

class RecordHook {
 public:
  using Notice = std::function<void(const std::string& sentence)>;

  // `notice` is told the first time a command fails. The command is one line for the shell.
  RecordHook(std::string command, Notice notice);
  // Waits for the commands that are due, but for no more than ten seconds; ends a command that hangs.
  ~RecordHook();
  RecordHook(const RecordHook&) = delete;
  RecordHook& operator=(const RecordHook&) = delete;

  void push(const std::string& board, int score, const std::string& solution);

 private:
  struct Record {
    std::string board;
    int score = 0;
    std::string solution;
  };

  void run();
  // Returns why the command failed; empty if it did not.
  std::string call(const Record& record);
  bool is_over() const;  // no time is left for a command

  const std::string command_;
  const Notice notice_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Record> waiting_;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
  bool has_failed_ = false;
  std::thread thread_;
};

}  // namespace chainshot::host
