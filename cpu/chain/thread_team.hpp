// Threads that work through the items of one job at a time, the caller's thread among them. Each thread takes the next
// item when it is done with its last.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace chainshot::cpu {

class ThreadTeam {
 public:
  // 0 asks for one thread per processor. The threads start with the first job; where the system refuses some, the
  // others do all the work.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();

  int size() const { return size_; }  // as asked for
  // Calls body(0) to body(count - 1) and returns when all calls have. After an exception no further item is begun, and
  // the first exception is rethrown. Callers from several threads take turns.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body);
  // True while the job is being given up because of an exception; a long item may look at it.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  struct Job {
    const std::function<void(std::size_t)>* body = nullptr;
    std::size_t count = 0;
  };

  void start_workers();
  void work();
  void take_items(const Job& job);

  const int size_;
  std::mutex turn_;  // held by the caller whose job is worked on
  bool started_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Job job_;
  std::uint64_t jobs_ = 0;  // begun so far
  std::size_t busy_ = 0;    // workers that are not done with the job
  bool closing_ = false;

  std::vector<std::jthread> workers_;  // last: they end before what they use
};

}  // namespace chainshot::cpu
