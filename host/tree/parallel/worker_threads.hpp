// Threads that are kept from one round of a search to the next, so that a round does not pay for starting them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace chainshot::host {

class WorkerThreads {
 public:
  // Calls job(0), ..., job(count - 1), each in a thread of its own as far as the system has threads, the first in the
  // calling thread, and returns when all have returned. A job must not throw. Threads are started when first needed.
  void run(std::size_t count, const std::function<void(std::size_t)>& job);

 private:
  void start(std::size_t threads);
  void work(const std::stop_token& stop);

  std::mutex mutex_;  // guards what follows, up to the threads
  std::condition_variable_any has_work_;
  std::condition_variable is_done_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t next_ = 0;  // the job that a thread takes next, and how many there are
  std::size_t count_ = 0;
  std::size_t running_ = 0;
  std::vector<std::jthread> threads_;  // the last member: they end before the others go
};

}  // namespace chainshot::host
