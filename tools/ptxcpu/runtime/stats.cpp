// At exit, writes instruction statistics per kernel to the file PTXCPU_STATS, and per source function and per source
// line to files beside it. Needs code compiled with PTXCPU_COUNT.
//
// Models: PTX instructions executed per thread and issued per warp (replay.hpp).
// Does not model: machine instructions (ptxas optimises and schedules further), latencies, memory transactions.
#include <cxxabi.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "internal.hpp"

namespace ptxcpu {

struct KernelStats {
  uint64_t launches = 0, blocks = 0, threads = 0;
  LaunchCounts counts;
};

static std::mutex stats_mutex;

struct ByName {
  bool operator()(const Kernel* a, const Kernel* b) const {
    int order = strcmp(a->name, b->name);
    return order ? order < 0 : a < b;
  }
};

static std::map<const Kernel*, KernelStats, ByName>& table() {
  static auto* t = new std::map<const Kernel*, KernelStats, ByName>;
  return *t;
}

static std::string readable(const std::string& name) {
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, nullptr);
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

struct SourceCount {
  uint64_t warp_instrs = 0, instrs = 0, self = 0;

  void add(uint64_t warps, uint64_t lanes) {
    warp_instrs += warps;
    instrs += lanes;
  }
};
using SourceTable = std::map<std::string, SourceCount>;

static void write_source(FILE* f, const Kernel* k, const SourceTable& rows, bool with_self) {
  std::vector<std::pair<std::string, SourceCount>> sorted(rows.begin(), rows.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.warp_instrs > b.second.warp_instrs; });
  for (const auto& [name, count] : sorted) {
    if (!count.warp_instrs) continue;
    fprintf(f, "%s\t%s\t%llu\t%llu", readable(k->name).c_str(), name.c_str(), (unsigned long long)count.warp_instrs,
            (unsigned long long)count.instrs);
    if (with_self) fprintf(f, "\t%llu", (unsigned long long)count.self);
    fputc('\n', f);
  }
}

static void count_source(const Kernel* k, const Issues& issues, SourceTable& functions, SourceTable& lines) {
  for (uint32_t i = 0; i < k->graph.source_rows; i++) {
    const SourceLine& row = k->graph.source[i];
    uint64_t warps = issues.warps[row.block] * row.instrs, lanes = issues.lanes[row.block] * row.instrs;
    std::istringstream in(row.functions);
    std::set<std::string> met;
    std::string mangled, name;
    while (in >> mangled) {
      name = readable(mangled);
      if (met.insert(name).second) functions[name].add(warps, lanes);
    }
    functions[name].self += warps;
    lines[name + "\t" + row.file + ":" + std::to_string(row.line)].add(warps, lanes);
  }
}

static FILE* open_table(const std::string& name, const char* heading) {
  FILE* f = fopen(name.c_str(), "w");
  if (f)
    fprintf(f, "%s\n", heading);
  else
    fprintf(stderr, "ptxcpu: cannot write the statistics to %s\n", name.c_str());
  return f;
}

static void write_stats() {
  const std::string& name = settings().stats;
  FILE* f = open_table(name,
                       "kernel\tlaunches\tblocks\tthreads\tinstrs\tper_thread\tmin\tmax\twarp_instrs\t"
                       "longest_lane_sum\tdivergence");
  if (!f) return;
  uint64_t instrs = 0;
  for (const auto& [kernel, stats] : table()) {
    write_row(f, kernel, stats);
    instrs += stats.counts.instrs;
  }
  fclose(f);
  if (!instrs) {
    if (!table().empty())
      fprintf(stderr, "ptxcpu: no instruction counts: the program was built without CHAINSHOT_EMULATOR_STATS\n");
    return;
  }
  FILE* by_function = open_table(name + ".functions", "kernel\tfunction\twarp_instrs\tinstrs\tself_warp_instrs");
  FILE* by_line = open_table(name + ".lines", "kernel\tfunction\tline\twarp_instrs\tinstrs");
  if (!by_function || !by_line) return;
  for (const auto& [kernel, stats] : table()) {
    if (!stats.counts.instrs) continue;
    SourceTable functions, lines;
    count_source(kernel, stats.counts.issues, functions, lines);
    write_source(by_function, kernel, functions, true);
    write_source(by_line, kernel, lines, false);
  }
  fclose(by_function);
  fclose(by_line);
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

// Checks that the replayed lanes executed as many instructions as the threads counted.
static void check_replay(const Kernel* k, const LaunchCounts& counts) {
  uint64_t replayed = 0;
  for (uint32_t block = 0; block < k->graph.blocks; block++)
    replayed += counts.issues.lanes[block] * k->graph.flow[block].instrs;
  if (replayed == counts.instrs) return;
  fprintf(stderr, "ptxcpu: kernel %s executed %llu instructions, but the replay of its warps has %llu\n", k->name,
          (unsigned long long)counts.instrs, (unsigned long long)replayed);
  abort();
}

void stats_add(const Kernel* k, const LaunchCounts& counts) {
  check_replay(k, counts);
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
