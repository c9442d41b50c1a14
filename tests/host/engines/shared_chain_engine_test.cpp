#include "host/engines/shared_chain_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "host/engines/check_chain_engine.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scripted_chain_engine.hpp"

namespace chainshot::host {
namespace {

using tests::ScriptedChainEngine;

const game::AcceptanceTable kTable(20, 5, game::kStandardScoring);

game::Position some_board() {
  tests::Dice dice(1);
  return tests::full_board(dice, {10, 10, 3});
}

struct Devices {
  std::vector<ScriptedChainEngine*> scripts;
  std::vector<std::unique_ptr<game::ChainEngine>> engines;

  std::shared_ptr<ChainDevices> open() { return std::make_shared<ChainDevices>(std::move(engines)); }
};

Devices devices_of(const std::vector<int>& chains_at_once) {
  Devices devices;
  for (const int chains : chains_at_once) {
    auto device = std::make_unique<ScriptedChainEngine>("device " + std::to_string(devices.scripts.size()), chains);
    devices.scripts.push_back(device.get());
    devices.engines.push_back(std::move(device));
  }
  return devices;
}

std::unique_ptr<game::ChainEngine> on_cpu() {
  return cpu::make_cpu_chain_engine({.threads = 1});
}

// Starts all chains of a layout from random lines and takes them through a step.
void play(game::ChainSet& chains, const game::ChainLayout& layout) {
  game::ChainObserver unwatched;
  std::vector<game::ChainStart> starts;
  for (int chain = 0; chain < layout.chains(); ++chain)
    starts.push_back({.chain = chain, .tabu_color = chain % 3, .seed = 100u + static_cast<std::uint32_t>(chain)});
  chains.start(starts, unwatched);
  chains.advance(kTable, 300, unwatched);
  chains.resample(kTable, {40, 20}, layout.members, 77);
  chains.advance(kTable, 100, unwatched);
}

TEST(SharedChainEngine, DividesTheIslandsWithoutChangingThem) {
  const game::Position board = some_board();
  const game::ChainLayout layout{.islands = 6, .members = 3};
  const auto cpu = on_cpu();
  const auto alone = cpu->make_chains(board, game::kStandardScoring, layout);
  play(*alone, layout);
  Devices devices = devices_of({200, 100});
  SharedChainEngine engine(devices.open(), nullptr, {});
  EXPECT_EQ(engine.capabilities().chains_at_once, 300);
  const auto shared = engine.make_chains(board, game::kStandardScoring, layout);
  play(*shared, layout);
  ASSERT_EQ(devices.scripts[0]->layouts.size(), 1U);
  EXPECT_EQ(devices.scripts[0]->layouts[0].islands, 4);
  EXPECT_EQ(devices.scripts[1]->layouts[0].islands, 2);
  EXPECT_EQ(devices.scripts[1]->layouts[0].first_island, 4);
  EXPECT_EQ(shared->fitness(kTable), alone->fitness(kTable));
  EXPECT_EQ(shared->best_scores(), alone->best_scores());
  for (int chain = 0; chain < layout.chains(); ++chain)
    EXPECT_EQ(shared->best_moves(chain), alone->best_moves(chain));
  EXPECT_EQ(shared->counts().evaluations, alone->counts().evaluations);
}

TEST(SharedChainEngine, LeavesOutADeviceThatFailsAndThenTakesTheLast) {
  Devices devices = devices_of({100, 100});
  std::vector<std::string> notices;
  SharedChainEngine engine(devices.open(), on_cpu, [&](const std::string& sentence) { notices.push_back(sentence); });
  const game::ChainLayout layout{.islands = 2, .members = 2};
  const auto lose_one = [&](std::size_t device) {
    const auto chains = engine.make_chains(some_board(), game::kStandardScoring, layout);
    devices.scripts[device]->fails_after = devices.scripts[device]->advances;
    EXPECT_THROW(play(*chains, layout), game::ChainsLost);
  };
  lose_one(0);
  EXPECT_EQ(notices, (std::vector<std::string>{"device 0 fails; device 1 goes on from its best lines"}));
  EXPECT_EQ(engine.capabilities().name, "device 1");
  lose_one(1);
  ASSERT_EQ(notices.size(), 2U);
  EXPECT_TRUE(engine.capabilities().on_cpu);
  const auto chains = engine.make_chains(some_board(), game::kStandardScoring, layout);
  EXPECT_NO_THROW(play(*chains, layout));
}

TEST(SharedChainEngine, SurvivesThatAllDevicesFailInOneCall) {
  const game::ChainLayout layout{.islands = 2, .members = 2};
  for (const bool has_last : {true, false}) {
    Devices devices = devices_of({100, 100});
    for (ScriptedChainEngine* script : devices.scripts)
      script->fails_after = 0;
    std::vector<std::string> notices;
    const auto open = devices.open();
    SharedChainEngine engine(open, has_last ? SharedChainEngine::Factory(on_cpu) : nullptr,
                             [&](const std::string& sentence) { notices.push_back(sentence); });
    const auto chains = engine.make_chains(some_board(), game::kStandardScoring, layout);
    if (has_last) {
      EXPECT_THROW(play(*chains, layout), game::ChainsLost);
      ASSERT_EQ(notices.size(), 2U);
      for (const std::string& notice : notices)
        EXPECT_NE(notice.find(" fails; cpu ("), std::string::npos) << notice;
      EXPECT_NO_THROW(play(*engine.make_chains(some_board(), game::kStandardScoring, layout), layout));
    } else {
      EXPECT_THROW(play(*chains, layout), std::runtime_error);
      // So does the next board of the run.
      EXPECT_THROW(SharedChainEngine(open, nullptr, {}), std::runtime_error);
    }
    EXPECT_TRUE(open->healthy().empty());
  }
}

TEST(SharedChainEngine, RemembersFromBoardToBoardWhichDevicesFailed) {
  Devices devices = devices_of({100, 100});
  const auto open = devices.open();
  const game::ChainLayout layout{.islands = 2, .members = 2};
  {
    SharedChainEngine engine(open, on_cpu, {});
    devices.scripts[0]->fails_after = 0;
    EXPECT_THROW(play(*engine.make_chains(some_board(), game::kStandardScoring, layout), layout), game::ChainsLost);
  }
  SharedChainEngine next(open, on_cpu, {});
  EXPECT_EQ(next.capabilities().name, "device 1");
  EXPECT_EQ(open->in_use(), "device 1");
}

TEST(SharedChainEngine, StopsTheOtherDevicesWhenOneFails) {
  Devices devices = devices_of({100, 100});
  devices.scripts[1]->fails_after = 0;
  SharedChainEngine engine(devices.open(), on_cpu, {});
  const auto chains = engine.make_chains(some_board(), game::kStandardScoring, {.islands = 2, .members = 1});
  game::ChainObserver unwatched;
  const std::vector<game::ChainStart> starts = {{.chain = 0, .seed = 1, .moves = {}},
                                                {.chain = 1, .seed = 2, .moves = {}}};
  chains->start(starts, unwatched);
  EXPECT_THROW(chains->advance(kTable, game::ChainSet::kUntilStopped, unwatched), game::ChainsLost);
}

TEST(SharedChainEngine, HasRoomWhereItsSmallestDeviceHas) {
  Devices devices = devices_of({200, 100});
  devices.scripts[0]->room = 40;  // chains
  devices.scripts[1]->room = 30;
  const SharedChainEngine engine(devices.open(), on_cpu, {});
  EXPECT_EQ(engine.most_members(some_board(), 3), 20);  // two islands on the first device, one on the second
  EXPECT_EQ(engine.most_members(some_board(), 1), 40);
}

TEST(SharedChainEngine, FailsWithItsLastDeviceIfNothingMayTakeOver) {
  Devices devices = devices_of({100});
  SharedChainEngine engine(devices.open(), nullptr, {});
  const game::ChainLayout layout{.islands = 2, .members = 2};
  const auto chains = engine.make_chains(some_board(), game::kStandardScoring, layout);
  devices.scripts[0]->fails_after = 1;
  try {
    play(*chains, layout);
    FAIL() << "the failure is lost";
  } catch (const game::ChainsLost&) {
    FAIL() << "nothing is left to go on with";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "device 0 fails");
  }
}

TEST(CheckChainEngine, PassesOnWhatAgrees) {
  const game::ChainLayout layout{.islands = 2, .members = 3};
  const auto cpu = on_cpu();
  const auto alone = cpu->make_chains(some_board(), game::kStandardScoring, layout);
  play(*alone, layout);
  CheckChainEngine engine(std::make_unique<ScriptedChainEngine>("device", 10), on_cpu());
  const auto checked = engine.make_chains(some_board(), game::kStandardScoring, layout);
  play(*checked, layout);
  EXPECT_EQ(checked->fitness(kTable), alone->fitness(kTable));
  EXPECT_EQ(checked->best_moves(4), alone->best_moves(4));
}

// The "CPU" anneals another board here, so the two must differ.
TEST(CheckChainEngine, FailsAtTheFirstDifference) {
  class OtherBoard final : public game::ChainEngine {
   public:
    const game::ChainCapabilities& capabilities() const override { return cpu_->capabilities(); }
    std::unique_ptr<game::ChainSet> make_chains(const game::Position&, const game::Scoring& scoring,
                                                const game::ChainLayout& layout) override {
      tests::Dice dice(2);
      return cpu_->make_chains(tests::full_board(dice, {10, 10, 3}), scoring, layout);
    }

   private:
    std::unique_ptr<game::ChainEngine> cpu_ = on_cpu();
  };
  const game::ChainLayout layout{.islands = 1, .members = 2};
  CheckChainEngine engine(std::make_unique<ScriptedChainEngine>("device", 10), std::make_unique<OtherBoard>());
  const auto checked = engine.make_chains(some_board(), game::kStandardScoring, layout);
  try {
    play(*checked, layout);
    FAIL() << "the difference is lost";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(
        std::string(error.what()).starts_with("engines differ after starting chains: chain 0 has the best score "))
        << error.what();
  }
}

}  // namespace
}  // namespace chainshot::host
