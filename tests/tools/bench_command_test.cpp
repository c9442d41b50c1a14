// The signature of `chainshot bench` is the same for every number of threads and every instruction set.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "cpu/engine/cpu_engine.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class BenchCommand : public ProgramTest {};

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

TEST_F(BenchCommand, TheTableFits80ColumnsAndTheLastLineIsTheSignature) {
  const ProgramRun benched = run("bench");
  EXPECT_EQ(benched.exit_code, 0) << benched.err;
  EXPECT_TRUE(std::regex_match(last_line(benched.out), std::regex("signature [0-9a-f]{16}"))) << benched.out;
  std::istringstream lines(benched.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80u) << line;
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

}  // namespace
}  // namespace chainshot
