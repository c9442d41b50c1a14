// Runs scenes with injected faults: machines without a device, devices that refuse work and devices that are lost. The
// emulator reads its faults when a process first uses CUDA, so each scene runs in a child process. The test itself must
// use neither CUDA nor threads.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "tests/support/cuda_cases.hpp"

namespace chainshot::tests {

inline constexpr unsigned kSecondsUntilItHangs = 60;

class CudaFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kEmulated) GTEST_SKIP() << "only the emulator can inject faults";
  }
};

// Runs a scene with PTXCPU_FAIL=`faults` and the given number of devices. GoogleTest prints nothing in a child, so the
// child prints its failures to standard error.
inline void with_faults(const std::string& faults, const std::function<void()>& scene, int devices = 1) {
  SCOPED_TRACE(faults);
  const ::testing::TestResult& result = *::testing::UnitTest::GetInstance()->current_test_info()->result();
  const auto play = [&, failures_before = result.total_part_count()] {
    ::setenv("PTXCPU_FAIL", faults.c_str(), 1);
    ::setenv("PTXCPU_DEVICES", std::to_string(devices).c_str(), 1);
    ::alarm(kSecondsUntilItHangs);
    scene();
    for (int i = failures_before; i < result.total_part_count(); ++i) {
      const ::testing::TestPartResult& part = result.GetTestPartResult(i);
      std::fprintf(stderr, "%s:%d: %s\n", part.file_name(), part.line_number(), part.message());
    }
    std::fflush(nullptr);
    ::_exit(result.total_part_count() == failures_before ? 0 : 1);
  };
  EXPECT_EXIT(play(), ::testing::ExitedWithCode(0), "");
}

// Makes a batch that takes one launch on one device, which runs two kernels.
inline Case one_launch(std::uint64_t seed) {
  Dice dice(seed);
  game::Batch batch = empty_batch(dice);
  batch.requests.push_back(request_for(full_board(dice, {6, 6, 3}), {}, 40));
  return judged(std::move(batch), Judge::kPosition);
}

// Returns what the engine says about a device, in one sentence: 'CUDA device 0 (name) could not ...'.
inline std::string of_device(int index, const std::string& what) {
  return "CUDA device " + std::to_string(index) + " (" +
         cuda::list_devices().devices.at(static_cast<std::size_t>(index)).name + ") " + what;
}

}  // namespace chainshot::tests
