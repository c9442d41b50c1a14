#include "machine/rank_share.hpp"

#include <gtest/gtest.h>

namespace chainshot::machine {
namespace {

RankPlace place(const std::string& machine, std::vector<int> processors, const std::string& devices = "all") {
  RankPlace place;
  place.machine = machine;
  place.usable = static_cast<int>(processors.size());
  place.processors = std::move(processors);
  place.visible_devices = devices;
  return place;
}

std::vector<int> processors_of(const std::vector<RankPlace>& places) {
  std::vector<int> all;
  for (const RankShare& share : share_machines(places))
    all.push_back(share.processors);
  return all;
}

TEST(RankShare, DividesTheProcessorsThatRanksMayAllUse) {
  const std::vector<int> eight = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(processors_of({place("a", eight), place("a", eight), place("a", eight)}), (std::vector<int>{3, 3, 2}));
}

TEST(RankShare, LeavesProcessorsThatTheLauncherHasDivided) {
  EXPECT_EQ(processors_of({place("a", {0, 1}), place("a", {2, 3, 4, 5})}), (std::vector<int>{2, 4}));
}

TEST(RankShare, DividesEachMachineForItself) {
  EXPECT_EQ(processors_of({place("a", {0, 1}), place("b", {0, 1}), place("a", {0, 1})}), (std::vector<int>{1, 2, 1}));
}

TEST(RankShare, HasOneProcessorAtLeast) {
  EXPECT_EQ(processors_of({place("a", {0}), place("a", {0})}), (std::vector<int>{1, 1}));
}

TEST(RankShare, DividesTheLimitOfAContainerButNotOfATask) {
  const std::vector<int> eight = {0, 1, 2, 3, 4, 5, 6, 7};
  RankPlace limited = place("a", eight);
  limited.usable = 2;
  EXPECT_EQ(processors_of({limited, limited}), (std::vector<int>{1, 1}));
  limited.is_task = true;
  EXPECT_EQ(processors_of({limited, limited}), (std::vector<int>{2, 2}));
}

TEST(RankShare, CountsTheRanksOfAMachine) {
  const auto shares = share_machines({place("a", {0}), place("b", {0}), place("a", {0})});
  EXPECT_EQ(shares[0].local_ranks, 2);
  EXPECT_EQ(shares[2].local_rank, 1);
  EXPECT_EQ(shares[1].local_ranks, 1);
}

TEST(RankShare, DividesDevicesUnlessTheLauncherHas) {
  const auto alike = share_machines({place("a", {0}), place("a", {0})});
  EXPECT_EQ(devices_of_share("all", 4, alike[0]), "0,2");
  EXPECT_EQ(devices_of_share("all", 4, alike[1]), "1,3");
  EXPECT_EQ(devices_of_share("2,5,7", 8, alike[1]), "5");
  EXPECT_EQ(devices_of_share("all", 1, alike[1]), "0") << "both use the only one";
  EXPECT_EQ(devices_of_share("all", 0, alike[1]), "") << "there is nothing to divide";
  const auto divided = share_machines({place("a", {0}, "0"), place("a", {0}, "1")});
  EXPECT_EQ(devices_of_share("0", 2, divided[0]), "") << "left as it is";
}

TEST(RankShare, FindsThisProcess) {
  const RankPlace here = this_place();
  EXPECT_FALSE(here.machine.empty());
  EXPECT_GT(here.process, 0);
  EXPECT_FALSE(here.processors.empty());
}

}  // namespace
}  // namespace chainshot::machine
