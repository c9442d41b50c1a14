// How many processors and how much memory this process may use: not those of the whole machine, but what affinity,
// cgroups and the batch system Slurm leave to it. This is the only place that asks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace chainshot::machine {

// Where the answers come from; tests make up other sources.
struct Sources {
  std::string root = {};                                  // of /proc and /sys
  int processors = 1;                                     // in the affinity mask
  std::uint64_t memory_bytes = 0;                         // of the machine; 0: unknown
  std::function<const char*(const char*)> variable = {};  // of the environment; null if it is not set
};

// A cgroup may grant a fraction of a processor, which counts as a whole one.
int usable_processors(const Sources& sources);
// 0 if nothing is known.
std::uint64_t usable_memory(const Sources& sources);

// The answers for this process, at least 1. They are found once: limits that change later do not count.
int usable_processors();
// In bytes; 4 GiB if nothing is known.
std::uint64_t usable_memory();

// From now on this process has only so many processors and a part of the memory: it shares the machine with other
// processes of the same run. Call it before any thread asks.
void take_share(int processors, int processes_on_machine);

}  // namespace chainshot::machine
