// The signature of `chainshot bench` is the same for every number of threads and every instruction set.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "cpu/cpu_engine.hpp"
#include "tests/tools/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class BenchCommand : public ProgramTest {};

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

TEST_F(BenchCommand, TheLastLineIsTheSignature) {
  const ProgramRun benched = run("bench");
  EXPECT_EQ(benched.exit_code, 0) << benched.err;
  EXPECT_TRUE(std::regex_match(last_line(benched.out), std::regex("signature [0-9a-f]{16}"))) << benched.out;
}

TEST_F(BenchCommand, ThreadsAndInstructionSetsPlayTheSameGames) {
  const auto answer = [&](const std::string& arguments) {
    const ProgramRun benched = run("bench --json " + arguments);
    EXPECT_EQ(benched.exit_code, 0) << benched.err;
    return json::parse(benched.out);
  };
  const json one = answer("--threads 1");
  EXPECT_EQ(one["version"], 1);
  EXPECT_EQ(one["signature"].get<std::string>().size(), 16u);
  const auto expect_same = [&](const json& other) {
    ASSERT_EQ(other["cases"].size(), one["cases"].size());
    for (std::size_t i = 0; i < one["cases"].size(); ++i)
      EXPECT_EQ(other["cases"][i], one["cases"][i]) << other["engine"];
    EXPECT_EQ(other["signature"], one["signature"]) << other["engine"];
  };
  expect_same(answer("--threads 2"));
  for (const cpu::Isa isa : cpu::available_isas())
    expect_same(answer("--isa " + std::string(cpu::name_of(isa))));
}

TEST_F(BenchCommand, SpeedtestNamesWhatItMeasured) {
  const ProgramRun tested = run("speedtest --quick --threads 2 --isa portable --json");
  ASSERT_EQ(tested.exit_code, 0) << tested.err;
  const json found = json::parse(tested.out);
  EXPECT_EQ(found["version"], 1);
  for (const char* key : {"processor", "compiler", "build", "policy"})
    EXPECT_TRUE(found[key].is_string()) << key;
  ASSERT_EQ(found["engines"].size(), 1u);
  const json& cases = found["engines"][0]["cases"];
  ASSERT_EQ(cases.size(), 8u);  // four cases, with one thread and with two
  for (const json& row : cases) {
    const json& rate = row["playouts_per_second"];
    EXPECT_GT(rate["low"].get<double>(), 0);
    EXPECT_LE(rate["low"], rate["median"]);
    EXPECT_LE(rate["median"], rate["high"]);
  }
  for (const char* ratio : {"reference", "many_positions", "roulette", "wide_per_block", "threads"})
    EXPECT_GT(found["engines"][0]["ratios"][ratio]["median"].get<double>(), 0) << ratio;
}

TEST_F(BenchCommand, TablesFit80Columns) {
  for (const char* arguments : {"bench", "speedtest --quick --threads 1"}) {
    const ProgramRun printed = run(arguments);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    std::istringstream lines(printed.out);
    for (std::string line; std::getline(lines, line);) {
      // A processor or a compiler may have a longer name than we can help.
      if (line.rfind("processor", 0) == 0 || line.rfind("build", 0) == 0) continue;
      EXPECT_LE(line.size(), 80u) << line;
    }
  }
}

}  // namespace
}  // namespace chainshot
