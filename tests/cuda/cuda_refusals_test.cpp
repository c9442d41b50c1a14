// Tests machines without a usable device, and devices that refuse resources. The user reads one sentence, and the
// engine returns what it had already taken.
#include <stdexcept>

#include "host/engines/engines.hpp"
#include "tests/support/fault_scene.hpp"

namespace chainshot {
namespace {

using CudaRefusals = tests::CudaFaults;
using tests::Case;
using tests::of_device;
using tests::one_launch;
using tests::with_faults;

std::string refusal(const cuda::CudaEngineOptions& options) {
  try {
    cuda::make_cuda_engine(options);
  } catch (const cuda::NoDevice& error) {
    return error.what();
  }
  return "none";
}

std::string choice_refusal(const host::EngineChoice& choice) {
  try {
    host::make_engine(choice);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

// With `auto` the program says nothing about a driver that was never there; else why the CPU plays.
void expect_cpu(const std::vector<std::string>& expected) {
  std::vector<std::string> notices;
  const auto engine =
      host::make_engine({.name = "auto", .threads = 1}, [&](const std::string& s) { notices.push_back(s); });
  EXPECT_TRUE(engine->capabilities().on_cpu);
  EXPECT_EQ(notices, expected);
  tests::expect_right(*engine, one_launch(2));
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// ---- machines without a usable device

TEST_F(CudaRefusals, AMissingDriverIsReported) {
  with_faults("nodriver", [] {
    const std::string sentence = "there is no NVIDIA driver on this machine";
    EXPECT_EQ(cuda::list_devices().unusable, sentence);
    EXPECT_EQ(cuda::list_devices().driver_version, 0);
    EXPECT_EQ(refusal({}), sentence);
    EXPECT_EQ(choice_refusal({.name = "cuda"}), sentence);
    EXPECT_EQ(choice_refusal({.name = "auto", .devices = {0}}), sentence);
    const std::string release = cuda::driver_release();  // of this machine, if it has one
    expect_cpu(release.empty() ? std::vector<std::string>{} : std::vector{"no CUDA device is used: " + sentence});
  });
}

TEST_F(CudaRefusals, AnOldDriverIsReportedWithBothVersions) {
  with_faults("olddriver", [] {
    const cuda::DeviceList list = cuda::list_devices();
    EXPECT_LT(list.driver_version, list.toolkit_version);
    const std::string sentence = list.unusable;
    EXPECT_TRUE(sentence.starts_with("the NVIDIA driver")) << sentence;
    const std::string versions = "supports CUDA " + version_text(list.driver_version) +
                                 ", and this program, built with CUDA " + version_text(list.toolkit_version) +
                                 ", needs driver " + std::to_string(cuda::needed_driver(list.toolkit_version)) +
                                 " or later; update the driver";
    EXPECT_NE(sentence.find(versions), std::string::npos) << sentence;
    EXPECT_EQ(refusal({}), sentence);
    EXPECT_TRUE(list.devices.empty());
    expect_cpu({"no CUDA device is used: " + sentence});
  });
}

TEST_F(CudaRefusals, AMissingDeviceIsReported) {
  with_faults("nodevice", [] {
    EXPECT_EQ(cuda::list_devices().unusable, "there is no CUDA device on this machine");
    EXPECT_EQ(refusal({}), "there is no CUDA device on this machine");
    EXPECT_EQ(refusal({.devices = {0}}), "there is no CUDA device on this machine");
    expect_cpu({"no CUDA device is used: there is no CUDA device on this machine"});
  });
}

TEST_F(CudaRefusals, AFailureToStartCudaIsReportedWithItsReason) {
  with_faults("cudaGetDeviceCount:1:cudaErrorInitializationError", [] {
    EXPECT_EQ(cuda::list_devices().unusable, "CUDA does not work on this machine (initialization error)");
    EXPECT_EQ(cuda::list_devices().unusable, "");  // only the first call failed
  });
}

TEST_F(CudaRefusals, ADeviceNumberOutOfRangeIsRefused) {
  with_faults(
      "",
      [] {
        EXPECT_EQ(refusal({.devices = {0, 2}}), "there is no CUDA device 2; this machine has 2");
        EXPECT_EQ(refusal({.devices = {-1}}), "there is no CUDA device -1; this machine has 2");
        EXPECT_EQ(choice_refusal({.name = "auto", .devices = {7}}), "there is no CUDA device 7; this machine has 2");
      },
      2);
}

// ---- devices that refuse

TEST_F(CudaRefusals, ADeviceThatDoesNotAnswerIsNamedAndRefused) {
  for (const char* call : {"cudaGetDeviceProperties", "cudaMemGetInfo", "cudaFuncGetAttributes"}) {
    with_faults(std::string(call) + ":1", [] {
      const std::string found = refusal({});
      EXPECT_TRUE(found.starts_with("CUDA device 0 (")) << found;
      EXPECT_TRUE(found.ends_with(") cannot be used: it does not answer (unknown error)")) << found;
      EXPECT_EQ(refusal({}), "none");
    });
  }
}

TEST_F(CudaRefusals, ADeviceThatThisBuildHasNoCodeForIsSkipped) {
  const std::string fault = "cudaFuncGetAttributes:1:cudaErrorNoKernelImageForDevice";
  const Case wanted = one_launch(3);
  with_faults(fault, [] {
    const cuda::DeviceInfo device = cuda::list_devices().devices.at(0);
    EXPECT_EQ(device.unusable, "this build has no code for compute capability " + std::to_string(device.major) + "." +
                                   std::to_string(device.minor) + "; it runs on 8.0 and later");  // the emulator's
  });
  with_faults(
      fault,
      [&] {
        std::vector<std::string> notices;
        const auto engine =
            cuda::make_cuda_engine({.devices = {}, .notice = [&](const std::string& s) { notices.push_back(s); }});
        EXPECT_EQ(engine->capabilities().name, "cuda (" + cuda::list_devices().devices.at(1).name + ")");
        ASSERT_EQ(notices.size(), 1u);
        EXPECT_TRUE(notices[0].starts_with(of_device(0, "is left out: this build has no code for"))) << notices[0];
        tests::expect_right(*engine, wanted);
      },
      2);
  with_faults(
      fault,
      [] {
        const std::string found = refusal({.devices = {1, 0}});
        EXPECT_TRUE(found.starts_with("CUDA device 0 (")) << found;
        EXPECT_NE(found.find(") cannot be used: this build has no code for"), std::string::npos) << found;
      },
      2);
}

// Fails each call that makes an engine with three slots. The engine must return what it had taken, so that the next one
// can have it.
TEST_F(CudaRefusals, ARefusedResourceIsReportedAndTheNextEngineWorks) {
  struct Calls {
    const char* call;
    int count;
    const char* sentence;
  };
  const Case wanted = one_launch(4);
  for (const Calls& calls : {Calls{"cudaMalloc", 12, "could not get device memory (out of memory)"},
                             {"cudaHostAlloc", 6, "could not get pinned memory (out of memory)"},
                             {"cudaStreamCreate", 4, "could not make a stream (unknown error)"},
                             {"cudaEventCreate", 10, "could not make an event (unknown error)"},
                             {"cudaEventRecord", 1, "could not record an event (unknown error)"},
                             {"cudaEventSynchronize", 1, "could not finish playouts (unknown error)"}}) {
    for (int n = 1; n <= calls.count; ++n) {
      with_faults(calls.call + (':' + std::to_string(n)), [&] {
        const std::uint64_t free_before = cuda::list_devices().devices.at(0).free_memory;
        EXPECT_EQ(refusal({}), of_device(0, calls.sentence));
        EXPECT_EQ(cuda::list_devices().devices.at(0).free_memory, free_before);
        tests::expect_right(*cuda::make_cuda_engine({}), wanted);
      });
    }
  }
}

// The first device gets its memory by twelve calls.
TEST_F(CudaRefusals, ADeviceThatRefusesIsLeftOutUnlessItWasNamed) {
  const std::string sentence = "could not get device memory (out of memory)";
  const Case wanted = one_launch(5);
  with_faults(
      "cudaMalloc:13",
      [&] {
        EXPECT_EQ(refusal({.devices = {0, 1}}), of_device(1, sentence));
        EXPECT_EQ(refusal({.devices = {0, 1}}), "none");
      },
      2);
  for (const int refusing : {0, 1})
    with_faults(
        "cudaMalloc:" + std::to_string(1 + 12 * refusing),
        [&] {
          std::vector<std::string> notices;
          const auto engine =
              cuda::make_cuda_engine({.devices = {}, .notice = [&](const std::string& s) { notices.push_back(s); }});
          EXPECT_EQ(notices, std::vector{of_device(refusing, sentence + "; it is left out")});
          const auto other = static_cast<std::size_t>(1 - refusing);
          EXPECT_EQ(engine->capabilities().name, "cuda (" + cuda::list_devices().devices.at(other).name + ")");
          tests::expect_right(*engine, wanted);
        },
        2);
}

TEST_F(CudaRefusals, ADeviceWithLittleMemoryGetsSmallSlotsOrIsRefused) {
  const Case wanted = one_launch(5);
  with_faults("", [] {
    ::setenv("PTXCPU_MEM", std::to_string(2 << 20).c_str(), 1);
    EXPECT_EQ(refusal({}), "the CUDA engine needs at least 10 MB of device memory, and may use 1 MB");
  });
  with_faults("", [&] {
    ::setenv("PTXCPU_MEM", std::to_string(12 << 20).c_str(), 1);
    tests::expect_right(*cuda::make_cuda_engine({}), wanted);
  });
}

// Every slot gets a roulette table for 31 x 32 blocks, 2 MB each, and some tables are made for even fuller boards. The
// engine takes all its memory when it is made: the injected fault would fail the first allocation after that.
TEST_F(CudaRefusals, AnEngineNeverExceedsItsMemoryWhateverItPlays) {
  std::vector<Case> cases;
  tests::Dice dice(71);
  for (const int full_cells : {0, 1'000, 2'000, 0}) {
    const game::Policy policy{.kind = game::PolicyKind::kRoulette, .full_cells = full_cells};
    game::Batch batch = tests::empty_batch(dice);
    batch.scoring = game::kStandardScoring;  // others may have more points on such a board than the engine counts
    batch.requests.push_back(tests::request_for(tests::full_board(dice, {31, 32, 4}), policy, 2));
    cases.push_back(tests::judged(std::move(batch), tests::Judge::kPosition));
  }
  for (const std::uint64_t memory : {tests::kSmallestMemory, std::uint64_t{24'000'000}}) {
    with_faults("cudaMalloc:13", [&] {
      const auto free_memory = [] { return cuda::list_devices().devices.at(0).free_memory; };
      const std::uint64_t free_before = free_memory();
      const auto engine = cuda::make_cuda_engine({.devices = {}, .memory = memory});
      EXPECT_LE(free_before - free_memory(), memory);
      std::vector<game::Ticket> tickets;
      for (const Case& wanted : cases)
        tickets.push_back(engine->submit(wanted.batch));
      for (std::size_t i = 0; i < cases.size(); ++i)
        tests::expect_outcome(cases[i].batch, engine->wait(tickets[i]), cases[i].expected);
      EXPECT_LE(free_before - free_memory(), memory);
    });
  }
}

}  // namespace
}  // namespace chainshot
