// What users are told of drivers and devices that cannot be used: the driver they have, the one they need, what to do.
#include "cuda/device_sentences.hpp"

#include <gtest/gtest.h>

#include "cuda/cuda_engine.hpp"

namespace chainshot::cuda {
namespace {

TEST(DeviceSentences, TheDriverIsReadFromEitherKindOfModule) {
  EXPECT_EQ(
      driver_release_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\n"
                        "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"),
      "535.183.01");
  EXPECT_EQ(driver_release_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\n"),
            "580.65.06");
  EXPECT_EQ(driver_release_in(""), "");
  EXPECT_EQ(driver_release_in("nothing of that kind"), "");
}

// Toolkit 13 needs driver 580, and all of 12 run from 525 (CUDA's compatibility within a major version).
TEST(DeviceSentences, AToolkitNeedsItsDriver) {
  EXPECT_EQ(needed_driver(12000), 525);
  EXPECT_EQ(needed_driver(12090), 525);
  EXPECT_EQ(needed_driver(13000), 580);
}

TEST(DeviceSentences, AnOldDriverIsNamedWithTheNeededOneAndWhatToDo) {
  EXPECT_EQ(driver_is_too_old("535.183.01", 12020, 13000),
            "the NVIDIA driver 535.183.01 supports CUDA 12.2, and this program, built with CUDA 13.0, needs driver 580 "
            "or later; update the driver, or build for this one with './tools/run.sh --cuda devices'");
  // No build runs on a driver for CUDA 11.
  EXPECT_EQ(driver_is_too_old("", 11040, 12090),
            "the NVIDIA driver supports CUDA 11.4, and this program, built with CUDA 12.9, needs driver 525 or later; "
            "update the driver");
  EXPECT_EQ(driver_is_too_old("470.256.02", 11040, 13000),
            "the NVIDIA driver 470.256.02 supports CUDA 11.4, and this program, built with CUDA 13.0, needs driver 580 "
            "or later; update the driver");
}

TEST(DeviceSentences, AnOldDeviceIsToldWhichBuildRunsOnIt) {
  EXPECT_EQ(no_code_for(6, 1, 75, 13000),
            "this build has no code for compute capability 6.1; it runs on 7.5 and later, and './tools/run.sh --cuda "
            "devices' builds for this one");
  EXPECT_EQ(no_code_for(6, 1, 70, 12040),
            "this build has no code for compute capability 6.1; it runs on 7.0 and later");
  EXPECT_EQ(no_code_for(3, 5, 75, 13000),
            "this build has no code for compute capability 3.5; chainshot runs on 5.2 and later");
}

TEST(DeviceSentences, ABuildWithoutCudaNamesTheDriverThatIsThere) {
  EXPECT_EQ(built_without_cuda(""),
            "this program was built without CUDA; './tools/run.sh --cuda devices' builds it with CUDA");
  EXPECT_EQ(built_without_cuda("535.183.01"),
            "this program was built without CUDA, and this machine has the NVIDIA driver 535.183.01; './tools/run.sh "
            "--cuda devices' builds it with CUDA");
}

}  // namespace
}  // namespace chainshot::cuda
