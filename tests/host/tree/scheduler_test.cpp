#include "host/tree/parallel/scheduler.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "game/board_text.hpp"
#include "host/engines/engines.hpp"
#include "host/tree/core/tree.hpp"

namespace chainshot::host {
namespace {

// Calls itself a device until it has answered some batches, and a CPU from then on, as after a fallback.
class ChangingEngine final : public game::Engine {
 public:
  explicit ChangingEngine(int batches_as_device) : left_(batches_as_device) {
    capabilities_.name = "changing";
    capabilities_.on_cpu = false;
    capabilities_.recommended_batch = 64;
  }

  const game::Capabilities& capabilities() const override { return capabilities_; }
  game::Ticket submit(game::Batch batch) override { return inner_->submit(std::move(batch)); }
  bool poll(game::Ticket ticket) override { return inner_->poll(ticket); }
  game::Outcome wait(game::Ticket ticket) override {
    if (--left_ == 0) capabilities_.on_cpu = true;
    return inner_->wait(ticket);
  }
  game::Usage usage() const override { return inner_->usage(); }

 private:
  std::unique_ptr<game::Engine> inner_ = make_engine({.name = "cpu", .threads = 1});
  game::Capabilities capabilities_;
  int left_;
};

// One round of 10,000 walks on one tree of the first standard board.
RoundReport run_round(game::Engine& engine, bool deterministic) {
  const game::Position& board = game::standard_boards().front().position;
  TreeSettings settings;
  NodePool pool(settings.bytes_for_nodes());
  std::vector<std::unique_ptr<TreeGroup>> groups;
  groups.push_back(std::make_unique<TreeGroup>(
      settings, 0, [] { return std::numeric_limits<int>::max(); },
      [](int /*score*/, const std::vector<game::Cell>& /*moves*/) {}));
  groups[0]->rooted_trees().push_back(
      {{}, std::make_unique<Tree>(pool, board, 0, settings, game::kStandardScoring, 1)});
  if (deterministic) divide_memory(pool, groups);
  Scheduler scheduler({&engine}, {.scoring = game::kStandardScoring, .policy = settings.policy}, 1, 0, 1 << 28,
                      deterministic);
  return scheduler.run(groups, {.walks = 10'000, .leaf_playouts = 1, .most_playouts = 10'000}, [] { return false; });
}

TEST(Scheduler, RunsAllWalksOfARound) {
  for (const bool deterministic : {false, true}) {
    const auto engine = make_engine({.name = "cpu", .threads = 1});
    const RoundReport report = run_round(*engine, deterministic);
    EXPECT_EQ(report.walks, 10'000U);
    EXPECT_EQ(report.playouts, 10'000U);
    EXPECT_GT(report.engines.rate, 0);
  }
}

// The length of the round was meant for the device.
TEST(Scheduler, EndsARoundWhenADeviceGivesWayToACpu) {
  ChangingEngine engine(10);
  const RoundReport report = run_round(engine, false);
  EXPECT_GE(report.walks, 10U);  // ten batches; a batch may be short while most ways are in flight
  EXPECT_LE(report.walks, 13U * 64);
  EXPECT_EQ(report.playouts, report.walks);
}

TEST(Scheduler, FinishesADeterministicRoundWhateverTheEngineIs) {
  ChangingEngine engine(10);
  EXPECT_EQ(run_round(engine, true).walks, 10'000U);
}

}  // namespace
}  // namespace chainshot::host
