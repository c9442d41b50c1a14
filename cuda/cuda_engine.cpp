#include "cuda/cuda_engine.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>

#include "cpu/engine/cpu_engine.hpp"
#include "cuda/device_queue.hpp"
#include "cuda/playout.hpp"

namespace chainshot::cuda {
namespace {

constexpr std::uint64_t kGamesPerLane = 16;       // of a batch in which the last games weigh little
constexpr std::uint64_t kSmallestSlot = 1 << 17;  // playouts, unless memory is short
constexpr std::uint64_t kShareOfMemory = 80;      // per cent of what is free

std::vector<DeviceInfo> usable_devices(const CudaEngineOptions& options) {
  const DeviceList list = list_devices();
  if (!list.unusable.empty()) throw NoDevice(list.unusable);
  std::vector<DeviceInfo> chosen;
  for (const int index : options.devices) {
    if (index < 0 || index >= static_cast<int>(list.devices.size()))
      throw NoDevice("there is no CUDA device " + std::to_string(index) + "; this machine has " +
                     std::to_string(list.devices.size()));
    const DeviceInfo& device = list.devices[static_cast<std::size_t>(index)];
    if (!device.unusable.empty())
      throw NoDevice("CUDA device " + std::to_string(index) + " (" + device.name +
                     ") cannot be used: " + device.unusable);
    if (std::none_of(chosen.begin(), chosen.end(), [&](const DeviceInfo& d) { return d.index == index; }))
      chosen.push_back(device);
  }
  if (!options.devices.empty()) return chosen;
  for (const DeviceInfo& device : list.devices)
    if (device.unusable.empty()) chosen.push_back(device);
  if (chosen.empty())
    throw NoDevice("CUDA device 0 (" + list.devices[0].name + ") cannot be used: " + list.devices[0].unusable);
  return chosen;
}

std::uint64_t lanes_of(const DeviceInfo& device) {
  return static_cast<std::uint64_t>(resident_lanes(device.multiprocessors));
}

class CudaEngine final : public game::Engine {
 public:
  explicit CudaEngine(const CudaEngineOptions& options) {
    std::vector<DeviceInfo> devices = usable_devices(options);
    std::uint64_t lanes = 0, fullest = 0;
    for (const DeviceInfo& device : devices) {
      lanes += lanes_of(device);
      fullest = std::max(fullest, lanes_of(device) * kGamesPerLane);
    }
    open(devices, options, std::max(fullest, kSmallestSlot));
    capabilities_.name = "cuda (" + devices[0].name +
                         (devices.size() > 1 ? " and " + std::to_string(devices.size() - 1) + " more)" : ")");
    capabilities_.on_cpu = false;
    capabilities_.lanes = static_cast<int>(lanes);
    capabilities_.recommended_batch = lanes * kGamesPerLane;
    capabilities_.largest_batch = std::uint64_t{1} << 40;
    capabilities_.batches_in_flight = static_cast<int>(queues_.size()) * std::max(2, options.slots);
  }

  ~CudaEngine() override { fail_all(queue_.close(), "the engine was closed"); }

  const game::Capabilities& capabilities() const override { return capabilities_; }

  game::Ticket submit(game::Batch batch) override {
    auto flight = std::make_shared<Flight>();
    flight->pending = std::make_shared<PendingBatch>();
    std::vector<Launch> launches = plan(std::move(batch), *flight);
    const std::lock_guard lock(mutex_);
    const game::Ticket ticket = ++last_ticket_;
    flights_.emplace(ticket, flight);
    if (!lost_.empty() && !launches.empty()) {
      flight->pending->outcome.error = lost_;
      flight->pending->unfinished = 0;
    } else {
      queue_.push(std::move(launches));
    }
    return ticket;
  }

  bool poll(game::Ticket ticket) override {
    std::unique_lock lock(mutex_);
    const auto found = flights_.find(ticket);
    if (found == flights_.end()) return true;
    const std::shared_ptr<Flight> flight = found->second;
    if (flight->pending->unfinished > 0) return false;
    lock.unlock();
    return flight->on_cpu.empty() || cpu_engine().poll(flight->cpu_ticket);
  }

  game::Outcome wait(game::Ticket ticket) override {
    std::unique_lock lock(mutex_);
    const auto found = flights_.extract(ticket);
    if (!found)
      return {{}, "ticket " + std::to_string(ticket) + " is not one the engine gave out, or was waited for before"};
    const std::shared_ptr<Flight> flight = found.mapped();
    completed_.wait(lock, [&] { return flight->pending->unfinished == 0; });
    lock.unlock();
    game::Outcome& outcome = flight->pending->outcome;
    if (!flight->on_cpu.empty()) take_from_cpu(*flight, outcome);
    if (!outcome.error.empty()) outcome.results.clear();
    lock.lock();
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
    // Requests that the processors play keep it as busy as launches do.
    const std::lock_guard cpu_lock(cpu_mutex_);
    if (cpu_engine_ != nullptr) usage.busy_seconds = std::max(usage.busy_seconds, cpu_engine_->usage().busy_seconds);
    return usage;
  }

  // A launch that was started ends by itself, and soon.
  void cancel() override {
    {
      const std::lock_guard lock(cpu_mutex_);
      if (cpu_engine_ != nullptr) cpu_engine_->cancel();
    }
    fail_all(queue_.take_all(), game::kCancelled);
  }

 private:
  struct Flight {
    std::shared_ptr<PendingBatch> pending;
    std::vector<std::size_t> on_cpu;  // requests whose policy must see every group: those are played there
    game::Ticket cpu_ticket = 0;
  };

  // Slots as large as the memory allows, down to a point where the device would not be worth its while.
  void open(const std::vector<DeviceInfo>& devices, const CudaEngineOptions& options, std::uint64_t playouts) {
    const int slots = std::max(2, options.slots);
    std::uint64_t budget = ~std::uint64_t{0};
    for (const DeviceInfo& device : devices)
      budget = std::min(budget, options.memory > 0 ? std::min(options.memory, device.free_memory)
                                                   : device.free_memory / 100 * kShareOfMemory);
    sizes_ = SlotSizes::for_playouts(playouts);
    while (sizes_.device_bytes() * static_cast<std::uint64_t>(slots) > budget) {
      if (sizes_.small_playouts <= kFewestPlayouts)
        throw NoDevice("the CUDA engine needs at least " +
                       std::to_string((sizes_.device_bytes() * static_cast<std::uint64_t>(slots) >> 20) + 1) +
                       " MB of device memory, and may use " + std::to_string(budget >> 20) + " MB");
      sizes_ = SlotSizes::for_playouts(sizes_.small_playouts / 2);
    }
    const DeviceQueue::Callbacks callbacks = {
        .completed = [this](Slot& slot) { complete(slot); },
        .failed = [this](const Launch& launch, const std::string& error) { fail(launch, error); },
        .lost = [this](const DeviceQueue&, const std::string& error) { lose_device(error); }};
    try {
      for (const DeviceInfo& device : devices)
        queues_.push_back(std::make_unique<DeviceQueue>(device, sizes_, slots, queue_, callbacks));
    } catch (const CudaError& error) {
      queue_.close();  // devices that are open already wait for launches and are joined
      throw NoDevice("CUDA device " + std::to_string(devices[queues_.size()].index) + " (" +
                     devices[queues_.size()].name + ") " + error.what());
    } catch (...) {
      queue_.close();
      throw;
    }
    alive_ = queues_.size();
  }

  std::vector<Launch> plan(game::Batch batch, Flight& flight) {
    PendingBatch& pending = *flight.pending;
    pending.batch = std::move(batch);
    const auto& requests = pending.batch.requests;
    const int bins = pending.batch.histogram.bins;
    assert(bins >= 0 && pending.batch.histogram.width > 0);
    pending.outcome.results.resize(requests.size());
    if (static_cast<std::size_t>(bins) > kHistogramCounters) {
      pending.outcome.error = "the CUDA engine counts at most " + std::to_string(kHistogramCounters) +
                              " bins of a histogram, not " + std::to_string(bins);
      return {};
    }
    std::vector<std::size_t> order;
    std::uint64_t playouts = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const game::Request& request = requests[i];
      assert(request.position.is_settled() && request.policy.tabu_color < game::kMaxColors);
      pending.outcome.results[i].histogram.resize(static_cast<std::size_t>(bins));
      pending.prepared.push_back(
          cpu::prepare(pending.batch, request, rules_.rules_for(request, pending.batch.scoring), false));
      if (pending.prepared[i].program.wide) pending.prepared[i].program.planes = game::kMaxPlanes;
      if (request.playouts == 0) continue;
      if (!pending.prepared[i].in_lanes) {
        flight.on_cpu.push_back(i);
      } else {
        order.push_back(i);
        playouts += request.playouts;
      }
    }
    if (!flight.on_cpu.empty()) send_to_cpu(flight);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return cpu::runs_before(pending.prepared[a], pending.prepared[b]);
    });
    const std::uint64_t share = (playouts + queues_.size() - 1) / queues_.size();
    std::vector<Launch> launches =
        cut_launches(flight.pending, order, sizes_, std::max<std::uint64_t>(share, kPiecePlayouts));
    pending.unfinished = launches.size();
    return launches;
  }

  game::Engine& cpu_engine() {
    const std::lock_guard lock(cpu_mutex_);
    if (cpu_engine_ == nullptr) cpu_engine_ = cpu::make_cpu_engine({});
    return *cpu_engine_;
  }

  void send_to_cpu(Flight& flight) {
    const game::Batch& batch = flight.pending->batch;
    game::Batch part{.seed = batch.seed, .scoring = batch.scoring, .histogram = batch.histogram, .requests = {}};
    for (const std::size_t i : flight.on_cpu)
      part.requests.push_back(batch.requests[i]);
    flight.cpu_ticket = cpu_engine().submit(std::move(part));
  }

  void take_from_cpu(const Flight& flight, game::Outcome& outcome) {
    game::Outcome part = cpu_engine().wait(flight.cpu_ticket);
    if (outcome.error.empty()) outcome.error = part.error;
    if (!outcome.error.empty()) return;
    for (std::size_t i = 0; i < flight.on_cpu.size(); ++i)
      outcome.results[flight.on_cpu[i]] = std::move(part.results[i]);
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

  // Other devices go on; with the last one gone, what waits has nowhere to go.
  void lose_device(const std::string& error) {
    {
      const std::lock_guard lock(mutex_);
      if (--alive_ > 0) return;
      lost_ = error;
    }
    fail_all(queue_.close(), error);
  }

  void fail_all(const std::deque<Launch>& launches, const std::string& error) {
    for (const Launch& launch : launches)
      fail(launch, error);
  }

  game::Capabilities capabilities_;
  SlotSizes sizes_;
  cpu::RulesCache rules_;
  mutable std::mutex cpu_mutex_;
  std::unique_ptr<game::Engine> cpu_engine_;  // made when it is first needed

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable completed_;
  std::map<game::Ticket, std::shared_ptr<Flight>> flights_;
  game::Ticket last_ticket_ = 0;
  game::Usage usage_;
  std::size_t alive_ = 0;
  std::string lost_;  // empty, or why there is no device any more

  LaunchQueue queue_;
  std::vector<std::unique_ptr<DeviceQueue>> queues_;  // last: they end before what they use
};

}  // namespace

std::unique_ptr<game::Engine> make_cuda_engine(const CudaEngineOptions& options) {
  return std::make_unique<CudaEngine>(options);
}

}  // namespace chainshot::cuda
