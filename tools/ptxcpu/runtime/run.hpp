// The state of a block while it runs, shared by exec.cpp and collectives.cpp.
#pragma once
#include <sys/mman.h>
#include "internal.hpp"

namespace ptxcpu {

enum State { kReady, kInWarpOp, kAtBarrier, kDone };

struct Barrier {
  uint32_t arrived = 0;
  uint32_t expected = 0;  // 0: every live thread
  uint32_t popc = 0;
  bool all = true;
  bool any = false;
};

// The block a host thread is running, with the buffers it reuses from block to block.
struct Run : Block {
  const Kernel* k;
  char* const* args;
  int device;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  Barrier barriers[16];
  uint32_t live;
  void* scheduler;  // stack pointer of the scheduler
  Thread* cur;
  char* sh;
  bool fibers;
  bool active;
  uintptr_t stack_top;  // where the CUDA threads' frames start when there are no fibers
  std::vector<char*> stacks;
  size_t stack_size;
  std::vector<char> shared_buffer;
  bool counting;
  std::vector<Decisions> decisions;  // an entry a thread with fibers, else one for each lane of the warp that runs
  std::vector<Replay> replays;       // an entry a warp with fibers
  LaunchCounts counts;

  ~Run() {
    for (char* p : stacks)
      munmap(p, stack_size);
  }
};

inline Run* run_of(Thread& t) {
  return static_cast<Run*>(t.b);
}

// Leaves the fiber of a thread until the scheduler chooses it again.
void leave(Thread& t);
// A thread that ended may be the last one a collective was waiting for.
void thread_ended(Run* r, Thread& t);

}  // namespace ptxcpu
