// Shares numbered pieces of work among threads. Which thread does a piece is left to chance, so a result must not
// depend on it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <vector>

namespace chainshot::host {

// Told by the calling thread how much of the work is done.
using WorkWatcher = std::function<void(std::uint64_t done, std::uint64_t total)>;

// Calls work(worker, piece) for every piece below `pieces`, on `threads` threads with the caller as worker 0, until a
// stop is requested. Returns true if every piece was done. The first exception ends the work and is thrown again.
template <class Work>
bool share_work(int threads, std::uint64_t pieces, const std::stop_token& stop, const WorkWatcher& watcher,
                const Work& work) {
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  std::mutex mutex;
  const auto run = [&](int worker) {
    try {
      while (!stop.stop_requested() && !failed) {
        const std::uint64_t piece = next++;
        if (piece >= pieces) return;
        work(worker, piece);
        ++done;
        if (worker == 0 && watcher) watcher(done, pieces);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      failed = true;
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (int worker = 1; worker < threads && static_cast<std::uint64_t>(worker) < pieces; ++worker)
        helpers.emplace_back(run, worker);
    } catch (const std::system_error&) {
      // The system refuses a thread: those there are do the work.
    }
    run(0);
  }
  if (error) std::rethrow_exception(error);
  return done == pieces;
}

// The same for items that take microseconds or milliseconds: a piece of work is a few of them in a row. The watcher is
// told of pieces. A stop ends a piece, too; then an item that was not worked on is missing, and the answer is false.
template <class Work>
bool share_items(int threads, std::uint64_t items, const std::stop_token& stop, const WorkWatcher& watcher,
                 const Work& work) {
  const std::uint64_t shares = 16 * static_cast<std::uint64_t>(std::max(threads, 1));
  const std::uint64_t length = std::clamp<std::uint64_t>(items / shares, 1, 32);  // of a piece
  const std::uint64_t pieces = (items + length - 1) / length;
  const bool complete = share_work(threads, pieces, stop, watcher, [&](int worker, std::uint64_t piece) {
    const std::uint64_t end = std::min(items, (piece + 1) * length);
    for (std::uint64_t item = piece * length; item < end && !stop.stop_requested(); ++item)
      work(worker, item);
  });
  return complete && !stop.stop_requested();
}

}  // namespace chainshot::host
