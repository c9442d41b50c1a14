// Instruction statistics per kernel, written to PTXCPU_STATS at exit (needs code compiled with PTXCPU_COUNT).
//
// Models: PTX instructions executed per thread and issued per warp (replay.hpp).
// Does not model: machine instructions (ptxas optimises and schedules further), latencies, memory transactions.
#include <cxxabi.h>

#include <algorithm>

#include "internal.hpp"

namespace ptxcpu {

struct KernelStats {
  uint64_t launches = 0, blocks = 0, threads = 0;
  LaunchCounts counts;
};

static std::mutex stats_mutex;

static std::map<const Kernel*, KernelStats>& table() {
  static auto* t = new std::map<const Kernel*, KernelStats>;
  return *t;
}

static std::string readable(const char* name) {
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, nullptr);
  std::string result = text ? text : name;
  free(text);
  return result;
}

static void write_row(FILE* f, const Kernel* k, const KernelStats& s) {
  const LaunchCounts& c = s.counts;
  uint64_t issued = c.instrs ? warp_instrs(k->graph, c.issues) : 0;
  fprintf(f, "%s\t%llu\t%llu\t%llu\t%llu\t%.1f\t%llu\t%llu\t%llu\t%llu\t%.3f\n", readable(k->name).c_str(),
          (unsigned long long)s.launches, (unsigned long long)s.blocks, (unsigned long long)s.threads,
          (unsigned long long)c.instrs, (double)c.instrs / (double)std::max<uint64_t>(1, s.threads),
          (unsigned long long)(c.instrs ? c.min : 0), (unsigned long long)c.max, (unsigned long long)issued,
          (unsigned long long)c.longest_lanes, c.instrs ? (double)issued * 32 / (double)c.instrs : 0);
}

static void write_stats() {
  FILE* f = fopen(settings().stats.c_str(), "w");
  if (!f) {
    fprintf(stderr, "ptxcpu: cannot write PTXCPU_STATS file %s\n", settings().stats.c_str());
    return;
  }
  fprintf(f,
          "kernel\tlaunches\tblocks\tthreads\tinstrs\tper_thread\tmin\tmax\twarp_instrs\tlongest_lane_sum\t"
          "divergence\n");
  uint64_t instrs = 0;
  for (const auto& row : table()) {
    write_row(f, row.first, row.second);
    instrs += row.second.counts.instrs;
  }
  fclose(f);
  if (!instrs && !table().empty())
    fprintf(stderr, "ptxcpu: PTXCPU_STATS: no instruction counts, the program was built without them\n");
}

bool stats_wanted() {
  static bool wanted = !settings().stats.empty() && !atexit(write_stats);
  return wanted;
}

void stats_launch(const Kernel* k, uint64_t blocks, uint64_t threads) {
  if (!stats_wanted()) return;
  std::lock_guard<std::mutex> g(stats_mutex);
  KernelStats& s = table()[k];
  s.launches++;
  s.blocks += blocks;
  s.threads += threads;
}

static void add(std::vector<uint64_t>& sum, const std::vector<uint64_t>& more) {
  sum.resize(more.size());
  std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus<>());
}

void stats_add(const Kernel* k, const LaunchCounts& counts) {
  std::lock_guard<std::mutex> g(stats_mutex);
  LaunchCounts& sum = table()[k].counts;
  sum.instrs += counts.instrs;
  sum.min = std::min(sum.min, counts.min);
  sum.max = std::max(sum.max, counts.max);
  sum.longest_lanes += counts.longest_lanes;
  add(sum.issues.warps, counts.issues.warps);
  add(sum.issues.lanes, counts.issues.lanes);
}

}  // namespace ptxcpu
