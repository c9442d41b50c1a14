// Writes to the archive of a record run from a thread of its own, in order. A write that fails (full disk, another
// program that holds the archive) is said once and tried again every second, while the search goes on; lines that
// could not be written by the end are handed back, so that none is lost.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "host/archive/archive.hpp"

namespace chainshot::host {

class ArchiveWriter {
 public:
  using Notice = std::function<void(const std::string& sentence)>;

  // A write: what it does, and the lines that are lost if it never succeeds.
  struct Write {
    std::function<void(Archive&)> apply;
    std::vector<NewLine> lines = {};
  };

  // The archive outlives the writer.
  ArchiveWriter(Archive& archive, Notice notice);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  void push(Write write);
  // Waits until all writes are done, but no longer than `patience`; returns whether they are.
  bool drain(std::chrono::milliseconds patience);
  // Ends the thread; nothing is written after this. Returns whether all writes are done.
  bool stop();
  // Returns the lines that are not written yet.
  std::vector<NewLine> unwritten() const;
  // Returns the sentence of the write that fails at the moment; empty if none does.
  std::string problem() const;

 private:
  void run();

  Archive& archive_;
  const Notice notice_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Write> writes_;  // the first one is under way
  std::string problem_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace chainshot::host
