#include "cuda/cuda_engine.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "cuda/device_queue.hpp"
#include "cuda/playout.hpp"
#include "cuda/usable_devices.hpp"

namespace chainshot::cuda {
namespace {

constexpr std::uint64_t kGamesPerLane = 16;       // enough that the last games of a batch cost little
constexpr std::uint64_t kSmallestSlot = 1 << 17;  // playouts, unless memory is short

std::uint64_t lanes_of(const DeviceInfo& device) {
  return static_cast<std::uint64_t>(resident_lanes(device.multiprocessors));
}

// Why no device can play the batch, in one sentence; empty if the devices can.
std::string refusal(const game::Batch& batch) {
  if (static_cast<std::size_t>(batch.histogram.bins) > kHistogramCounters)
    return "the CUDA engine counts at most " + std::to_string(kHistogramCounters) + " bins of a histogram, not " +
           std::to_string(batch.histogram.bins);
  const auto is_scalar = [](const game::Request& r) { return r.playouts > 0 && !r.policy.plays_in_lanes(); };
  const auto scalar = std::find_if(batch.requests.begin(), batch.requests.end(), is_scalar);
  if (scalar != batch.requests.end())
    return "the CUDA engine plays only policies that run in lanes, and that of request " +
           std::to_string(scalar - batch.requests.begin()) + " does not";
  const auto overflows = [&](const game::Request& r) {
    return r.playouts > 0 && !game::stays_within(kMostPlayoutPoints, batch.scoring, r);
  };
  const auto high = std::find_if(batch.requests.begin(), batch.requests.end(), overflows);
  if (high == batch.requests.end()) return {};
  return "the CUDA engine counts up to " + std::to_string(kMostPlayoutPoints) +
         " points either way, and a game of request " + std::to_string(high - batch.requests.begin()) +
         " may have more by the scoring " + batch.scoring.name();
}

class CudaEngine final : public game::Engine {
 public:
  explicit CudaEngine(const CudaEngineOptions& options) : notice_(options.notice), slots_(std::max(2, options.slots)) {
    open(devices_with_memory(usable_devices(options.devices, notice_), options), options);
    const std::lock_guard lock(mutex_);
    describe();
  }

  ~CudaEngine() override { fail_all(queue_.close(), "the engine was closed"); }

  // Of the devices that have not failed.
  const game::Capabilities& capabilities() const override { return *capabilities_; }

  game::Ticket submit(game::Batch batch) override {
    const auto pending = std::make_shared<DeviceBatch>();
    pending->batch = std::move(batch);
    std::vector<Launch> launches = plan(pending);
    const std::lock_guard lock(mutex_);
    const game::Ticket ticket = ++last_ticket_;
    batches_.emplace(ticket, pending);
    if (!lost_.empty() && !launches.empty()) {
      pending->outcome.error = lost_;
      pending->unfinished = 0;
    } else {
      queue_.push(std::move(launches));
    }
    return ticket;
  }

  bool poll(game::Ticket ticket) override {
    const std::lock_guard lock(mutex_);
    const auto found = batches_.find(ticket);
    return found == batches_.end() || found->second->unfinished == 0;
  }

  game::Outcome wait(game::Ticket ticket) override {
    std::unique_lock lock(mutex_);
    const auto found = batches_.extract(ticket);
    if (!found)
      return {{}, "ticket " + std::to_string(ticket) + " is not one the engine gave out, or was waited for before"};
    const std::shared_ptr<DeviceBatch> pending = found.mapped();
    completed_.wait(lock, [&] { return pending->unfinished == 0; });
    const std::vector<std::string> losses = std::exchange(losses_, {});
    lock.unlock();
    for (const std::string& loss : losses)
      if (notice_) notice_(loss);
    lock.lock();
    game::Outcome& outcome = pending->outcome;
    if (!outcome.error.empty()) outcome.results.clear();
    ++usage_.batches;
    for (const game::Result& result : outcome.results)
      usage_.playouts += result.count;
    return std::move(outcome);
  }

  game::Usage usage() const override {
    const std::lock_guard lock(mutex_);
    game::Usage usage = usage_;
    for (const auto& queue : queues_)
      usage.busy_seconds += queue->busy_seconds() / static_cast<double>(queues_.size());
    return usage;
  }

  // Launches that were started end soon by themselves.
  void cancel() override { fail_all(queue_.take_all(), game::kCancelled); }

 private:
  // Leaves out devices that have no room for the smallest slots.
  std::vector<DeviceInfo> devices_with_memory(const std::vector<DeviceInfo>& devices,
                                              const CudaEngineOptions& options) const {
    const std::uint64_t least = slots_bytes(SlotSizes::for_playouts(kFewestPlayouts));
    std::vector<DeviceInfo> roomy;
    open_each(devices, !options.devices.empty(), notice_, [&](const DeviceInfo& device) {
      const std::uint64_t memory = usable_memory(device, options.memory);
      if (memory < least)
        throw NoDevice("the CUDA engine needs at least " + std::to_string((least >> 20) + 1) +
                       " MB of device memory, and may use " + std::to_string(memory >> 20) + " MB");
      roomy.push_back(device);
    });
    return roomy;
  }

  std::uint64_t slots_bytes(const SlotSizes& sizes) const {
    return sizes.device_bytes() * static_cast<std::uint64_t>(slots_);
  }

  // Makes slots as large as the memory allows, down to a size below which the device would not pay.
  void open(const std::vector<DeviceInfo>& devices, const CudaEngineOptions& options) {
    std::uint64_t budget = ~std::uint64_t{0}, playouts = kSmallestSlot;
    for (const DeviceInfo& device : devices) {
      budget = std::min(budget, usable_memory(device, options.memory));
      playouts = std::max(playouts, lanes_of(device) * kGamesPerLane);
    }
    sizes_ = SlotSizes::for_playouts(playouts);
    while (slots_bytes(sizes_) > budget && sizes_.small_playouts > kFewestPlayouts)
      sizes_ = SlotSizes::for_playouts(sizes_.small_playouts / 2);
    const DeviceQueue::Callbacks callbacks = {
        .completed = [this](Slot& slot) { complete(slot); },
        .failed = [this](const Launch& launch, const std::string& error) { play_elsewhere(launch, error); },
        .lost = [this](const DeviceQueue& queue, const std::string& error) { lose_device(queue.info(), error); }};
    try {
      open_each(devices, !options.devices.empty(), notice_, [&](const DeviceInfo& device) {
        try {
          queues_.push_back(std::make_unique<DeviceQueue>(device, sizes_, slots_, queue_, callbacks));
        } catch (const CudaError& error) {
          throw NoDevice(title_of(device) + " " + error.what());
        }
        healthy_.push_back(device);
      });
    } catch (...) {
      queue_.close();  // ends the threads of devices that are already open
      throw;
    }
  }

  // Describes the devices that have not failed; the caller holds the mutex. What was described before stays readable.
  void describe() {
    game::Capabilities can;
    std::uint64_t lanes = 0;
    for (const DeviceInfo& device : healthy_)
      lanes += lanes_of(device);
    can.name = "cuda (" + healthy_[0].name +
               (healthy_.size() > 1 ? " and " + std::to_string(healthy_.size() - 1) + " more)" : ")");
    can.on_cpu = false;
    can.most_points = kMostPlayoutPoints;
    can.lanes = static_cast<int>(lanes);
    can.recommended_batch = lanes * kGamesPerLane;
    can.batches_in_flight = static_cast<int>(healthy_.size()) * slots_;
    descriptions_.push_back(std::move(can));
    capabilities_ = &descriptions_.back();
  }

  // Prepares the batch and cuts it into launches. A batch the devices cannot play gets an error and no launch.
  std::vector<Launch> plan(const std::shared_ptr<DeviceBatch>& pending) {
    const game::Batch& batch = pending->batch;
    const int bins = batch.histogram.bins;
    assert(bins >= 0 && batch.histogram.width > 0);
    pending->outcome.error = refusal(batch);
    if (!pending->outcome.error.empty()) return {};
    pending->outcome.results.resize(batch.requests.size());
    pending->prepared.reserve(batch.requests.size());
    std::vector<std::size_t> order;
    std::uint64_t playouts = 0;
    for (std::size_t i = 0; i < batch.requests.size(); ++i) {
      const game::Request& request = batch.requests[i];
      assert(request.position.is_settled() && request.policy.tabu_color < game::kMaxColors);
      pending->outcome.results[i].histogram.resize(static_cast<std::size_t>(bins));
      lanes::PreparedRequest& prepared = pending->prepared.emplace_back(
          lanes::prepare(batch, request, rules_.rules_for(request, batch.scoring), false, false));
      if (prepared.program.wide) prepared.program.planes = game::kMaxPlanes;
      if (request.playouts == 0) continue;
      order.push_back(i);
      playouts += request.playouts;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return lanes::runs_before(pending->prepared[a], pending->prepared[b]);
    });
    const std::uint64_t share = (playouts + queues_.size() - 1) / queues_.size();
    std::vector<Launch> launches = cut_launches(pending, order, sizes_, std::max<std::uint64_t>(share, kPiecePlayouts));
    pending->unfinished = launches.size();
    return launches;
  }

  void complete(Slot& slot) {
    const std::lock_guard lock(mutex_);
    slot.deliver();
    if (--slot.launch().batch->unfinished == 0) completed_.notify_all();
  }

  void fail(const Launch& launch, const std::string& error) {
    const std::lock_guard lock(mutex_);
    if (launch.batch->outcome.error.empty()) launch.batch->outcome.error = error;
    if (--launch.batch->unfinished == 0) completed_.notify_all();
  }

  // A launch that a device has lost goes to another one, if there is one.
  void play_elsewhere(const Launch& launch, const std::string& error) {
    {
      const std::lock_guard lock(mutex_);
      if (lost_.empty()) return queue_.push({launch});
    }
    fail(launch, error);
  }

  // Other devices go on. When the last one is lost, all waiting launches fail.
  void lose_device(const DeviceInfo& lost, const std::string& error) {
    {
      const std::lock_guard lock(mutex_);
      if (healthy_.size() > 1) {
        std::erase_if(healthy_, [&](const DeviceInfo& device) { return device.index == lost.index; });
        describe();
        losses_.push_back(error + "; " + capabilities_.load()->name + " goes on with its work");
        return;
      }
      lost_ = error;
    }
    fail_all(queue_.close(), error);
  }

  void fail_all(const std::deque<Launch>& launches, const std::string& error) {
    for (const Launch& launch : launches)
      fail(launch, error);
  }

  const DeviceNotice notice_;
  const int slots_;  // of each device
  SlotSizes sizes_;
  lanes::RulesCache rules_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable completed_;
  std::map<game::Ticket, std::shared_ptr<DeviceBatch>> batches_;
  game::Ticket last_ticket_ = 0;
  game::Usage usage_;
  std::vector<DeviceInfo> healthy_;              // the devices that have not failed, but for the last
  std::deque<game::Capabilities> descriptions_;  // of the healthy devices, and of those before
  std::vector<std::string> losses_;              // sentences that nobody was told
  std::string lost_;                             // empty, or why there is no device any more
  std::atomic<const game::Capabilities*> capabilities_ = nullptr;

  LaunchQueue queue_;
  std::vector<std::unique_ptr<DeviceQueue>> queues_;  // last: they end before what they use
};

}  // namespace

std::unique_ptr<game::Engine> make_cuda_engine(const CudaEngineOptions& options) {
  return std::make_unique<CudaEngine>(options);
}

}  // namespace chainshot::cuda
