// Work for the CUDA engine, with results to expect from it. Nothing here depends on whether a device or the emulator
// runs the kernels, except that the emulator must have a device.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "cpu/engine/cpu_engine.hpp"
#include "cuda/cuda_engine.hpp"
#include "host/engines/routing_engine.hpp"
#include "tests/support/engine_cases.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::tests {

#ifdef CHAINSHOT_CUDA_EMULATED
inline constexpr bool kEmulated = true;
#else
inline constexpr bool kEmulated = false;
#endif

// The fixture of tests that need a device. The emulator always has one, so there a missing device is a failure.
class WithDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why = cuda::list_devices().unusable;
    if (why.empty()) return;
    if (kEmulated) FAIL() << why;
    GTEST_SKIP() << why;
  }
};

// This is enough memory for a slot of the smallest size only, so that little work takes many launches: a slot of 1,024
// playouts takes 3,179,332 bytes of device memory, and one of 2,048 playouts takes 3,331,908.
inline constexpr std::uint64_t kSmallestSlot = 3'200'000;
inline constexpr std::uint64_t kSmallestMemory = 3 * kSmallestSlot;

inline Case judged_by_cpu(game::Batch batch) {
  static const std::unique_ptr<game::Engine> kCpu = cpu::make_cpu_engine({.threads = 1});
  std::vector<game::Result> expected = kCpu->run(batch).results;
  return {std::move(batch), std::move(expected)};
}

// The CUDA engine with a CPU engine for the requests that devices do not play.
inline std::unique_ptr<game::Engine> make_routed_engine(const cuda::CudaEngineOptions& options = {}) {
  return std::make_unique<host::RoutingEngine>(cuda::make_cuda_engine(options),
                                               [] { return cpu::make_cpu_engine({.threads = 1}); });
}

}  // namespace chainshot::tests
