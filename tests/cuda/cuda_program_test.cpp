// Tests the program with a CUDA device: commands that play must give the answers of the CPU, and commands that describe
// the machine must name the device.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/cuda_cases.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class CudaProgram : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    const std::string why = cuda::list_devices().unusable;
    if (why.empty()) return;
    if (tests::kEmulated) FAIL() << why;
    GTEST_SKIP() << why;
  }
  json answer(const std::string& arguments) const {
    const ProgramRun done = run(arguments + " --json");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return json::parse(done.out, nullptr, false);
  }
};

TEST_F(CudaProgram, BenchPrintsTheSignatureOfTheCpu) {
  const json cuda = answer("bench --engine cuda"), cpu = answer("bench --engine cpu");
  EXPECT_TRUE(cuda["engine"].get<std::string>().starts_with("cuda (")) << cuda["engine"];
  ASSERT_EQ(cuda["cases"].size(), cpu["cases"].size());
  for (std::size_t i = 0; i < cpu["cases"].size(); ++i)
    EXPECT_EQ(cuda["cases"][i], cpu["cases"][i]);
  EXPECT_EQ(cuda["signature"], cpu["signature"]);
}

TEST_F(CudaProgram, TheCheckEngineComparesEveryBatchWithTheCpu) {
  const std::string arguments = "play standard-01 --playouts 300 --policy tabu48 --engine ";
  const json checked = answer(arguments + "check"), cpu = answer(arguments + "cpu");
  EXPECT_TRUE(checked["engine"].get<std::string>().starts_with("check(cuda (")) << checked["engine"];
  EXPECT_EQ(checked["best"], cpu["best"]);
}

TEST_F(CudaProgram, DevicesAreListedWithAllTheirFields) {
  const cuda::DeviceList list = cuda::list_devices();
  const json found = answer("devices");
  EXPECT_EQ(found["version"], 1);
  EXPECT_EQ(found["unusable"], "");
  EXPECT_EQ(found["toolkit"],
            std::to_string(list.toolkit_version / 1000) + "." + std::to_string(list.toolkit_version % 1000 / 10));
  EXPECT_TRUE(found["driver"].is_string());
  ASSERT_EQ(found["devices"].size(), list.devices.size());
  for (std::size_t i = 0; i < list.devices.size(); ++i) {
    const json& row = found["devices"][i];
    const cuda::DeviceInfo& device = list.devices[i];
    EXPECT_EQ(row["index"], static_cast<int>(i));
    EXPECT_EQ(row["name"], device.name);
    EXPECT_EQ(row["compute_capability"], std::to_string(device.major) + "." + std::to_string(device.minor));
    EXPECT_EQ(row["multiprocessors"], device.multiprocessors);
    EXPECT_EQ(row["memory"], device.memory);
    // Other programs change how much memory is free.
    EXPECT_GT(row["free_memory"].get<std::uint64_t>(), 0u);
    EXPECT_LE(row["free_memory"].get<std::uint64_t>(), device.memory);
    EXPECT_EQ(row["usable"], device.unusable.empty());
    EXPECT_EQ(row["unusable"], device.unusable);
  }
  EXPECT_GE(list.devices[0].major, 7);
  EXPECT_GE(list.devices[0].multiprocessors, 1);
}

TEST_F(CudaProgram, TheTableOfDevicesNamesThemAndFits80Columns) {
  const ProgramRun listed = run("devices");
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_NE(listed.out.find(cuda::list_devices().devices[0].name.substr(0, 34)), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find(" can be used."), std::string::npos) << listed.out;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(CudaProgram, PlayGivesTheAnswerOfTheCpu) {
  for (const char* policy :
       {"random", "tabu-random", "tabu-color-random", "tabu48", "tabu-color-weighted", "roulette", "largest-first"}) {
    const std::string arguments = "play standard-02 --playouts 300 --seed 8 --policy " + std::string(policy);
    const json cpu = answer(arguments + " --engine cpu");
    for (const char* engine : {"cuda", "auto", "cuda --devices 0 --gpu-memory 12M"}) {
      const json cuda = answer(arguments + " --engine " + engine);
      for (const char* key : {"playouts", "score", "moves", "best"})
        EXPECT_EQ(cuda.at(key), cpu.at(key)) << policy << ' ' << engine << ' ' << key;
    }
  }
}

// The emulator takes minutes for batches of the recommended size, even with one multiprocessor.
TEST_F(CudaProgram, SpeedtestComparesTheCpuWithTheDevice) {
  if (tests::kEmulated && !tests::is_nightly()) GTEST_SKIP() << "takes minutes on the emulator";
  const ProgramRun measured =
      shell(std::string("export PTXCPU_SMS=1; chainshot speedtest --quick --json ") + "--engine cpu,cuda --threads 1");
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const json found = json::parse(measured.out);
  ASSERT_EQ(found["engines"].size(), 2u);
  std::set<std::string> cases[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const json& engine = found["engines"][i];
    for (const json& row : engine["cases"]) {
      cases[i].insert(row["case"].get<std::string>());
      EXPECT_GT(row["playouts_per_second"]["low"].get<double>(), 0) << row;
      EXPECT_GT(row["busy_share"]["low"].get<double>(), 0) << row;
      EXPECT_LE(row["busy_share"]["high"].get<double>(), 1) << row;
    }
  }
  EXPECT_FALSE(cases[0].empty());
  EXPECT_EQ(cases[0], cases[1]);
  const json& second = found["engines"][1];
  EXPECT_EQ(second["ratios_to_first_engine"].size(), cases[0].size());
  for (const auto& [name, ratio] : second["ratios_to_first_engine"].items()) {
    EXPECT_EQ(cases[0].count(name), 1u) << name;
    EXPECT_GT(ratio["low"].get<double>(), 0) << name;
    EXPECT_LE(ratio["low"], ratio["median"]) << name;
    EXPECT_LE(ratio["median"], ratio["high"]) << name;
  }
}

TEST_F(CudaProgram, SolvesAsOnTheCpuWhenDeterministic) {
  const int playouts = tests::kEmulated && !tests::is_nightly() ? 800 : 3000;
  for (const char* preset : {"set", "uct", "sp-mcts-per-move"}) {
    const std::string arguments = "solve standard-03 --playouts " + std::to_string(playouts) +
                                  " --deterministic --preset " + preset + " --engine ";
    const json cuda = answer(arguments + "cuda"), cpu = answer(arguments + "cpu");
    EXPECT_EQ(cuda["boards"][0]["moves"], cpu["boards"][0]["moves"]) << preset;
    EXPECT_EQ(cuda["sum"], cpu["sum"]) << preset;
    EXPECT_EQ(answer(arguments + "cuda,cpu")["boards"][0]["moves"], cpu["boards"][0]["moves"]) << preset;
  }
}

TEST_F(CudaProgram, AnnealsAsOnTheCpu) {
  for (const char* scoring : {"standard", "clickomania"}) {
    const std::string arguments =
        "solve standard-03 --preset anneal --seed 4 --playouts 12000 --deterministic --scoring " +
        std::string(scoring) + " --engine ";
    const json cpu = answer(arguments + "cpu"), cuda = answer(arguments + "cuda");
    EXPECT_TRUE(cuda["engine"].get<std::string>().starts_with("cuda (")) << cuda["engine"];
    EXPECT_EQ(cuda["boards"][0]["moves"], cpu["boards"][0]["moves"]) << scoring;
    EXPECT_EQ(cuda["boards"][0]["evaluations"], cpu["boards"][0]["evaluations"]) << scoring;
    EXPECT_EQ(answer(arguments + "check")["boards"][0]["moves"], cpu["boards"][0]["moves"]) << scoring;
  }
}

TEST_F(CudaProgram, AnnealsTheSameOnAnyNumberOfDevices) {
  if (!tests::kEmulated) GTEST_SKIP() << "needs two devices of one kind";
  const std::string arguments =
      " chainshot solve standard-03 --preset anneal --seed 4 --playouts 12000 --islands 3 --members 8 --json --engine ";
  const auto moves = [&](const std::string& devices, const std::string& engine) {
    const ProgramRun done = shell("export PTXCPU_DEVICES=" + devices + ';' + arguments + engine);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return json::parse(done.out)["boards"][0]["moves"];
  };
  const json cpu = moves("1", "cpu");
  EXPECT_EQ(moves("1", "cuda"), cpu);
  EXPECT_EQ(moves("2", "cuda"), cpu);
}

TEST_F(CudaProgram, AnnealsWideBoardsOnTheCpuAndSaysSo) {
  const ProgramRun done = shell(
      "chainshot generate --size 20x20 --colors 5 --seed 1 --count 2 > wide.txt; "
      "chainshot solve wide.txt --preset anneal --playouts 2000 --engine cuda");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const std::size_t said = done.err.find("; the CPU anneals it");
  EXPECT_NE(said, std::string::npos) << done.err;
  EXPECT_EQ(done.err.find("; the CPU anneals it", said + 1), std::string::npos) << "said twice: " << done.err;
}

TEST_F(CudaProgram, AnnealsOnDevicesAndProcessorsAtTheSameTime) {
  const ProgramRun done =
      shell("export PTXCPU_SMS=1; chainshot solve standard-03 --time 6 --seed 1 --threads 2 --log run.jsonl --json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const json solved = json::parse(done.out);
  EXPECT_TRUE(solved["engine"].get<std::string>().starts_with("cuda (")) << solved["engine"];
  std::set<std::string> searches;
  std::istringstream log(read("run.jsonl"));
  for (std::string text; std::getline(log, text);) {
    const json line = json::parse(text);
    if (line["event"] == "status" && line["evaluations"] > 0) searches.insert(line["search"].get<std::string>());
  }
  EXPECT_EQ(searches, (std::set<std::string>{"anneal-cpu", "anneal-device"}));
}

}  // namespace
}  // namespace chainshot
