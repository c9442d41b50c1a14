// Beams on devices that are missing, too small or lost: the user reads one sentence, and where the CPU takes over, the
// beam is the same.
#include <nlohmann/json.hpp>

#include "cpu/beam/cpu_beam_step.hpp"
#include "host/engines/engines.hpp"
#include "tests/support/beam_cases.hpp"
#include "tests/support/fault_scene.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using CudaBeamFaults = tests::CudaFaults;
using tests::beam_request;
using tests::of_device;
using tests::with_faults;

host::PassRequest small_request() {
  tests::Dice dice(41);
  return beam_request(tests::full_board(dice, {5, 5, 3}), 30);
}

tests::BeamSelection selection_of_cpu(const host::PassRequest& request) {
  return tests::selection_of(*cpu::make_cpu_beam_step({.threads = 1}), request);
}

std::string refusal(const host::EngineChoice& choice) {
  try {
    host::make_beam_step(choice);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

// The device is lost during the first beam of `auto`.
void expect_taken_over(const std::string& sentence) {
  const host::PassRequest request = small_request();
  const std::string lost = of_device(0, sentence);
  std::vector<std::string> notices;
  const auto step =
      host::make_beam_step({.name = "auto", .threads = 1}, [&](const std::string& said) { notices.push_back(said); });
  const tests::BeamSelection expected = selection_of_cpu(request);
  EXPECT_EQ(tests::selection_of(*step, request), expected);
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0], "beam search on a device failed: " + lost + "; the CPU goes on with its work");
  EXPECT_EQ(tests::selection_of(*step, request), expected);  // the device is not asked again
  EXPECT_EQ(notices.size(), 1u);
}

// The kernels of a beam: about ten to select, and two to expand. Each of these faults hits another part of it.
TEST_F(CudaBeamFaults, TheCpuTakesOverABeamThatIsLost) {
  for (const char* fault : {"launch:1", "launch:40", "launch:41", "launch:42", "launch:150"})
    with_faults(fault, [] { expect_taken_over("could not expand states of a beam (unspecified launch failure)"); });
  with_faults("cudaMalloc:1", [] { expect_taken_over("could not get device memory (out of memory)"); });
  with_faults("cudaLaunchKernel:3", [] { expect_taken_over("could not select states of a beam (unknown error)"); });
  with_faults("cudaMemcpyAsync:3", [] { expect_taken_over("could not copy a beam to the device (unknown error)"); });
}

TEST_F(CudaBeamFaults, AnotherDeviceTakesOverBeforeTheCpu) {
  for (const char* name : {"auto", "cuda"})
    for (const std::vector<int>& devices : {std::vector<int>{}, std::vector<int>{0, 1}})
      with_faults(
          "launch:41",
          [&] {
            std::vector<std::string> notices;
            const auto known = std::make_shared<host::BeamDevices>();
            const auto step = host::make_beam_step(
                {.name = name, .threads = 1, .devices = devices},
                [&](const std::string& said) { notices.push_back(said); }, known);
            const std::string other = "cuda (" + cuda::list_devices().devices.at(1).name + ")";
            const std::string lost = of_device(0, "could not expand states of a beam (unspecified launch failure)");
            for (int i = 0; i < 2; ++i)
              EXPECT_EQ(tests::selection_of(*step, small_request()), selection_of_cpu(small_request()));
            EXPECT_EQ(notices,
                      std::vector{"beam search on a device failed: " + lost + "; " + other + " goes on with its work"});
            EXPECT_EQ(known->failed(), std::vector<int>{0});
            EXPECT_EQ(known->in_use(), other);
          },
          2);
}

TEST_F(CudaBeamFaults, WithoutTheCpuALostDeviceEndsTheBeam) {
  with_faults("launch:60", [] {
    const std::string lost = of_device(0, "could not expand states of a beam (unspecified launch failure)");
    const auto step = host::make_beam_step({.name = "cuda", .threads = 1});
    try {
      tests::selection_of(*step, small_request());
      ADD_FAILURE() << "nothing was lost";
    } catch (const std::exception& error) {
      EXPECT_EQ(error.what(), lost);
    }
  });
}

TEST_F(CudaBeamFaults, DevicesThatCannotBeUsedAreRefused) {
  with_faults("nodevice", [] {
    EXPECT_EQ(refusal({.name = "cuda"}), "there is no CUDA device on this machine");
    EXPECT_EQ(refusal({.name = "auto"}), "none");
  });
  with_faults("", [] {
    EXPECT_EQ(refusal({.name = "cuda", .devices = {2}}), "there is no CUDA device 2; this machine has 1");
    EXPECT_EQ(refusal({.name = "cpu", .devices = {0}}), "engine cpu has no devices; expected engine auto or cuda");
    EXPECT_EQ(refusal({.name = "cuda", .gpu_memory = 1 << 20}),
              "a beam needs at least 8 MB of device memory, and may use 1 MB");
  });
}

TEST_F(CudaBeamFaults, TheFirstNamedDeviceHoldsTheBeam) {
  with_faults(
      "launch:1",
      [] {
        const auto step = host::make_beam_step({.name = "cuda", .devices = {1}});
        try {
          tests::selection_of(*step, small_request());
          ADD_FAILURE() << "nothing was lost";
        } catch (const std::exception& error) {
          EXPECT_TRUE(std::string(error.what()).starts_with("CUDA device 1 (")) << error.what();
        }
      },
      2);
}

TEST_F(CudaBeamFaults, BoardsThatNoDeviceHoldsStayOnTheCpu) {
  with_faults("", [] {
    tests::Dice dice(42);
    const host::PassRequest wide = beam_request(tests::full_board(dice, {17, 3, 4}), 20);
    std::vector<std::string> notices;
    const auto step =
        host::make_beam_step({.name = "cuda", .threads = 1}, [&](const std::string& said) { notices.push_back(said); });
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(tests::selection_of(*step, wide), selection_of_cpu(wide));
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_EQ(
        notices[0],
        "a beam on a board of 17 x 3 with 4 colours runs on the CPU; a device takes boards of up to 15 columns, 16 "
        "rows and 7 colours");
    EXPECT_GT(step->state_bytes(wide.root), step->state_bytes(small_request().root));
    EXPECT_EQ(tests::selection_of(*step, small_request()), selection_of_cpu(small_request()));
  });
}

class CudaBeamOfTheProgram : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!tests::kEmulated) GTEST_SKIP() << "only the emulator can inject faults";
    write("board.txt", "board small\n01210\n10120\n21101\n02212\n12002\n");
  }
  ProgramRun solve(const std::string& faults, const std::string& arguments) const {
    return shell("export PTXCPU_FAIL=" + faults +
                 "; chainshot solve board.txt --threads 1 --nodes 200 --width 40 --json " + arguments);
  }
};

TEST_F(CudaBeamOfTheProgram, SolvesOnTheDeviceAsOnTheCpu) {
  const ProgramRun cpu = solve("''", "--preset beam --engine cpu");
  ASSERT_EQ(cpu.exit_code, 0) << cpu.err;
  const auto wanted = nlohmann::json::parse(cpu.out).at("boards").at(0);
  // A fault shows that the device was used.
  const ProgramRun lost = solve("launch:30", "--preset beam --engine cuda");
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_NE(lost.err.find("could not expand states of a beam (unspecified launch failure)"), std::string::npos)
      << lost.err;
  EXPECT_EQ(solve("''", "--preset beam --engine check").exit_code, 0);
  for (const char* faults : {"''", "launch:30"})
    for (const char* preset : {"beam", "nested-beam"}) {
      const ProgramRun device = solve(faults, std::string("--engine auto --preset ") + preset);
      EXPECT_EQ(device.exit_code, 0) << device.err;
      EXPECT_EQ(device.err.find("note: beam search on a device failed") != std::string::npos,
                std::string(faults) != "''")
          << device.err;
      if (std::string(preset) != "beam") continue;
      const auto found = nlohmann::json::parse(device.out).at("boards").at(0);
      for (const char* key : {"score", "moves", "nodes", "evaluations"})
        EXPECT_EQ(found.at(key), wanted.at(key)) << key;
    }
}

TEST_F(CudaBeamOfTheProgram, RefusesEnginesThatMeanNothingForABeam) {
  const ProgramRun refused = solve("''", "--preset beam --engine cuda,cpu");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "chainshot: preset beam runs on one engine; expected --engine auto, cpu, cuda or check\n");
  EXPECT_EQ(solve("nodevice", "--preset beam --engine cuda").err,
            "chainshot: there is no CUDA device on this machine\n");
}

}  // namespace
}  // namespace chainshot
