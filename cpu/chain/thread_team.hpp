// Threads that work through the items of one job at a time, the caller's thread among them. Each thread takes the next
// item when it is done with its last. On a machine with several memories (NUMA) the workers stay on their nodes, every
// node has its range of the items, and a thread takes items of other nodes once its own are taken: an item of the same
// number finds its memory near in every job.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "machine/numa.hpp"

namespace chainshot::cpu {

class ThreadTeam {
 public:
  // 0 asks for one thread per processor. The threads start with the first job; where the system refuses some, the
  // others do all the work.
  explicit ThreadTeam(int threads, const std::vector<machine::NodeProcessors>& nodes = machine::numa_nodes());
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

  // The items of a node that nobody has taken. In a cache line of its own.
  struct alignas(64) Range {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };

  void start_workers();
  void work(std::size_t node);
  void divide(std::size_t count);
  void take_items(const Job& job, std::size_t node);

  const int size_;
  const std::vector<machine::NodeProcessors> nodes_;
  const std::vector<std::size_t> node_of_;  // by thread; the caller's is the first, which is not pinned
  std::mutex turn_;                         // held by the caller whose job is worked on
  bool started_ = false;
  std::vector<Range> ranges_;  // by node
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
