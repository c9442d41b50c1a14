// Devices and the launches they take: one queue of launches for all devices, and for every device one thread that
// starts launches and one that waits for them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cuda/cuda_engine.hpp"
#include "cuda/launch_plan.hpp"
#include "cuda/slot.hpp"

namespace chainshot::cuda {

// Launches that no device has taken yet.
class LaunchQueue {
 public:
  void push(std::vector<Launch> launches);
  // Waits for a launch. Returns false if the queue is closed or the taker has given up; whoever sets `gave_up` must
  // call `wake`.
  bool take(Launch& launch, const std::atomic<bool>& gave_up);
  void wake();
  std::deque<Launch> take_all();  // removes all launches that wait
  // The same, and `take` hands out nothing any more.
  std::deque<Launch> close();

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Launch> launches_;
  bool closed_ = false;
};

class DeviceQueue {
 public:
  struct Callbacks {
    std::function<void(Slot&)> completed;                              // its results can be delivered
    std::function<void(Launch, const std::string&)> failed;            // with one sentence
    std::function<void(const DeviceQueue&, const std::string&)> lost;  // the device takes no more launches
  };

  // Throws CudaError if the device cannot give what a slot needs.
  DeviceQueue(const DeviceInfo& info, const SlotSizes& sizes, int slots, LaunchQueue& queue, Callbacks callbacks);
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  // Waits for launches that were started.
  ~DeviceQueue();

  const DeviceInfo& info() const { return info_; }
  double busy_seconds() const;

 private:
  void start_launches();
  void await_launches();
  void lose(const std::string& error);
  Slot* free_slot();
  void count_busy(const Slot& slot);
  std::string sentence(const std::string& error) const;

  const DeviceInfo info_;
  LaunchQueue& queue_;
  const Callbacks callbacks_;
  Event opened_;
  std::vector<std::unique_ptr<Slot>> slots_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<Slot*> free_;
  std::deque<Slot*> in_flight_;
  bool no_more_ = false;            // nothing will be started any more
  std::atomic<bool> lost_ = false;  // written with the mutex held; the launch queue reads it without
  double busy_seconds_ = 0, busy_until_ = 0;

  std::thread starter_, awaiter_;
};

}  // namespace chainshot::cuda
