#include "cpu/chain/thread_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "machine/allowance.hpp"
#include "machine/numa.hpp"

namespace chainshot::cpu {
namespace {

TEST(ThreadTeam, DoesEveryItemOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    EXPECT_EQ(team.size(), threads);
    for (const std::size_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> done(count);
      team.for_each(count, [&](std::size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done)
        EXPECT_EQ(times, 1);
    }
  }
}

// Made-up nodes of processors that are there.
std::vector<machine::NodeProcessors> made_up_nodes(std::size_t count) {
  const std::vector<int> allowed = machine::allowed_processors();
  std::vector<machine::NodeProcessors> nodes;
  for (std::size_t i = 0; i < count; ++i)
    nodes.push_back({allowed[i % allowed.size()]});
  return nodes;
}

TEST(ThreadTeam, DoesEveryItemOnceOnSeveralNodes) {
  for (const int threads : {2, 3, 7}) {
    ThreadTeam team(threads, made_up_nodes(3));
    for (const std::size_t count : {0, 1, 2, 3, 1000}) {
      std::vector<std::atomic<int>> done(count);
      team.for_each(count, [&](std::size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done)
        EXPECT_EQ(times, 1);
    }
  }
}

// Four items that wait for each other keep four threads, of which one is the caller's.
TEST(ThreadTeam, KeepsItsWorkersOnTheirNodes) {
  const std::vector<machine::NodeProcessors> nodes = made_up_nodes(2);
  const std::vector<int> before = machine::allowed_processors();
  ThreadTeam team(4, nodes);
  std::atomic<int> here = 0;
  std::mutex mutex;
  std::multiset<std::vector<int>> found;
  team.for_each(4, [&](std::size_t) {
    ++here;
    while (here < 4)
      std::this_thread::yield();
    const std::lock_guard lock(mutex);
    found.insert(machine::allowed_processors());
  });
  EXPECT_EQ(found, (std::multiset<std::vector<int>>{before, nodes[0], nodes[1], nodes[1]}));
  EXPECT_EQ(machine::allowed_processors(), before);
}

TEST(ThreadTeam, AnErrorOnOneNodeEndsTheJobOnAll) {
  ThreadTeam team(4, made_up_nodes(2));
  EXPECT_THROW(team.for_each(100,
                             [](std::size_t i) {
                               if (i == 70) throw std::runtime_error("item");
                             }),
               std::runtime_error);
  std::atomic<int> done = 0;
  team.for_each(100, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 100);
}

// Two items that wait for each other need two threads.
TEST(ThreadTeam, WorksOnAllThreadsAtOnce) {
  ThreadTeam team(2);
  std::atomic<int> here = 0;
  team.for_each(2, [&](std::size_t) {
    ++here;
    while (here < 2)
      std::this_thread::yield();
  });
  EXPECT_EQ(here, 2);
}

TEST(ThreadTeam, RethrowsTheFirstExceptionAndBeginsNothingMore) {
  for (const int threads : {1, 3}) {
    ThreadTeam team(threads);
    std::atomic<int> begun = 0;
    const auto work = [&](std::size_t i) {
      ++begun;
      if (i == 5) throw std::runtime_error("five");
      while (i > 5 && !team.failed())
        std::this_thread::yield();
    };
    EXPECT_THROW(team.for_each(1'000'000, work), std::runtime_error);
    EXPECT_LE(begun, 6 + threads);
    // The next job is not affected.
    std::atomic<int> done = 0;
    team.for_each(10, [&](std::size_t) { ++done; });
    EXPECT_EQ(done, 10);
  }
}

TEST(ThreadTeam, CallersTakeTurns) {
  ThreadTeam team(2);
  std::atomic<int> done = 0;
  std::vector<std::jthread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int job = 0; job < 50; ++job)
        team.for_each(7, [&](std::size_t) { ++done; });
    });
  callers.clear();
  EXPECT_EQ(done, 4 * 50 * 7);
}

TEST(ThreadTeam, AsksForOneThreadPerProcessorByDefault) {
  EXPECT_EQ(ThreadTeam(0).size(), machine::usable_processors());
}

}  // namespace
}  // namespace chainshot::cpu
