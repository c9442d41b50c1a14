// Runs a kernel on the CPU.
//
// Models: blocks that run one after another, or on PTXCPU_THREADS host threads; one fiber per CUDA thread when the
// kernel uses collectives (see collectives.cpp), and a plain call per thread when it does not; a report of a deadlock
// when no thread of a block can go on. Does not model: timing, caches, weak memory ordering, concurrent blocks that
// wait for each other (cooperative launches), lock-step execution within a warp (lanes run one after another between
// collectives).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include "run.hpp"

// Saves the callee-saved registers on the current stack, stores the stack pointer and continues on another stack.
extern "C" void px_swap(void** save, void* load);
asm(R"(
.text
.globl px_swap
.type px_swap,@function
px_swap:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp,(%rdi)
    mov %rsi,%rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
.size px_swap,.-px_swap
)");

namespace ptxcpu {

static thread_local Run* current_run;

int running_device(Thread& t) {
  return run_of(t)->device;
}

uint64_t clock64_() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

static void describe(const Run* r, const Thread& t, char* text, size_t size) {
  snprintf(text, size, "kernel %s block (%u,%u,%u) thread (%u,%u,%u)", r->k->name, r->cx, r->cy, r->cz, t.tx, t.ty,
           t.tz);
}

// Tells the fault handler which CUDA thread this host thread is executing, if any.
bool describe_running_thread(char* text, size_t size) {
  Run* r = current_run;
  if (!r || !r->active || !r->cur) return false;
  describe(r, *r->cur, text, size);
  return true;
}

void trap(Thread& t, const char* why, int line) {
  char where[512];
  describe(run_of(t), t, where, sizeof where);
  fprintf(stderr, "ptxcpu: %s in %s, PTX line %d\n", why, where, line);
  fflush(nullptr);
  abort();
}

// Reserves memory for stacks and traces, which the system commits only where it is used.
static char* new_region(size_t size) {
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    perror("ptxcpu: mmap");
    abort();
  }
  return (char*)p;
}

// ---- switching between fibers

void leave(Thread& t) {
  px_swap(&t.sp, run_of(t)->scheduler);
}

void yield(Thread& t) {
  if (run_of(t)->fibers) leave(t);
}

void texit(Thread& t) {
  t.state = kDone;
  leave(t);
  abort();
}

static void fiber_main() {
  Run* r = current_run;
  Thread& t = *r->cur;
  r->k->function(t, r->args);
  texit(t);
}

// ---- statistics

// When a lane has kept this many words of decisions, its warp is replayed while it runs. That works only in kernels
// with collectives, where the lanes take turns, so that the decisions of all lanes are there. Other kernels run one
// lane after another, and a warp is replayed when its last lane has ended.
static const size_t kLongTrace = 1 << 14;

void keep_decisions(Thread& t) {
  if (t.trace.kept && t.trace.bits) t.trace.kept->add(t.trace.word, t.trace.bits);
  t.trace.word = 0;
  t.trace.bits = 0;
}

static size_t lanes_of(const Run& r, size_t warp) {
  return std::min<size_t>(32, r.nthreads - warp * 32);
}

static Replay new_replay(Run& r, size_t warp) {
  return Replay(r.k->graph, ~0u >> (32 - lanes_of(r, warp)), r.counts.issues);
}

static std::vector<Decisions>::iterator decisions_of(Run& r, size_t warp) {
  return r.decisions.begin() + (ptrdiff_t)(r.fibers ? warp * 32 : 0);
}

static void start_traces(Run& r) {
  if (!r.counting) return;
  r.decisions.resize(std::max<size_t>(32, r.nthreads));
  r.replays.clear();
  for (size_t w = 0; r.fibers && w < r.warps.size(); w++)
    r.replays.push_back(new_replay(r, w));
}

static void start_trace(Run& r, Thread& t) {
  if (!r.counting) return;
  Decisions& d = decisions_of(r, t.warp_index)[t.lane];
  d.words.clear();
  d.used = d.known = 0;
  d.complete = false;
  t.trace.kept = &d;
}

static void end_trace(Thread& t) {
  if (!t.trace.kept) return;
  keep_decisions(t);
  t.trace.kept->complete = true;
}

static void shorten_traces(Run& r, size_t warp) {
  if (!r.counting) return;
  auto decisions = decisions_of(r, warp);
  auto end = decisions + (ptrdiff_t)lanes_of(r, warp);
  if (std::all_of(decisions, end, [](const Decisions& d) { return d.words.size() < kLongTrace; })) return;
  r.replays[warp].advance(decisions);
  std::for_each(decisions, end, [](Decisions& d) { d.forget_used(); });
}

static void report_warp(Run& r, size_t warp) {
  if (!r.counting) return;
  if (!r.fibers) r.replays.assign(1, new_replay(r, warp));
  r.replays[r.fibers ? warp : 0].advance(decisions_of(r, warp));
  uint64_t longest = 0;
  for (size_t i = warp * 32; i < warp * 32 + lanes_of(r, warp); i++) {
    uint64_t instrs = r.threads[i].instrs;
    r.counts.instrs += instrs;
    r.counts.min = std::min(r.counts.min, instrs);
    r.counts.max = std::max(r.counts.max, instrs);
    longest = std::max(longest, instrs);
  }
  r.counts.longest_lanes += longest;
}

// ---- which memory belongs to a thread (for the access checks in memory.cpp)

bool in_shared(Thread& t, uintptr_t a, size_t n) {
  Run* r = run_of(t);
  uintptr_t start = (uintptr_t)r->sh;
  return a >= start && a + n <= start + r->k->total_static_shared + r->dynsize;
}

static bool in_stack(Run* r, Thread& t, uintptr_t a) {
  if (!r->fibers) return a > (uintptr_t)__builtin_frame_address(0) && a < r->stack_top;
  uintptr_t start = (uintptr_t)r->stacks[t.index];
  return a >= start && a < start + r->stack_size;
}

// Tells whether an address lies on the thread's stack (local memory) or in the kernel's parameters.
bool in_own_memory(Thread& t, uintptr_t a, size_t n) {
  Run* r = run_of(t);
  if (in_stack(r, t, a)) return true;
  for (int i = 0; i < r->k->params; i++) {
    uintptr_t start = (uintptr_t)r->args[i];
    if (a >= start && a + n <= start + r->k->param_sizes[i]) return true;
  }
  return false;
}

// ---- running a block

static void set_up_threads(Run& r) {
  uint32_t n = r.nthreads;
  r.threads.assign(n, Thread());
  r.warps.assign((n + 31) / 32, Warp{});
  for (uint32_t i = 0; i < n; i++) {
    Thread& t = r.threads[i];
    t.tx = i % r.ntx;
    t.ty = i / r.ntx % r.nty;
    t.tz = i / (r.ntx * r.nty);
    t.index = i;
    t.lane = i & 31;
    t.warp_index = i >> 5;
    t.b = &r;
    t.sh = r.sh;
    t.w = &r.warps[t.warp_index];
    t.state = kReady;
    if (!t.lane) t.w->lane0 = &t;
  }
  uint32_t rest = n & 31;
  if (rest) r.warps.back().exited = ~((1u << rest) - 1);
}

static void run_plain(Run& r) {
  r.stack_top = (uintptr_t)__builtin_frame_address(0);
  for (Thread& t : r.threads) {
    r.cur = &t;
    start_trace(r, t);
    r.k->function(t, r.args);
    end_trace(t);
    if (t.lane == 31 || t.index + 1 == r.nthreads) report_warp(r, t.warp_index);
  }
}

// Lays out a stack so that the first px_swap to it "returns" into fiber_main.
static void* first_frame(char* stack, size_t size, uint32_t i) {
  uintptr_t top = (uintptr_t)stack + size - 128 - (i & 15) * 256;
  uint64_t* s = (uint64_t*)(top & ~(uintptr_t)63);
  *--s = 0;
  *--s = (uint64_t)&fiber_main;
  s -= 6;
  memset(s, 0, 48);
  return s;
}

static void set_up_fibers(Run& r) {
  while (r.stacks.size() < r.nthreads)
    r.stacks.push_back(new_region(r.stack_size));
  for (uint32_t i = 0; i < r.nthreads; i++) {
    r.threads[i].sp = first_frame(r.stacks[i], r.stack_size, i);
    start_trace(r, r.threads[i]);
  }
}

static bool run_ready_lanes(Run& r, Thread* lanes, uint32_t count) {
  bool any = false;
  for (uint32_t l = 0; l < count; l++) {
    Thread& t = lanes[l];
    if (t.state != kReady) continue;
    any = true;
    r.cur = &t;
    px_swap(&r.scheduler, t.sp);
    if (t.state != kDone) continue;
    end_trace(t);
    thread_ended(&r, t);
  }
  return any;
}

static bool run_warp(Run& r, Warp& w) {
  Thread* lanes = w.lane0;
  uint32_t count = std::min<uint32_t>(32, r.nthreads - lanes->index);
  bool progress = false;
  for (int turn = 0; turn < 64; turn++) {
    if (!run_ready_lanes(r, lanes, count)) break;
    progress = true;
  }
  return progress;
}

static void report_deadlock(const Run& r) {
  fprintf(stderr, "ptxcpu: DEADLOCK in kernel %s block (%u,%u,%u): all %u live threads are waiting\n", r.k->name, r.cx,
          r.cy, r.cz, r.live);
  int shown = 0;
  for (const Thread& t : r.threads) {
    if (t.state == kDone || shown++ >= 40) continue;
    fprintf(stderr, "  thread %u: %s op %u mask %08x PTX line %d\n", t.index,
            t.state == kAtBarrier ? "barrier" : "warp-op", t.op, t.mask, t.line);
  }
  abort();
}

static void run_fibers(Run& r) {
  set_up_fibers(r);
  while (r.live) {
    bool progress = false;
    for (size_t w = 0; w < r.warps.size(); w++) {
      progress |= run_warp(r, r.warps[w]);
      shorten_traces(r, w);
    }
    if (!progress) report_deadlock(r);
  }
  for (size_t w = 0; w < r.warps.size(); w++)
    report_warp(r, w);
}

static void run_block(Run& r) {
  std::fill(r.shared_buffer.begin(), r.shared_buffer.end(), (char)0xCD);
  r.sh = (char*)(((uintptr_t)r.shared_buffer.data() + 127) & ~(uintptr_t)127);
  for (Barrier& b : r.barriers)
    b = Barrier();
  r.live = r.nthreads;
  r.fibers = r.k->collective;
  set_up_threads(r);
  start_traces(r);
  if (r.fibers)
    run_fibers(r);
  else
    run_plain(r);
}

// ---- running a grid

static void ensure_stack_size(Run& r, size_t need) {
  if (need <= r.stack_size) return;
  for (char* p : r.stacks)
    munmap(p, r.stack_size);
  r.stacks.clear();
  r.stack_size = (need + 65535) & ~(size_t)65535;
}

static void set_up_grid(Run& r, const KernelJob& job, uint64_t id) {
  r.k = job.kernel;
  r.args = job.args.data();
  r.device = job.device;
  r.ntx = job.block.x;
  r.nty = job.block.y;
  r.ntz = job.block.z;
  r.ncx = job.grid.x;
  r.ncy = job.grid.y;
  r.ncz = job.grid.z;
  r.nthreads = r.ntx * r.nty * r.ntz;
  r.dynsize = (uint32_t)job.shared;
  r.gridid = id;
  r.cur = nullptr;
  r.counting = stats_wanted() && r.k->counted;
  r.counts = LaunchCounts();
  if (r.counting)
    r.counts.issues = {std::vector<uint64_t>(r.k->graph.blocks), std::vector<uint64_t>(r.k->graph.blocks)};
  r.shared_buffer.resize(job.kernel->total_static_shared + job.shared + 256);
  ensure_stack_size(r, settings().stack);
  ensure_stack_size(r, job.kernel->local_bytes + 16384);
}

static void run_blocks(const KernelJob& job, uint64_t id, uint64_t blocks, std::atomic<uint64_t>& next) {
  static thread_local std::unique_ptr<Run> own;
  if (!own) own = std::make_unique<Run>();
  Run& r = *own;
  set_up_grid(r, job, id);
  current_run = &r;
  r.active = true;
  for (uint64_t i = next++; i < blocks; i = next++) {
    r.cx = i % job.grid.x;
    r.cy = i / job.grid.x % job.grid.y;
    r.cz = i / ((uint64_t)job.grid.x * job.grid.y);
    run_block(r);
  }
  r.active = false;
  if (r.counting) stats_add(r.k, r.counts);
}

void run_kernel(KernelJob& job) {
  static std::atomic<uint64_t> grids{0};
  OpenDeviceMemory open;
  uint64_t blocks = (uint64_t)job.grid.x * job.grid.y * job.grid.z;
  uint64_t id = ++grids;
  uint64_t start = clock64_();
  std::atomic<uint64_t> next{0};
  stats_launch(job.kernel, blocks, blocks * job.block.x * job.block.y * job.block.z);
  if (settings().threads <= 1 || blocks == 1) {
    run_blocks(job, id, blocks, next);
  } else {
    std::vector<std::thread> workers;
    for (int i = 0; i < settings().threads; i++)
      workers.emplace_back([&] { run_blocks(job, id, blocks, next); });
    for (std::thread& t : workers)
      t.join();
  }
  if (settings().verbose)
    fprintf(stderr, "ptxcpu: %s <<<(%u,%u,%u),(%u,%u,%u),%zu>>> %.3f ms\n", job.kernel->name, job.grid.x, job.grid.y,
            job.grid.z, job.block.x, job.block.y, job.block.z, job.shared, (clock64_() - start) * 1e-6);
}

}  // namespace ptxcpu
