#include "cluster/launch.hpp"

#include <gtest/gtest.h>

#include <map>

namespace chainshot::cluster {
namespace {

std::optional<Launch> launch_with(const std::map<std::string, std::string>& variables) {
  return find_launch([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launch, IsNoneForAProgramThatIsStartedByHand) {
  EXPECT_FALSE(launch_with({}));
}

TEST(Launch, KnowsTheRanksOfMpirun) {
  const auto launch = launch_with({{"OMPI_COMM_WORLD_SIZE", "3"}, {"OMPI_COMM_WORLD_RANK", "2"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->launcher, "mpirun");
  EXPECT_EQ(launch->rank, 2);
  EXPECT_EQ(launch->ranks, 3);
}

TEST(Launch, IsNoneForASingleRank) {
  EXPECT_FALSE(launch_with({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}));
}

TEST(Launch, KnowsTheTasksOfSrunIfTheyKnowEachOther) {
  const auto launch = launch_with({{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->launcher, "srun");
  EXPECT_EQ(launch->ranks, 4);
  // Without PMIx each task is a program of its own, as in a job array.
  EXPECT_FALSE(launch_with({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}}));
}

TEST(Launch, IsSwitchedOffByAVariable) {
  EXPECT_FALSE(launch_with({{"CHAINSHOT_MPI", "off"}, {"OMPI_COMM_WORLD_SIZE", "3"}, {"OMPI_COMM_WORLD_RANK", "2"}}));
}

}  // namespace
}  // namespace chainshot::cluster
