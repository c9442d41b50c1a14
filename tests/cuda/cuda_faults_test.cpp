// Tests devices that are lost while they play. The user reads one sentence, results from before the loss are right, and
// no thread waits for ever.
#include <nlohmann/json.hpp>

#include "host/engines/engines.hpp"
#include "tests/support/fault_scene.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using game::Outcome;
using tests::Case;
using tests::CudaFaults;
using tests::of_device;
using tests::one_launch;
using tests::with_faults;

bool is_right(const Case& wanted, const Outcome& outcome) {
  return outcome.error.empty() && outcome.results == wanted.expected;
}

void expect_lost(const std::string& error) {
  EXPECT_EQ(error.rfind("CUDA device ", 0), 0u) << error;
  EXPECT_NE(error.find(") could not "), std::string::npos) << error;
  EXPECT_TRUE(error.ends_with(" (unspecified launch failure)")) << error;
  EXPECT_EQ(error.find_first_of("\n;"), std::string::npos) << error;
}

// A failed engine refuses every batch at once, with the error it failed with.
void expect_refused_at_once(game::Engine& engine, const std::string& error) {
  for (int i = 0; i < 5; ++i) {
    const game::Ticket ticket = engine.submit(one_launch(1).batch);
    EXPECT_TRUE(engine.poll(ticket));
    const Outcome outcome = engine.wait(ticket);
    EXPECT_EQ(outcome.error, error);
    EXPECT_TRUE(outcome.results.empty());
  }
  EXPECT_EQ(engine.run({}).error, "");
}

// ---- devices that are lost

TEST_F(CudaFaults, AFaultInTheFirstBatchFailsItAndAllLaterOnes) {
  for (const char* fault : {"launch:1", "launch:2"}) {
    with_faults(fault, [] {
      const std::string name = cuda::list_devices().devices.at(0).name;
      const auto engine = cuda::make_cuda_engine({});
      const Outcome outcome = engine->run(one_launch(6).batch);
      EXPECT_EQ(outcome.error, "CUDA device 0 (" + name + ") could not finish playouts (unspecified launch failure)");
      EXPECT_TRUE(outcome.results.empty());
      expect_refused_at_once(*engine, outcome.error);
    });
  }
}

// Two batches complete before three more are submitted; the fault is in a kernel of the first, second or third of
// those.
TEST_F(CudaFaults, AFaultSparesTheBatchesBeforeIt) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 5; ++i)
    cases.push_back(one_launch(10 + i));
  for (std::size_t kernel = 5; kernel <= 10; ++kernel) {
    for (const bool backwards : {false, true}) {
      with_faults("launch:" + std::to_string(kernel), [&] {
        const auto engine = cuda::make_cuda_engine({});
        for (std::size_t i = 0; i < 2; ++i)
          tests::expect_right(*engine, cases[i]);
        std::vector<std::pair<std::size_t, game::Ticket>> flights;
        for (std::size_t i = 2; i < 5; ++i)
          flights.emplace_back(i, engine->submit(cases[i].batch));
        if (backwards) std::reverse(flights.begin(), flights.end());
        const std::size_t faulty = (kernel - 1) / 2;
        for (const auto& [i, ticket] : flights) {
          const Outcome outcome = engine->wait(ticket);
          if (i < faulty)
            EXPECT_TRUE(is_right(cases[i], outcome)) << i << ' ' << outcome.error;
          else
            expect_lost(outcome.error);
        }
        const std::string error = engine->run(cases[0].batch).error;
        expect_lost(error);
        expect_refused_at_once(*engine, error);
      });
    }
  }
}

// A batch of many launches has one outcome, whichever of them fails.
TEST_F(CudaFaults, ABatchOfManyLaunchesFailsAsAWhole) {
  tests::Dice dice(30);
  game::Batch batch = tests::empty_batch(dice);
  batch.requests.push_back(tests::request_for(tests::full_board(dice, {5, 5, 3}), {}, 12'000));
  for (const char* fault : {"launch:1", "launch:8", "launch:23"}) {
    with_faults(fault, [&] {
      const auto engine = cuda::make_cuda_engine({.devices = {}, .memory = tests::kSmallestMemory});
      const Outcome outcome = engine->run(batch);
      expect_lost(outcome.error);
      EXPECT_TRUE(outcome.results.empty());
    });
  }
}

TEST_F(CudaFaults, EveryCallThatFailsInALaunchIsReported) {
  const Case wanted = one_launch(31);
  game::Batch batch = wanted.batch;
  batch.histogram = {.low = 0, .width = 10, .bins = 5};
  batch.requests[0].policy.kind = game::PolicyKind::kRoulette;
  const std::pair<const char*, const char*> faults[] = {
      {"cudaMemcpyAsync:1", "could not copy the roulette wheel to the device (unknown error)"},
      {"cudaMemcpyAsync:2", "could not copy boards to the device (unknown error)"},
      {"cudaMemcpyAsync:3", "could not copy results from the device (unknown error)"},
      {"cudaMemsetAsync:1", "could not clear histograms (unknown error)"},
      {"cudaLaunchKernel:1", "could not start playouts (unknown error)"},
      {"cudaLaunchKernel:2", "could not count the results of playouts (unknown error)"},
      {"cudaEventRecord:2", "could not record an event (unknown error)"},
      {"cudaEventRecord:3", "could not record an event (unknown error)"},
      {"cudaEventRecord:4", "could not record an event (unknown error)"},
      {"cudaEventSynchronize:2", "could not finish playouts (unknown error)"},
      {"cudaEventElapsedTime:1", "could not read the time of an event (unknown error)"}};
  for (const auto& [fault, sentence] : faults) {
    with_faults(fault, [&, said = sentence] {
      const auto engine = cuda::make_cuda_engine({});
      const Outcome outcome = engine->run(batch);
      EXPECT_EQ(outcome.error, of_device(0, said));
      EXPECT_TRUE(outcome.results.empty());
      expect_refused_at_once(*engine, outcome.error);
      // The device itself still works: a new engine plays on it.
      tests::expect_right(*cuda::make_cuda_engine({}), wanted);
    });
  }
}

TEST_F(CudaFaults, AnEngineOfALostDeviceCanBeDestroyedWithBatchesInFlight) {
  with_faults("launch:3", [] {
    const auto engine = cuda::make_cuda_engine({.devices = {}, .memory = tests::kSmallestMemory});
    for (std::uint64_t i = 0; i < 8; ++i)
      engine->submit(one_launch(40 + i).batch);
  });
}

// The other device plays what the lost one had begun.
TEST_F(CudaFaults, TheOtherDeviceKeepsPlaying) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 30; ++i)
    cases.push_back(one_launch(50 + i));
  with_faults(
      "launch:5",
      [&] {
        std::vector<std::string> notices;
        const auto engine =
            cuda::make_cuda_engine({.devices = {}, .notice = [&](const std::string& s) { notices.push_back(s); }});
        const std::vector<cuda::DeviceInfo> devices = cuda::list_devices().devices;
        EXPECT_EQ(engine->capabilities().name, "cuda (" + devices.at(0).name + " and 1 more)");
        const int lanes = engine->capabilities().lanes;
        for (const Case& wanted : cases)
          tests::expect_right(*engine, wanted);
        ASSERT_EQ(notices.size(), 1u);
        // Either device may have taken the launch that fails.
        const std::size_t lost = notices[0].starts_with("CUDA device 0 ") ? 0 : 1;
        const std::string name = devices.at(1 - lost).name;
        EXPECT_TRUE(notices[0].starts_with("CUDA device " + std::to_string(lost))) << notices[0];
        EXPECT_TRUE(notices[0].ends_with("could not finish playouts (unspecified launch failure); cuda (" + name +
                                         ") goes on with its work"))
            << notices[0];
        EXPECT_EQ(engine->capabilities().name, "cuda (" + name + ")");
        EXPECT_EQ(engine->capabilities().lanes, lanes / 2);
      },
      2);
}

TEST_F(CudaFaults, TheOtherDeviceKeepsPlayingBatchesInFlight) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 30; ++i)
    cases.push_back(one_launch(50 + i));
  with_faults(
      "launch:5",
      [&] {
        const auto engine = cuda::make_cuda_engine({});
        std::vector<game::Ticket> tickets;
        for (std::size_t i = 0; i < 10; ++i)
          tickets.push_back(engine->submit(cases[i].batch));
        for (std::size_t i = 0; i < 10; ++i)
          tests::expect_outcome(cases[i].batch, engine->wait(tickets[i]), cases[i].expected);
        for (std::size_t i = 10; i < cases.size(); ++i)
          tests::expect_right(*engine, cases[i]);
      },
      2);
}

// Every kernel from the third on fails, so whichever device takes the second batch is lost, and then the other one.
TEST_F(CudaFaults, WithBothDevicesLostEveryBatchFails) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 12; ++i)
    cases.push_back(one_launch(50 + i));
  std::string faults = "launch:3";
  for (int kernel = 4; kernel < 60; ++kernel)
    faults += ",launch:" + std::to_string(kernel);
  with_faults(
      faults,
      [&] {
        const auto engine = cuda::make_cuda_engine({});
        std::vector<game::Ticket> tickets;
        for (const Case& wanted : cases)
          tickets.push_back(engine->submit(wanted.batch));
        int right = 0;
        for (std::size_t i = 0; i < cases.size(); ++i) {
          const Outcome outcome = engine->wait(tickets[i]);
          if (is_right(cases[i], outcome))
            ++right;
          else
            expect_lost(outcome.error);
        }
        EXPECT_LE(right, 1);
        const std::string error = engine->run(cases[0].batch).error;
        expect_lost(error);
        expect_refused_at_once(*engine, error);
      },
      2);
}

// ---- with `auto` the CPU takes over

TEST_F(CudaFaults, WithAutoTheCpuTakesOverWithTheRightResults) {
  std::vector<Case> cases;
  tests::Dice dice(60);
  for (std::uint64_t i = 0; i < 5; ++i)
    cases.push_back(one_launch(60 + i));
  cases.push_back(tests::judged(tests::mixed_batch(dice, 20, 10), tests::Judge::kPosition));
  for (const char* fault : {"launch:1", "launch:4", "launch:7", "launch:11", "cudaMemcpyAsync:5"}) {
    with_faults(fault, [&] {
      const std::string name = cuda::list_devices().devices.at(0).name;
      std::vector<std::string> notices;
      const auto engine =
          host::make_engine({.name = "auto", .threads = 1}, [&](const std::string& s) { notices.push_back(s); });
      EXPECT_FALSE(engine->capabilities().on_cpu);
      for (int round = 0; round < 2; ++round) {
        std::vector<game::Ticket> tickets;
        for (const Case& wanted : cases)
          tickets.push_back(engine->submit(wanted.batch));
        for (std::size_t i = 0; i < cases.size(); ++i)
          tests::expect_outcome(cases[i].batch, engine->wait(tickets[i]), cases[i].expected);
      }
      EXPECT_TRUE(engine->capabilities().on_cpu);
      ASSERT_EQ(notices.size(), 1u);
      EXPECT_TRUE(notices[0].starts_with("engine cuda (" + name + ") failed: CUDA device 0 (" + name + ") could not "))
          << notices[0];
      EXPECT_TRUE(notices[0].ends_with("goes on with its work")) << notices[0];
    });
  }
}

TEST_F(CudaFaults, WithAutoAnUnusableDeviceIsReportedAndTheCpuPlays) {
  with_faults("cudaMalloc:2", [] {
    std::vector<std::string> notices;
    const auto engine =
        host::make_engine({.name = "auto", .threads = 1}, [&](const std::string& s) { notices.push_back(s); });
    EXPECT_TRUE(engine->capabilities().on_cpu);
    EXPECT_EQ(notices, std::vector<std::string>{"no CUDA device is used: " +
                                                of_device(0, "could not get device memory (out of memory)")});
    tests::expect_right(*engine, one_launch(70));
  });
}

// ---- the program

class CudaFaultsOfTheProgram : public ProgramTest {
 protected:
  void SetUp() override {
    if (!tests::kEmulated) GTEST_SKIP() << "only the emulator can inject faults";
    ProgramTest::SetUp();
  }
  ProgramRun play(const std::string& faults, const std::string& arguments) const {
    return shell("export PTXCPU_FAIL=" + faults + "; chainshot play standard-01 --playouts 300 --seed 5 " + arguments);
  }
};

TEST_F(CudaFaultsOfTheProgram, AskingForAMissingDeviceIsAUsageError) {
  const ProgramRun none = play("nodevice", "--engine cuda");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(none.err, "chainshot: there is no CUDA device on this machine\n");
  EXPECT_EQ(play("nodriver", "--engine cuda").err, "chainshot: there is no NVIDIA driver on this machine\n");
  EXPECT_EQ(play("''", "--engine cuda --devices 3").err, "chainshot: there is no CUDA device 3; this machine has 1\n");
  EXPECT_EQ(play("''", "--engine cuda --gpu-memory 1M").err,
            "chainshot: the CUDA engine needs at least 10 MB of device memory, and may use 1 MB\n");
  EXPECT_EQ(play("cudaHostAlloc:1", "--engine cuda").exit_code, 2);
}

TEST_F(CudaFaultsOfTheProgram, ALostDeviceEndsARunOnItWithOneSentence) {
  const ProgramRun lost = play("launch:1", "--engine cuda");
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_EQ(lost.out, "");
  EXPECT_TRUE(lost.err.starts_with("chainshot: CUDA device 0 (")) << lost.err;
  EXPECT_TRUE(lost.err.ends_with(") could not finish playouts (unspecified launch failure)\n")) << lost.err;
}

TEST_F(CudaFaultsOfTheProgram, ALostDeviceIsOnlyANoteWhenTheCpuTakesOver) {
  const ProgramRun lost = play("launch:1", "--engine auto --json"), cpu = play("''", "--engine cpu --json");
  EXPECT_EQ(lost.exit_code, 0);
  EXPECT_NE(lost.err.find("chainshot: note: engine cuda ("), std::string::npos) << lost.err;
  EXPECT_NE(lost.err.find("goes on with its work\n"), std::string::npos) << lost.err;
  const auto found = nlohmann::json::parse(lost.out), wanted = nlohmann::json::parse(cpu.out);
  for (const char* key : {"playouts", "score", "moves", "best"})
    EXPECT_EQ(found.at(key), wanted.at(key)) << key;
}

TEST_F(CudaFaultsOfTheProgram, ASearchOnCudaAndCpuSurvivesALostDevice) {
  const ProgramRun lost = shell(
      "export PTXCPU_FAIL=launch:1; chainshot solve standard-01 --preset uct --engine cuda,cpu --threads 1 "
      "--leaf-playouts 1 --playouts 3000 --json");
  EXPECT_EQ(lost.exit_code, 0) << lost.err;
  EXPECT_NE(lost.err.find("chainshot: note: engine cuda ("), std::string::npos) << lost.err;
  EXPECT_EQ(nlohmann::json::parse(lost.out).at("boards").at(0).at("playouts"), 3000);
}

TEST_F(CudaFaultsOfTheProgram, ARecordRunGoesOnWithoutALostDevice) {
  const ProgramRun lost = shell(
      "export PTXCPU_FAIL=launch:2; chainshot record standard-01 standard-02 --archive night.db --preset set "
      "--engine auto --threads 1 --turn-time 1 --rounds 2 --json");
  EXPECT_EQ(lost.exit_code, 0) << lost.err;
  EXPECT_NE(lost.err.find("chainshot: note: engine cuda ("), std::string::npos) << lost.err;
  const auto answer = nlohmann::json::parse(lost.out);
  EXPECT_EQ(answer.at("state"), "finished");
  for (const auto& board : answer.at("boards"))
    EXPECT_GE(board.at("turns"), 1);
  EXPECT_EQ(shell("chainshot archive check night.db").exit_code, 0);
}

}  // namespace
}  // namespace chainshot
