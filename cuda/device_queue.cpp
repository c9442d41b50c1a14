#include "cuda/device_queue.hpp"

#include <algorithm>
#include <utility>

namespace chainshot::cuda {

void LaunchQueue::push(std::vector<Launch> launches) {
  {
    const std::lock_guard lock(mutex_);
    for (Launch& launch : launches)
      launches_.push_back(std::move(launch));
  }
  arrived_.notify_all();
}

bool LaunchQueue::take(Launch& launch, const std::atomic<bool>& gave_up) {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return closed_ || gave_up || !launches_.empty(); });
  if (closed_ || gave_up) return false;
  launch = std::move(launches_.front());
  launches_.pop_front();
  return true;
}

void LaunchQueue::wake() {
  { const std::lock_guard lock(mutex_); }  // a taker that saw nothing is waiting by now
  arrived_.notify_all();
}

std::deque<Launch> LaunchQueue::take_all() {
  const std::lock_guard lock(mutex_);
  return std::exchange(launches_, {});
}

std::deque<Launch> LaunchQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  arrived_.notify_all();
  return take_all();
}

DeviceQueue::DeviceQueue(const DeviceInfo& info, const SlotSizes& sizes, int slots, LaunchQueue& queue,
                         Callbacks callbacks)
    : info_((check(cudaSetDevice(info.index), "use the device"), info)),
      queue_(queue),
      callbacks_(std::move(callbacks)) {
  for (int i = 0; i < slots; ++i) {
    slots_.push_back(std::make_unique<Slot>(sizes, info.multiprocessors));
    free_.push_back(slots_.back().get());
  }
  Stream stream;
  opened_.record(stream);
  opened_.wait();
  starter_ = std::thread([this] { start_launches(); });
  awaiter_ = std::thread([this] { await_launches(); });
}

DeviceQueue::~DeviceQueue() {
  // The queue was closed, so the starter ends by itself.
  starter_.join();
  awaiter_.join();
  cudaSetDevice(info_.index);
}

double DeviceQueue::busy_seconds() const {
  const std::lock_guard lock(mutex_);
  return busy_seconds_;
}

std::string DeviceQueue::sentence(const std::string& error) const {
  return "CUDA device " + std::to_string(info_.index) + " (" + info_.name + ") " + error;
}

// Waits for a free slot; null if the device is lost.
Slot* DeviceQueue::free_slot() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return lost_ || !free_.empty(); });
  if (lost_) return nullptr;
  Slot* slot = free_.back();
  free_.pop_back();
  return slot;
}

void DeviceQueue::start_launches() {
  cudaSetDevice(info_.index);
  Launch launch;
  // Takes the slot first, so that no launch is taken from other devices before it can be started.
  for (Slot* slot = free_slot(); slot != nullptr && queue_.take(launch, lost_); slot = free_slot()) {
    try {
      slot->begin(std::move(launch));
      const std::lock_guard lock(mutex_);
      in_flight_.push_back(slot);
    } catch (const std::exception& error) {
      lose(error.what());  // first, so that whoever hears of the failure finds the device lost
      callbacks_.failed(slot->launch(), sentence(error.what()));
      break;
    }
    changed_.notify_all();
  }
  {
    const std::lock_guard lock(mutex_);
    no_more_ = true;
  }
  changed_.notify_all();
}

void DeviceQueue::await_launches() {
  cudaSetDevice(info_.index);
  for (;;) {
    Slot* slot = nullptr;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return no_more_ || !in_flight_.empty(); });
      if (in_flight_.empty()) return;
      slot = in_flight_.front();
      in_flight_.pop_front();
    }
    try {
      slot->wait();
      count_busy(*slot);
      callbacks_.completed(*slot);
    } catch (const std::exception& error) {
      lose(error.what());
      callbacks_.failed(slot->launch(), sentence(error.what()));
    }
    slot->clear();
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(slot);
    }
    changed_.notify_all();
  }
}

// Adds the time in which kernels ran, and counts it once where the kernels of two slots overlap.
void DeviceQueue::count_busy(const Slot& slot) {
  const double begin = slot.kernels_begin().seconds_since(opened_), end = slot.kernels_end().seconds_since(opened_);
  const std::lock_guard lock(mutex_);
  busy_seconds_ += std::max(0.0, end - std::max(begin, busy_until_));
  busy_until_ = std::max(busy_until_, end);
}

void DeviceQueue::lose(const std::string& error) {
  {
    const std::lock_guard lock(mutex_);
    if (lost_) return;
    lost_ = true;
  }
  changed_.notify_all();
  queue_.wake();  // the starter must not take a launch that another device can play
  callbacks_.lost(*this, sentence(error));
}

}  // namespace chainshot::cuda
