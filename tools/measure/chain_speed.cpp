#include "tools/measure/chain_speed.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "tools/measure/machine.hpp"

namespace chainshot::tools {
namespace {

constexpr int kIsland = 64;  // members
constexpr double kTemperature = 22, kSoft = 5;
constexpr double kWarmUpSeconds = 0.05;  // random lines become ordinary ones

// Counts evaluations until the time is over.
class Timer final : public game::ChainObserver {
 public:
  explicit Timer(double seconds) : seconds_(seconds) {}

  bool stopped() override { return evaluations_ > 0 && seconds() >= seconds_; }
  void advanced(std::uint64_t evaluations) override { evaluations_ += evaluations; }
  std::uint64_t evaluations() const { return evaluations_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  const double seconds_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::uint64_t> evaluations_ = 0;
};

// Islands as annealing has them on a device, so that several devices share them.
int members_of(int chains) {
  return chains % kIsland == 0 ? kIsland : chains;
}

}  // namespace

ChainCase::ChainCase(game::ChainEngine& engine, const game::Position& board, int chains)
    : chains_(chains),
      set_(engine.make_chains(board, game::kStandardScoring,
                              {.islands = chains / members_of(chains), .members = members_of(chains)})) {
  std::vector<game::ChainStart> starts;
  for (int chain = 0; chain < chains; ++chain)
    starts.push_back({.chain = chain, .seed = static_cast<std::uint32_t>(chain)});
  game::ChainObserver unwatched;
  set_->start(starts, unwatched);
  measure(kWarmUpSeconds);
}

ChainRun ChainCase::measure(double seconds) {
  static const game::AcceptanceTable kTable(kTemperature, kSoft, game::kStandardScoring);
  ChainRun run;
  const double cpu_start = process_cpu_seconds();
  Timer timer(seconds);
  set_->advance(kTable, game::ChainSet::kUntilStopped, timer);
  run.wall_seconds = timer.seconds();
  run.cpu_seconds = process_cpu_seconds() - cpu_start;
  run.evaluations = timer.evaluations();
  return run;
}

std::vector<int> chain_counts(const game::ChainCapabilities& engine) {
  if (!engine.advances_together) return {engine.chains_at_once};
  std::vector<int> counts;
  for (const int share : {4, 2, 1})
    counts.push_back(std::max(1, engine.chains_at_once / share / kIsland) * kIsland);
  return counts;
}

}  // namespace chainshot::tools
