// The nodes of a machine with several memories, from made-up folders, and how threads are divided among them.
#include "machine/numa.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace chainshot::machine {
namespace {

using Processors = std::vector<int>;

class Numa : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) / ("numa-" + std::to_string(::getpid()));
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write_node(int number, const std::string& processors) const {
    const auto folder = root_ / "sys/devices/system/node" / ("node" + std::to_string(number));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "cpulist") << processors << '\n';
  }
  std::vector<NodeProcessors> nodes(const Processors& allowed) const { return numa_nodes(root_, allowed); }

  std::filesystem::path root_;
};

Processors from_0_to(int end) {
  Processors processors(static_cast<std::size_t>(end));
  std::iota(processors.begin(), processors.end(), 0);
  return processors;
}

TEST_F(Numa, ListsOfProcessorsAreReadAsTheKernelWritesThem) {
  EXPECT_EQ(processors_in("0-3,8,10-11\n"), (Processors{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(processors_in("5"), Processors{5});
  for (const char* const none : {"", "\n", "a", "1-", "-1", "1,,2", "3-x", "99999999999"})
    EXPECT_EQ(processors_in(none), Processors{}) << none;
}

TEST_F(Numa, NodesAreReadInTheOrderOfTheirNumbers) {
  write_node(10, "4-5");
  write_node(2, "0-1,6-7");
  std::filesystem::create_directories(root_ / "sys/devices/system/node/power");
  EXPECT_EQ(nodes(from_0_to(8)), (std::vector<NodeProcessors>{{0, 1, 6, 7}, {4, 5}}));
}

// A batch system leaves a job some processors, and a node may be of memory alone.
TEST_F(Numa, OnlyProcessorsThatTheProcessMayUseCount) {
  write_node(0, "0-3");
  write_node(1, "4-7");
  write_node(2, "");
  EXPECT_EQ(nodes({2, 3, 5}), (std::vector<NodeProcessors>{{2, 3}, {5}}));
  EXPECT_EQ(nodes({6}), (std::vector<NodeProcessors>{{6}}));
}

TEST_F(Numa, AMachineThatDoesNotSayHasNoNodes) {
  EXPECT_TRUE(nodes(from_0_to(4)).empty());
}

TEST_F(Numa, ThreadsAreDividedInProportionToTheProcessors) {
  const std::vector<NodeProcessors> even = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  EXPECT_EQ(nodes_of_threads(even, 8), (std::vector<std::size_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(nodes_of_threads(even, 2), (std::vector<std::size_t>{0, 1}));
  const std::vector<NodeProcessors> uneven = {{0, 1, 2, 3, 4, 5}, {6, 7}};  // three quarters and a quarter
  EXPECT_EQ(nodes_of_threads(uneven, 4), (std::vector<std::size_t>{0, 0, 0, 1}));
  const std::vector<NodeProcessors> lopsided = {{0}, from_0_to(62), {63}};  // every node has a thread all the same
  EXPECT_EQ(nodes_of_threads(lopsided, 4), (std::vector<std::size_t>{0, 1, 1, 2}));
}

TEST_F(Numa, FewThreadsAndASingleNodeAreLeftToTheSystem) {
  const std::vector<NodeProcessors> one = {{0, 1, 2, 3}}, two = {{0, 1}, {2, 3}};
  EXPECT_FALSE(should_pin({}, 4));
  EXPECT_FALSE(should_pin(one, 4));
  EXPECT_FALSE(should_pin(two, 1));
  EXPECT_TRUE(should_pin(two, 2));
  EXPECT_EQ(nodes_of_threads(one, 3), (std::vector<std::size_t>{0, 0, 0}));
  EXPECT_EQ(nodes_of_threads(two, 1), std::vector<std::size_t>{0});
}

TEST_F(Numa, AThreadStaysWhereItIsTold) {
  const Processors allowed = allowed_processors();
  ASSERT_FALSE(allowed.empty());
  Processors found;
  std::jthread([&] {
    EXPECT_TRUE(stay_on({allowed.back()}));
    found = allowed_processors();
  }).join();
  EXPECT_EQ(found, Processors{allowed.back()});
  EXPECT_EQ(allowed_processors(), allowed);  // of the other threads
  EXPECT_FALSE(stay_on({}));
}

}  // namespace
}  // namespace chainshot::machine
