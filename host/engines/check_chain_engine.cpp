#include "host/engines/check_chain_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace chainshot::host {
namespace {

constexpr std::uint64_t kSlice = 256;  // evaluations of a chain between two comparisons
constexpr std::size_t kStarts = 64;    // chains started between two comparisons

class CheckChainSet final : public game::ChainSet {
 public:
  CheckChainSet(std::unique_ptr<game::ChainSet> device, std::unique_ptr<game::ChainSet> cpu)
      : device_(std::move(device)), cpu_(std::move(cpu)) {}

  // A stop would reach the two at different moments. So neither is stopped inside a slice.
  void start(std::span<const game::ChainStart> starts, game::ChainObserver& observer) override {
    game::ChainObserver unwatched;
    for (; !starts.empty() && !observer.stopped(); starts = starts.subspan(std::min(starts.size(), kStarts))) {
      const auto some = starts.first(std::min(starts.size(), kStarts));
      device_->start(some, unwatched);
      cpu_->start(some, unwatched);
      compare_best("starting chains");
    }
  }
  bool exists(int chain) const override { return cpu_->exists(chain); }
  int members() const override { return cpu_->members(); }
  void keep(int members) override {
    device_->keep(members);
    cpu_->keep(members);
  }
  void advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each,
               game::ChainObserver& observer) override {
    Quiet quiet(observer);
    game::ChainObserver unwatched;
    while (evaluations_each > 0 && !observer.stopped()) {
      const std::uint64_t now = std::min(evaluations_each, kSlice);
      device_->advance(table, now, quiet);
      cpu_->advance(table, now, unwatched);
      if (evaluations_each != kUntilStopped) evaluations_each -= now;
      compare("fitness", device_->fitness(table), cpu_->fitness(table), "advancing chains");
      compare_best("advancing chains");
    }
  }
  void resample(const game::AcceptanceTable& table, const game::ResampleTable& weights, int members,
                std::uint64_t seed) override {
    device_->resample(table, weights, members, seed);
    cpu_->resample(table, weights, members, seed);
    compare("fitness", device_->fitness(table), cpu_->fitness(table), "resampling");
  }
  std::uint64_t slice() const override { return kSlice; }
  std::vector<int> fitness(const game::AcceptanceTable& table) const override { return device_->fitness(table); }
  std::vector<int> best_scores() const override { return device_->best_scores(); }
  std::vector<game::Cell> best_moves(int chain) const override {
    std::vector<game::Cell> moves = device_->best_moves(chain);
    if (moves != cpu_->best_moves(chain))
      throw std::runtime_error("engines differ: the device and the CPU have other best lines of chain " +
                               std::to_string(chain));
    return moves;
  }
  game::ChainCounts counts() const override { return device_->counts(); }
  double busy_seconds() const override { return device_->busy_seconds(); }

 private:
  // Passes on what is reported, but never stops.
  class Quiet final : public game::ChainObserver {
   public:
    explicit Quiet(game::ChainObserver& observer) : observer_(observer) {}
    void advanced(std::uint64_t evaluations) override { observer_.advanced(evaluations); }
    bool wants(int score) override { return observer_.wants(score); }
    void found(int score, std::span<const game::Cell> moves) override { observer_.found(score, moves); }

   private:
    game::ChainObserver& observer_;
  };

  void compare_best(const char* call) const {
    compare("best score", device_->best_scores(), cpu_->best_scores(), call);
  }
  static void compare(const char* what, const std::vector<int>& device, const std::vector<int>& cpu, const char* call) {
    const auto [on_device, on_cpu] = std::mismatch(device.begin(), device.end(), cpu.begin(), cpu.end());
    if (on_device == device.end() && on_cpu == cpu.end()) return;
    const auto value = [](auto at, auto end) { return at == end ? std::string("none") : std::to_string(*at); };
    throw std::runtime_error(std::string("engines differ after ") + call + ": chain " +
                             std::to_string(on_device - device.begin()) + " has the " + what + " " +
                             value(on_device, device.end()) + " on the device and " + value(on_cpu, cpu.end()) +
                             " on the CPU");
  }

  const std::unique_ptr<game::ChainSet> device_, cpu_;
};

}  // namespace

CheckChainEngine::CheckChainEngine(std::unique_ptr<game::ChainEngine> devices, std::unique_ptr<game::ChainEngine> cpu)
    : devices_(std::move(devices)), cpu_(std::move(cpu)), capabilities_(cpu_->capabilities()) {
  // As many chains as suit the CPU: it is the slower one.
  capabilities_.on_cpu = false;
  capabilities_.name = "check(" + devices_->capabilities().name + ", " + cpu_->capabilities().name + ")";
}

std::unique_ptr<game::ChainSet> CheckChainEngine::make_chains(const game::Position& board, const game::Scoring& scoring,
                                                              const game::ChainLayout& layout) {
  return std::make_unique<CheckChainSet>(devices_->make_chains(board, scoring, layout),
                                         cpu_->make_chains(board, scoring, layout));
}

}  // namespace chainshot::host
