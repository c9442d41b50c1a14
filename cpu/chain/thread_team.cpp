#include "cpu/chain/thread_team.hpp"

#include <algorithm>
#include <utility>

#include "machine/allowance.hpp"

namespace chainshot::cpu {

ThreadTeam::ThreadTeam(int threads, const std::vector<machine::NodeProcessors>& nodes)
    : size_(threads > 0 ? threads : machine::usable_processors()),
      nodes_(machine::should_pin(nodes, static_cast<std::size_t>(size_)) ? nodes
                                                                         : std::vector<machine::NodeProcessors>()),
      node_of_(machine::nodes_of_threads(nodes_, static_cast<std::size_t>(size_))),
      ranges_(node_of_.back() + 1) {}

void ThreadTeam::start_workers() try {
  if (std::exchange(started_, true)) return;
  workers_.reserve(static_cast<std::size_t>(size_ - 1));
  while (static_cast<int>(workers_.size()) + 1 < size_)
    workers_.emplace_back([this, node = node_of_[workers_.size() + 1]] { work(node); });
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
  divide(count);
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
  take_items(job, node_of_[0]);
  if (!alone) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return busy_ == 0; });
  }
  if (error_) std::rethrow_exception(error_);
}

// Every node gets items in proportion to its threads.
void ThreadTeam::divide(std::size_t count) {
  std::size_t begin = 0, threads = 0;
  for (std::size_t node = 0; node < ranges_.size(); ++node) {
    threads += static_cast<std::size_t>(std::count(node_of_.begin(), node_of_.end(), node));
    ranges_[node].next = begin;
    ranges_[node].end = begin = count * threads / node_of_.size();
  }
}

void ThreadTeam::work(std::size_t node) {
  if (!nodes_.empty()) machine::stay_on(nodes_[node]);
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || jobs_ != seen; });
    if (closing_) return;
    seen = jobs_;
    const Job job = job_;
    lock.unlock();
    take_items(job, node);
    lock.lock();
    if (--busy_ == 0) changed_.notify_all();
  }
}

void ThreadTeam::take_items(const Job& job, std::size_t node) {
  try {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      Range& range = ranges_[(node + i) % ranges_.size()];
      for (std::size_t item; !failed() && (item = range.next.fetch_add(1)) < range.end;)
        (*job.body)(item);
    }
  } catch (...) {
    if (!failed_.exchange(true)) error_ = std::current_exception();
  }
}

}  // namespace chainshot::cpu
