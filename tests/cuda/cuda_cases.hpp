// Work for the CUDA engine, and the engines that judge it. Nothing here knows whether a device or the emulator runs the
// kernels.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "cpu/cpu_engine.hpp"
#include "cuda/cuda_engine.hpp"
#include "tests/engine_cases.hpp"
#include "tests/test_scale.hpp"

namespace chainshot::tests {

#ifdef CHAINSHOT_CUDA_EMULATED
inline constexpr bool kEmulated = true;
#else
inline constexpr bool kEmulated = false;
#endif

// Tests that need a device. The emulator always has one: there a missing device is a failure.
class WithDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why = cuda::list_devices().unusable;
    if (why.empty()) return;
    if (kEmulated) FAIL() << why;
    GTEST_SKIP() << why;
  }
};

// Enough for the smallest slots alone, so that little work takes many launches: one of 1,024 playouts takes 3,179,332
// bytes of a device, of 2,048 playouts 3,331,908.
inline constexpr std::uint64_t kSmallestSlot = 3'200'000;
inline constexpr std::uint64_t kSmallestMemory = 3 * kSmallestSlot;

struct Case {
  game::Batch batch;
  std::vector<game::Result> expected;
};

inline Case judged(game::Batch batch, Judge judge) {
  std::vector<game::Result> expected = expected_results(batch, judge);
  return {std::move(batch), std::move(expected)};
}

inline Case judged_by_cpu(game::Batch batch) {
  static const std::unique_ptr<game::Engine> cpu = cpu::make_cpu_engine({.threads = 1});
  std::vector<game::Result> expected = cpu->run(batch).results;
  return {std::move(batch), std::move(expected)};
}

inline void expect_right(game::Engine& engine, const Case& wanted) {
  ASSERT_NO_FATAL_FAILURE(expect_outcome(wanted.batch, engine.run(wanted.batch), wanted.expected));
}

inline game::Request request_for(const game::Position& position, const game::Policy& policy, std::uint32_t playouts) {
  game::Request request;
  request.position = position;
  request.policy = policy;
  request.playouts = playouts;
  request.key = 0x123456789;
  return request;
}

inline game::Batch batch_for(game::Request request) {
  game::Batch batch;
  batch.seed = 77;
  batch.requests = {std::move(request)};
  return batch;
}

inline game::Position one_color(int columns, int rows) {
  game::Position position(columns, rows);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r)
      position.set(c, r, 0);
  return position;
}

// Small boards under every kind of policy, requests of 0 to `most` playouts.
inline game::Batch ragged_batch(Dice& dice, int requests, int most) {
  game::Batch batch = empty_batch(dice);
  for (int i = 0; i < requests; ++i)
    batch.requests.push_back(random_request(dice, random_shape(dice, 7, 7, 4),
                                            static_cast<std::uint32_t>(dice.one_in(8) ? 0 : dice.between(1, most))));
  return batch;
}

}  // namespace chainshot::tests
