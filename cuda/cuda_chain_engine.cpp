#include "cuda/cuda_chain_engine.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <mutex>
#include <optional>

#include "cuda/device_chains.hpp"
#include "cuda/usable_devices.hpp"
#include "game/scoring_bounds.hpp"

namespace chainshot::cuda {
namespace {

// A low guess after the model of docs/lab/performance.md, until some evaluations were counted.
constexpr double kEvaluationsPerSecond = 700'000;  // of a multiprocessor

// One sentence of what a device did wrong.
ChainFault fault_of(const DeviceInfo& device, const CudaError& error) {
  return ChainFault(title_of(device) + " " + error.what());
}

// A device, which sets share.
struct SharedDevice {
  DeviceInfo info;
  std::mutex mutex;
};

class CudaChainSet final : public game::ChainSet {
 public:
  CudaChainSet(SharedDevice& device, const game::Position& board, const game::Scoring& scoring,
               const game::ChainLayout& layout, const ChainLaunchLimits& limits)
      : device_(device) {
    on_device([&] { chains_.emplace(board, scoring, layout, limits); });
  }
  ~CudaChainSet() override {
    const std::lock_guard lock(device_.mutex);
    cudaSetDevice(device_.info.index);
    chains_.reset();
  }

  void start(std::span<const game::ChainStart> starts, game::ChainObserver& observer) override {
    on_device([&] { chains_->start(starts, observer); });
  }
  bool exists(int chain) const override { return chains_->exists(chain); }
  int members() const override { return chains_->members(); }
  void keep(int members) override { chains_->keep(members); }
  void advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each,
               game::ChainObserver& observer) override {
    on_device([&] { chains_->advance(table, evaluations_each, observer); });
  }
  void resample(const game::AcceptanceTable& table, const game::ResampleTable& weights, int members,
                std::uint64_t seed) override {
    on_device([&] { chains_->resample(table, weights, members, seed); });
  }
  std::uint64_t slice() const override { return chains_->slice(); }
  std::vector<int> fitness(const game::AcceptanceTable& table) const override {
    std::vector<int> values;
    on_device([&] { values = chains_->fitness(table); });
    return values;
  }
  std::vector<int> best_scores() const override {
    std::vector<int> scores;
    on_device([&] { scores = chains_->best_scores(); });
    return scores;
  }
  std::vector<game::Cell> best_moves(int chain) const override {
    std::vector<game::Cell> moves;
    on_device([&] { moves = chains_->best_moves(chain); });
    return moves;
  }
  game::ChainCounts counts() const override { return chains_->counts(); }
  double busy_seconds() const override { return chains_->busy_seconds(); }

 private:
  template <class Work>
  void on_device(Work work) const {
    const std::lock_guard lock(device_.mutex);
    if (fault_) throw *fault_;
    try {
      check(cudaSetDevice(device_.info.index), "use the device");
      cudaGetLastError();  // another device that this thread used may be lost
      work();
    } catch (const CudaError& error) {
      fault_ = fault_of(device_.info, error);
      throw *fault_;
    }
  }

  SharedDevice& device_;
  mutable std::optional<ChainFault> fault_;
  mutable std::optional<DeviceChains> chains_;
};

class CudaChainEngine final : public game::ChainEngine {
 public:
  CudaChainEngine(const DeviceInfo& device, std::uint64_t memory, const ChainLaunchLimits& limits) : limits_(limits) {
    device_.info = device;
    memory_ = usable_memory(device, memory);
    capabilities_.name = "cuda (" + device.name + ")";
    capabilities_.on_cpu = false;
    capabilities_.advances_together = true;
    capabilities_.evaluations_per_second = kEvaluationsPerSecond * device.multiprocessors;
    try {
      check(cudaSetDevice(device.index), "use the device");
      capabilities_.chains_at_once = resident_chains(device.multiprocessors);
    } catch (const CudaError& error) {
      throw NoDevice(fault_of(device, error).what());
    }
    if (chain_set_bytes(1) > memory_)
      throw NoDevice("chains need at least " + std::to_string((chain_set_bytes(1) >> 20) + 1) +
                     " MB of device memory, and may use " + std::to_string(memory_ >> 20) + " MB");
  }

  const game::ChainCapabilities& capabilities() const override { return capabilities_; }

  std::string objection(const game::Position& board, const game::Scoring& scoring) const override {
    if (board.columns() <= kChainColumns && board.rows() <= kChainRows && board.colors() <= kChainColors)
      return objection_to_points(game::earned_range(scoring, board), scoring);
    return "the device anneals boards of up to " + std::to_string(kChainColumns) + " columns, " +
           std::to_string(kChainRows) + " rows and " + std::to_string(kChainColors) + " colours; this one has " +
           std::to_string(board.columns()) + " columns, " + std::to_string(board.rows()) + " rows and " +
           std::to_string(board.colors()) + " colours";
  }

  static std::string objection_to_points(const game::PointRange& earned, const game::Scoring& scoring) {
    if (earned.least >= 0 && earned.most <= kMostChainPoints) return {};
    return "the device anneals boards on which groups earn 0 to " + std::to_string(kMostChainPoints) +
           " points together; on this one they could earn " + std::to_string(earned.least) + " to " +
           std::to_string(earned.most) + " by the scoring " + scoring.name();
  }

  int most_members(const game::Position&, int islands) const override {
    std::uint64_t fits = 1, too_many = memory_ / kChainBytes + 1;
    while (fits + 1 < too_many) {
      const std::uint64_t middle = fits + (too_many - fits) / 2;
      (chain_set_bytes(middle) <= memory_ ? fits : too_many) = middle;
    }
    fits /= static_cast<std::uint64_t>(islands);
    return static_cast<int>(std::clamp<std::uint64_t>(fits, 1, std::numeric_limits<int>::max()));
  }

  std::unique_ptr<game::ChainSet> make_chains(const game::Position& board, const game::Scoring& scoring,
                                              const game::ChainLayout& layout) override {
    assert(objection(board, scoring).empty());
    return std::make_unique<CudaChainSet>(device_, board, scoring, layout, limits_);
  }

 private:
  const ChainLaunchLimits limits_;
  SharedDevice device_;
  std::uint64_t memory_ = 0;
  game::ChainCapabilities capabilities_;
};

}  // namespace

std::vector<std::unique_ptr<game::ChainEngine>> make_cuda_chain_engines(const std::vector<int>& devices,
                                                                        std::uint64_t memory,
                                                                        const ChainLaunchLimits& limits,
                                                                        const DeviceNotice& notice) {
  std::vector<std::unique_ptr<game::ChainEngine>> engines;
  open_each(usable_devices(devices, notice), !devices.empty(), notice, [&](const DeviceInfo& device) {
    engines.push_back(std::make_unique<CudaChainEngine>(device, memory, limits));
  });
  return engines;
}

}  // namespace chainshot::cuda
