// The program takes as many threads as this process may use, not as many as the machine has processors.
#include <gtest/gtest.h>
#include <sched.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

class MachineLimits : public ProgramTest {
 protected:
  std::string engine(const std::string& before) const {
    const ProgramRun played =
        shell(before + " '" CHAINSHOT_EXE "' play standard-01 --engine cpu --isa portable --playouts 10 --json");
    EXPECT_EQ(played.exit_code, 0) << played.err;
    return nlohmann::json::parse(played.out)["engine"];
  }
};

TEST_F(MachineLimits, ThreadsFollowTheAffinityMask) {
  cpu_set_t mask;
  ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  int first = 0;
  while (!CPU_ISSET(first, &mask))
    ++first;
  EXPECT_EQ(engine("taskset -c " + std::to_string(first)), "cpu (portable, 1 thread)");
}

TEST_F(MachineLimits, ThreadsFollowSlurm) {
  EXPECT_EQ(engine("SLURM_CPUS_PER_TASK=1"), "cpu (portable, 1 thread)");
}

}  // namespace
}  // namespace chainshot
