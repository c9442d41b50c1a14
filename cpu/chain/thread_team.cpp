#include "cpu/chain/thread_team.hpp"

#include <utility>

#include "machine/allowance.hpp"

namespace chainshot::cpu {

ThreadTeam::ThreadTeam(int threads) : size_(threads > 0 ? threads : machine::usable_processors()) {}

void ThreadTeam::start_workers() try {
  if (std::exchange(started_, true)) return;
  workers_.reserve(static_cast<std::size_t>(size_ - 1));
  while (static_cast<int>(workers_.size()) + 1 < size_)
    workers_.emplace_back([this] { work(); });
} catch (...) {  // The system has no more threads, or no memory for one.
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
}

void ThreadTeam::for_each(std::size_t count, const std::function<void(std::size_t)>& body) {
  const std::lock_guard turn(turn_);
  const Job job{&body, count};
  next_ = 0;
  failed_ = false;
  error_ = nullptr;
  if (count > 1) start_workers();
  const bool alone = count < 2 || workers_.empty();
  if (!alone) {
    {
      const std::lock_guard lock(mutex_);
      job_ = job;
      ++jobs_;
      busy_ = workers_.size();
    }
    changed_.notify_all();
  }
  take_items(job);
  if (!alone) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return busy_ == 0; });
  }
  if (error_) std::rethrow_exception(error_);
}

void ThreadTeam::work() {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || jobs_ != seen; });
    if (closing_) return;
    seen = jobs_;
    const Job job = job_;
    lock.unlock();
    take_items(job);
    lock.lock();
    if (--busy_ == 0) changed_.notify_all();
  }
}

void ThreadTeam::take_items(const Job& job) {
  try {
    for (std::size_t item; !failed() && (item = next_.fetch_add(1)) < job.count;)
      (*job.body)(item);
  } catch (...) {
    if (!failed_.exchange(true)) error_ = std::current_exception();
  }
}

}  // namespace chainshot::cpu
