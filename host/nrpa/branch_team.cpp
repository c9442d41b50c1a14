#include "host/nrpa/branch_team.hpp"

#include <system_error>
#include <utility>

namespace chainshot::host::nrpa {

BranchTeam::BranchTeam(int threads) {
  for (int i = 1; i < threads; ++i) {
    try {
      workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      break;  // the system has no more threads: those there are do all the work
    }
  }
}

BranchTeam::~BranchTeam() {
  round_.fetch_or(1);
  round_.notify_all();
}

void BranchTeam::for_each(int count, const std::function<void(int)>& body) {
  body_ = &body;
  count_ = count;
  next_ = 0;
  error_ = nullptr;
  busy_ = static_cast<int>(workers_.size());
  round_ += 2;
  round_.notify_all();
  take_branches();
  for (int busy = busy_; busy != 0; busy = busy_)
    busy_.wait(busy);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void BranchTeam::work() {
  for (std::uint32_t seen = 0;;) {
    round_.wait(seen);
    seen = round_;
    if (seen & 1) return;
    take_branches();
    if (--busy_ == 0) busy_.notify_one();
  }
}

void BranchTeam::take_branches() {
  for (int i = next_++; i < count_; i = next_++) {
    try {
      (*body_)(i);
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
}

}  // namespace chainshot::host::nrpa
