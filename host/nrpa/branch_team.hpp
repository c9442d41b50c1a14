// Threads that run the branches of a parallel level, the caller's thread among them. Each thread takes the next branch
// when it is done with its last. A level of playouts lasts microseconds, so threads wait on an atomic number.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace chainshot::host::nrpa {

class BranchTeam {
 public:
  explicit BranchTeam(int threads);
  ~BranchTeam();
  BranchTeam(const BranchTeam&) = delete;
  BranchTeam& operator=(const BranchTeam&) = delete;

  // Calls body(0) to body(count - 1) and returns when all calls have. Rethrows the first exception.
  void for_each(int count, const std::function<void(int)>& body);

 private:
  void work();
  void take_branches();

  const std::function<void(int)>* body_ = nullptr;
  int count_ = 0;
  std::atomic<int> next_ = 0;
  std::atomic<std::uint32_t> round_ = 0;  // odd after closing
  std::atomic<int> busy_ = 0;             // workers that are not done with the round
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::vector<std::jthread> workers_;  // last: they end before what they use
};

}  // namespace chainshot::host::nrpa
