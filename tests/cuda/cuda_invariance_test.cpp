// Results must not depend on how the engine divides the work: on slots, memory, devices, or the order of requests and
// batches. ctest runs this program with two emulated devices, and again with their streams in other orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <thread>

#include "tests/support/cuda_cases.hpp"

namespace chainshot {
namespace {

using cuda::CudaEngineOptions;
using game::Batch;
using tests::Case;
using tests::Dice;

class CudaInvariance : public tests::WithDevice {
 protected:
  // The expected results are computed once. In the smallest slots, small boards take a launch per program and per 1,024
  // playouts; wide boards take one per 198.
  static const std::vector<Case>& cases() {
    static const std::vector<Case> kMade = [] {
      Dice dice(231);
      std::vector<Case> out;
      for (int i = 0; i < tests::scaled(2); ++i) {
        out.push_back(tests::judged_by_cpu(tests::ragged_batch(dice, 40, 60)));
        out.push_back(tests::judged_by_cpu(tests::alike_batch(dice, 300, true)));
      }
      Batch large = tests::empty_batch(dice);
      large.requests.push_back(tests::request_for(tests::full_board(dice, {5, 5, 3}), {}, 7'000));
      large.requests.push_back(tests::request_for(tests::full_board(dice, {6, 4, 4}), {}, 1'500));
      large.requests.push_back(tests::request_for(tests::full_board(dice, {4, 18, 3}), {}, 250));
      out.push_back(tests::judged_by_cpu(std::move(large)));
      return out;
    }();
    return kMade;
  }
  // Submits all batches before it waits for the first.
  static void expect_all(const CudaEngineOptions& options) {
    const auto engine = tests::make_routed_engine(options);
    std::deque<game::Ticket> tickets;
    for (const Case& wanted : cases())
      tickets.push_back(engine->submit(wanted.batch));
    for (const Case& wanted : cases()) {
      ASSERT_NO_FATAL_FAILURE(tests::expect_outcome(wanted.batch, engine->wait(tickets.front()), wanted.expected));
      tickets.pop_front();
    }
  }
};

TEST_F(CudaInvariance, TheNumberOfSlotsChangesNothing) {
  for (const int slots : {0, 1, 2, 7}) {
    SCOPED_TRACE(slots);
    ASSERT_NO_FATAL_FAILURE(expect_all({.devices = {}, .memory = 0, .slots = slots}));
  }
}

TEST_F(CudaInvariance, BatchesCutIntoManyLaunchesGiveTheSameResults) {
  for (const int slots : {2, 3}) {
    SCOPED_TRACE(slots);
    ASSERT_NO_FATAL_FAILURE(expect_all(
        {.devices = {}, .memory = tests::kSmallestSlot * static_cast<std::uint64_t>(slots), .slots = slots}));
  }
}

TEST_F(CudaInvariance, TheDeviceChangesNothing) {
  const int devices = static_cast<int>(cuda::list_devices().devices.size());
  for (int index = 0; index < devices; ++index) {
    SCOPED_TRACE(index);
    ASSERT_NO_FATAL_FAILURE(expect_all({.devices = {index, index}, .memory = tests::kSmallestMemory}));
  }
}

TEST_F(CudaInvariance, TheNumberOfDevicesChangesNothing) {
  const std::vector<cuda::DeviceInfo> devices = cuda::list_devices().devices;
  if (devices.size() < 2) GTEST_SKIP() << "this machine has one CUDA device";
  ASSERT_NO_FATAL_FAILURE(expect_all({.devices = {1, 0}, .memory = tests::kSmallestMemory}));
  const auto one = cuda::make_cuda_engine({.devices = {0}}), two = cuda::make_cuda_engine({.devices = {0, 1}});
  EXPECT_EQ(one->capabilities().name, "cuda (" + devices[0].name + ")");
  EXPECT_EQ(two->capabilities().name, "cuda (" + devices[0].name + " and 1 more)");
  EXPECT_EQ(two->capabilities().batches_in_flight, 2 * one->capabilities().batches_in_flight);
  EXPECT_GT(two->capabilities().lanes, one->capabilities().lanes);
}

TEST_F(CudaInvariance, TheOrderOfRequestsChangesNothing) {
  const auto engine = tests::make_routed_engine({.devices = {}, .memory = tests::kSmallestMemory});
  for (Case wanted : cases()) {
    std::reverse(wanted.batch.requests.begin(), wanted.batch.requests.end());
    std::reverse(wanted.expected.begin(), wanted.expected.end());
    ASSERT_NO_FATAL_FAILURE(tests::expect_right(*engine, wanted));
  }
}

TEST_F(CudaInvariance, TheOtherRequestsOfABatchChangeNothing) {
  const auto engine = tests::make_routed_engine();
  const Case& whole = cases().front();
  for (std::size_t i = 0; i < whole.batch.requests.size(); i += 3) {
    Case alone{whole.batch, {whole.expected[i]}};
    alone.batch.requests = {whole.batch.requests[i]};
    ASSERT_NO_FATAL_FAILURE(tests::expect_right(*engine, alone));
  }
}

// The engine reuses slots while others are in flight, and each user waits in a random order.
TEST_F(CudaInvariance, TheOrderOfBatchesAndTheirUsersChangesNothing) {
  const auto engine = tests::make_routed_engine({.devices = {}, .memory = tests::kSmallestMemory});
  std::vector<std::thread> users;
  for (std::uint64_t user = 0; user < 3; ++user) {
    users.emplace_back([&, user] {
      Dice dice(240 + user);
      std::vector<std::pair<const Case*, game::Ticket>> flights;
      for (int i = 0; i < 4; ++i) {
        const Case& wanted = cases()[static_cast<std::size_t>(dice.below(static_cast<int>(cases().size())))];
        flights.emplace_back(&wanted, engine->submit(wanted.batch));
      }
      while (!flights.empty()) {
        const auto next = flights.begin() + dice.below(static_cast<int>(flights.size()));
        tests::expect_outcome(next->first->batch, engine->wait(next->second), next->first->expected);
        flights.erase(next);
      }
    });
  }
  for (std::thread& user : users)
    user.join();
}

}  // namespace
}  // namespace chainshot
