#include "machine/allowance.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

#include "machine/numa.hpp"

namespace chainshot::machine {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// The words of a small file; none if it cannot be read.
std::vector<std::string> words_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; file >> word;)
    words.push_back(word);
  return words;
}

// The number that a file of a cgroup holds; unlimited for `max`, -1 or no file.
std::uint64_t limit_in(const std::string& path) {
  const std::vector<std::string> words = words_of(path);
  return words.empty() ? kUnlimited : whole_number(words[0]).value_or(kUnlimited);
}

std::uint64_t processors_for(std::uint64_t quota, std::uint64_t period) {
  if (quota == kUnlimited || period == kUnlimited || period == 0) return kUnlimited;
  return std::max<std::uint64_t>(1, quota / period + (quota % period != 0));
}

struct Limits {
  std::uint64_t processors = kUnlimited;
  std::uint64_t memory = kUnlimited;
};

// Reads the files of one cgroup; those that are not there limit nothing.
void add_limits(const std::string& folder, Limits& limits) {
  if (const std::vector<std::string> words = words_of(folder + "/cpu.max"); words.size() == 2)
    limits.processors = std::min(limits.processors, processors_for(whole_number(words[0]).value_or(kUnlimited),
                                                                   whole_number(words[1]).value_or(kUnlimited)));
  limits.processors = std::min(limits.processors, processors_for(limit_in(folder + "/cpu.cfs_quota_us"),
                                                                 limit_in(folder + "/cpu.cfs_period_us")));
  for (const char* const file : {"/memory.max", "/memory.high", "/memory.limit_in_bytes"})
    limits.memory = std::min(limits.memory, limit_in(folder + file));
}

// A cgroup is also bound by those that it lies in. A container may see the path that its cgroup has outside, which is
// not there inside; then only the top counts, which is the container's own.
void add_limits_upwards(const std::string& mount, std::string path, Limits& limits) {
  while (!path.empty() && path != "/") {
    add_limits(mount + path, limits);
    path.erase(path.rfind('/'));
  }
  add_limits(mount, limits);
}

// Lines of /proc/self/cgroup are `0::/path` (version 2) or `4:cpu,cpuacct:/path` (version 1, a folder per controller).
Limits cgroup_limits(const std::string& root) {
  Limits limits;
  const std::string mount = root + "/sys/fs/cgroup";
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    if (controllers.empty()) {
      add_limits_upwards(mount, path, limits);
      continue;
    }
    add_limits_upwards(mount + '/' + controllers, path, limits);
    std::istringstream names(controllers);
    for (std::string name; std::getline(names, name, ',');)
      if (name == "cpu" || name == "memory") add_limits_upwards(mount + '/' + name, path, limits);
  }
  return limits;
}

// A variable of Slurm; 0 stands for no limit there.
std::uint64_t slurm_limit(const Sources& sources, const char* name) {
  const char* const text = sources.variable ? sources.variable(name) : nullptr;
  const std::uint64_t value = text == nullptr ? 0 : whole_number(text).value_or(0);
  return value == 0 ? kUnlimited : value;
}

// Of a job on this node. A job asks for memory by node or by processor.
std::uint64_t slurm_megabytes(const Sources& sources) {
  const std::uint64_t of_node = slurm_limit(sources, "SLURM_MEM_PER_NODE");
  const std::uint64_t of_processor = slurm_limit(sources, "SLURM_MEM_PER_CPU");
  const std::uint64_t processors =
      std::min(slurm_limit(sources, "SLURM_CPUS_PER_TASK"), slurm_limit(sources, "SLURM_CPUS_ON_NODE"));
  const bool is_known = of_processor != kUnlimited && processors != kUnlimited;
  return is_known && of_processor <= kUnlimited / processors ? std::min(of_node, of_processor * processors) : of_node;
}

int processors_in_affinity_mask() {
  const std::size_t allowed = allowed_processors().size();
  return allowed > 0 ? static_cast<int>(allowed) : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Sources this_process() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  const bool is_known = pages > 0 && page > 0;
  return {.root = {},
          .processors = processors_in_affinity_mask(),
          .memory_bytes = is_known ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : 0,
          .variable = [](const char* name) -> const char* { return std::getenv(name); }};
}

}  // namespace

int usable_processors(const Sources& sources) {
  const std::uint64_t granted =
      std::min(cgroup_limits(sources.root).processors, slurm_limit(sources, "SLURM_CPUS_PER_TASK"));
  return static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(sources.processors), granted));
}

std::uint64_t usable_memory(const Sources& sources) {
  const std::uint64_t megabytes = slurm_megabytes(sources);
  const std::uint64_t slurm = megabytes > kUnlimited >> 20 ? kUnlimited : megabytes << 20;
  const std::uint64_t machine = sources.memory_bytes == 0 ? kUnlimited : sources.memory_bytes;
  const std::uint64_t least = std::min({machine, cgroup_limits(sources.root).memory, slurm});
  return least == kUnlimited ? 0 : least;
}

namespace {

int taken_processors = 0;  // 0: all that are usable
int taken_processes = 1;

}  // namespace

void take_share(int processors, int processes_on_machine) {
  taken_processors = std::max(1, processors);
  taken_processes = std::max(1, processes_on_machine);
}

int usable_processors() {
  static const int kProcessors = usable_processors(this_process());
  return taken_processors > 0 ? taken_processors : kProcessors;
}

std::uint64_t usable_memory() {
  static const std::uint64_t kMemory = usable_memory(this_process());
  return (kMemory > 0 ? kMemory : std::uint64_t{4} << 30) / static_cast<std::uint64_t>(taken_processes);
}

}  // namespace chainshot::machine
