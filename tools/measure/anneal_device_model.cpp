// A model of annealing on a device, for machines without one: how large a share of the time would the device be busy?
// The host does its real work (resampling is the device's; fetching scores, keeping elites, admitting lines is the
// host's), and a stand-in for the device waits as long as launches and transfers would take. It is not a test.
//   anneal_device_model [SECONDS] [CHAINS] [MILLISECONDS of a launch] [MICROSECONDS of a transfer]
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "cpu/chain/cpu_chain_engine.hpp"
#include "game/board_text.hpp"
#include "game/random.hpp"
#include "host/anneal/annealing.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot::host {
namespace {

struct DeviceModel {
  int chains = 17'280;                                    // an A100 with 160 chains on each multiprocessor
  double launch_seconds = 0.03;                           // all chains advance
  double transfer_seconds = 0.0001;                       // of scores to the host, with its latency
  std::uint64_t evaluations_of_launch = 80'000'000 / 33;  // at a rate that nobody has measured yet
};

void wait(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// Lines come from one real chain; scores of the others are made up below its own, so that the host always has some work
// but offers only true lines.
class ModelSet final : public game::ChainSet {
 public:
  ModelSet(const DeviceModel& model, std::unique_ptr<game::ChainSet> real, const game::ChainLayout& layout)
      : model_(model), real_(std::move(real)), layout_(layout), members_(layout.members) {}

  void start(std::span<const game::ChainStart> starts, game::ChainObserver& /*observer*/) override {
    game::ChainObserver unwatched;
    for (const game::ChainStart& start : starts)
      if (start.chain == 0) real_->start({&start, 1}, unwatched);
    wait(model_.transfer_seconds * 4);  // lines go to the device in one transfer, and a kernel plays them
  }
  bool exists(int /*chain*/) const override { return true; }
  int members() const override { return members_; }
  void keep(int members) override { members_ = members; }
  void advance(const game::AcceptanceTable& table, std::uint64_t /*evaluations_each*/,
               game::ChainObserver& observer) override {
    game::ChainObserver unwatched;
    do {
      wait(model_.launch_seconds);
      busy_seconds_ += model_.launch_seconds;
      real_->advance(table, 100, unwatched);
      wait(model_.transfer_seconds);
      observer.advanced(model_.evaluations_of_launch);
    } while (!observer.stopped());
  }
  void resample(const game::AcceptanceTable&, const game::ResampleTable&, int members, std::uint64_t) override {
    members_ = members;
    wait(model_.transfer_seconds * 5);  // four short kernels
  }
  std::uint64_t slice() const override { return 256; }
  std::vector<int> fitness(const game::AcceptanceTable& table) const override {
    wait(model_.transfer_seconds);
    return made_up(real_->fitness(table)[0], layout_.islands * members_);
  }
  std::vector<int> best_scores() const override {
    wait(model_.transfer_seconds);
    return made_up(real_->best_scores()[0], layout_.chains());
  }
  std::vector<game::Cell> best_moves(int /*chain*/) const override {
    wait(model_.transfer_seconds);
    return real_->best_moves(0);
  }
  game::ChainCounts counts() const override { return real_->counts(); }
  double busy_seconds() const override { return busy_seconds_; }

 private:
  static std::vector<int> made_up(int best, int count) {
    std::vector<int> scores{best};
    for (int chain = 1; chain < count; ++chain)
      scores.push_back(best - static_cast<int>(game::mix64(static_cast<std::uint64_t>(chain)) % 500));
    return scores;
  }

  const DeviceModel model_;
  const std::unique_ptr<game::ChainSet> real_;
  const game::ChainLayout layout_;
  int members_;
  double busy_seconds_ = 0;
};

class ModelEngine final : public game::ChainEngine {
 public:
  explicit ModelEngine(const DeviceModel& model) : model_(model) {
    capabilities_.name = "model of a device";
    capabilities_.on_cpu = false;
    capabilities_.chains_at_once = model.chains;
    capabilities_.advances_together = true;
    capabilities_.evaluations_per_second = static_cast<double>(model.evaluations_of_launch) / model.launch_seconds;
  }

  const game::ChainCapabilities& capabilities() const override { return capabilities_; }
  std::unique_ptr<game::ChainSet> make_chains(const game::Position& board, const game::Scoring& scoring,
                                              const game::ChainLayout& layout) override {
    return std::make_unique<ModelSet>(model_, cpu_->make_chains(board, scoring, {}), layout);
  }

 private:
  const DeviceModel model_;
  game::ChainCapabilities capabilities_;
  const std::unique_ptr<game::ChainEngine> cpu_ = cpu::make_cpu_chain_engine({.threads = 1});
};

void measure(double seconds, const DeviceModel& model) {
  const SearchTask task{.board = game::standard_boards()[0].position, .seed = 1};
  ModelEngine engine(model);
  Incumbent incumbent(task);
  const auto search = make_annealing(task, {}, {.seconds = seconds}, {engine, incumbent});
  run_alone(*search, seconds);
  const SearchStatus status = search->status();
  fmt::print(
      "{} s, {} chains, launches of {:.0f} ms, transfers of {:.0f} us: busy {:.1f} %, {:.0f} million evaluations\n",
      seconds, model.chains, 1e3 * model.launch_seconds, 1e6 * model.transfer_seconds,
      100 * status.figure("busy_share"), static_cast<double>(status.evaluations) * 1e-6);
}

}  // namespace
}  // namespace chainshot::host

int main(int argc, char** argv) {
  const auto number = [&](int i, double otherwise) { return argc > i ? std::atof(argv[i]) : otherwise; };
  chainshot::host::DeviceModel model;
  model.chains = static_cast<int>(number(2, model.chains));
  model.launch_seconds = 1e-3 * number(3, 1e3 * model.launch_seconds);
  model.transfer_seconds = 1e-6 * number(4, 1e6 * model.transfer_seconds);
  chainshot::host::measure(number(1, 10), model);
}
