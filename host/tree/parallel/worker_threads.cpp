#include "host/tree/parallel/worker_threads.hpp"

#include <exception>

namespace chainshot::host {

void WorkerThreads::start(std::size_t threads) {
  try {
    while (threads_.size() < threads)
      threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  } catch (const std::exception&) {  // the system has no more threads, or no memory for one: the others do the work
  }
}

void WorkerThreads::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (has_work_.wait(lock, stop, [&] { return next_ < count_; })) {
    const std::size_t i = next_++;
    ++running_;
    const auto& job = *job_;
    lock.unlock();
    job(i);
    lock.lock();
    --running_;
    if (running_ == 0 && next_ == count_) is_done_.notify_all();
  }
}

void WorkerThreads::run(std::size_t count, const std::function<void(std::size_t)>& job) {
  start(count - 1);
  std::unique_lock lock(mutex_);
  job_ = &job;
  next_ = 1;
  count_ = count;
  lock.unlock();
  has_work_.notify_all();
  job(0);
  lock.lock();
  while (next_ < count_) {  // jobs that no thread has taken
    const std::size_t i = next_++;
    lock.unlock();
    job(i);
    lock.lock();
  }
  is_done_.wait(lock, [&] { return running_ == 0; });
  next_ = count_ = 0;
}

}  // namespace chainshot::host
