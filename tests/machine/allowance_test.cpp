// What a process may use of the machine, from made-up folders of cgroups and variables of Slurm.
#include "machine/allowance.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace chainshot::machine {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

class Allowance : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) / ("allowance-" + std::to_string(::getpid()));
    std::filesystem::remove_all(root_);
    sources_.root = root_;
    sources_.processors = 64;
    sources_.memory_bytes = 256 * kGiB;
    sources_.variable = [this](const char* name) -> const char* {
      const auto found = environment_.find(name);
      return found == environment_.end() ? nullptr : found->second.c_str();
    };
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void expect(int processors, std::uint64_t memory) const {
    EXPECT_EQ(usable_processors(sources_), processors);
    EXPECT_EQ(usable_memory(sources_), memory);
  }

  std::filesystem::path root_;
  Sources sources_;
  std::map<std::string, std::string> environment_;
};

TEST_F(Allowance, IsTheMachineWhereNothingLimitsIt) {
  expect(64, 256 * kGiB);
  write("proc/self/cgroup", "0::/user.slice\n");
  write("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/user.slice/memory.max", "max\n");
  expect(64, 256 * kGiB);
}

TEST_F(Allowance, FollowsCgroupsOfVersion2) {
  write("proc/self/cgroup", "0::/job/step\n");
  write("sys/fs/cgroup/job/step/cpu.max", "800000 100000\n");
  write("sys/fs/cgroup/job/step/memory.max", "34359738368\n");
  expect(8, 32 * kGiB);
  // The group that this one lies in grants less.
  write("sys/fs/cgroup/job/cpu.max", "250000 100000\n");  // 2.5 processors
  write("sys/fs/cgroup/job/memory.high", "8589934592\n");
  expect(3, 8 * kGiB);
  write("sys/fs/cgroup/job/cpu.max", "1000 100000\n");
  expect(1, 8 * kGiB);
}

// Inside a container the path of the group outside is not there; its own group is the top.
TEST_F(Allowance, FollowsTheGroupOfAContainer) {
  write("proc/self/cgroup", "0::/../../docker/0123abcd\n");
  write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  write("sys/fs/cgroup/memory.max", "2147483648\n");
  expect(4, 2 * kGiB);
}

TEST_F(Allowance, FollowsCgroupsOfVersion1) {
  write("proc/self/cgroup", "5:memory:/slurm/job_7\n4:cpu,cpuacct:/slurm/job_7\n1:name=systemd:/x\n");
  write("sys/fs/cgroup/cpu,cpuacct/slurm/job_7/cpu.cfs_quota_us", "1600000\n");
  write("sys/fs/cgroup/cpu,cpuacct/slurm/job_7/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "9223372036854771712\n");  // the kernel's "no limit"
  expect(16, 256 * kGiB);
  write("sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "17179869184\n");
  write("sys/fs/cgroup/cpu/slurm/job_7/cpu.cfs_quota_us", "-1\n");  // where `cpu` is a folder of its own: no limit
  write("sys/fs/cgroup/cpu/slurm/job_7/cpu.cfs_period_us", "100000\n");
  expect(16, 16 * kGiB);
}

TEST_F(Allowance, FollowsSlurm) {
  environment_ = {{"SLURM_CPUS_PER_TASK", "12"}, {"SLURM_MEM_PER_NODE", "4096"}};  // MiB
  expect(12, 4 * kGiB);
  environment_ = {{"SLURM_CPUS_PER_TASK", "12"}, {"SLURM_MEM_PER_CPU", "2048"}};
  expect(12, 24 * kGiB);
  environment_ = {{"SLURM_CPUS_ON_NODE", "3"}, {"SLURM_MEM_PER_CPU", "1024"}, {"SLURM_MEM_PER_NODE", "8192"}};
  expect(64, 3 * kGiB);
  environment_ = {{"SLURM_CPUS_PER_TASK", "128"}, {"SLURM_MEM_PER_NODE", "0"}};  // 0: all of the node
  expect(64, 256 * kGiB);
  environment_ = {{"SLURM_CPUS_PER_TASK", "many"}, {"SLURM_MEM_PER_NODE", "4G"}};
  expect(64, 256 * kGiB);
}

TEST_F(Allowance, OfMemoryMayBeUnknown) {
  sources_.memory_bytes = 0;
  EXPECT_EQ(usable_memory(sources_), 0u);
  environment_ = {{"SLURM_MEM_PER_NODE", "1024"}};
  EXPECT_EQ(usable_memory(sources_), kGiB);
}

}  // namespace
}  // namespace chainshot::machine
