// Tests of `chainshot solve` share this: its answers, its complaints, and a budget that is spent in a moment.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program_run.hpp"

namespace chainshot {

// A budget that sanitizers and slow machines spend in a moment.
inline const std::string kBrief = " --playouts 2000 --threads 2";

class SolveTest : public ProgramTest {
 protected:
  nlohmann::json answer(const std::string& arguments) const {
    const ProgramRun solved = run("solve " + arguments + " --json");
    EXPECT_EQ(solved.exit_code, 0) << arguments << '\n' << solved.err;
    return nlohmann::json::parse(solved.out);
  }
  std::string complaint(const std::string& arguments) const {
    const ProgramRun failed = run("solve " + arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(failed.out, "") << arguments;
    return failed.err;
  }
};

}  // namespace chainshot
