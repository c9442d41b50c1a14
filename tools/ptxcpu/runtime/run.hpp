// The state of a block while it runs, shared by exec.cpp and collectives.cpp.
#pragma once
#include <sys/mman.h>
#include "internal.hpp"

namespace ptxcpu {

enum State { kReady, kInWarpOp, kAtBarrier, kDone };

struct Barrier {
  uint32_t arrived = 0;
  uint32_t expected = 0;  // 0 stands for every live thread
  uint32_t popc = 0;
  bool all = true;
  bool any = false;
};

// The block that a host thread is running, with buffers that the thread reuses for the next block.
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
  std::vector<Decisions> decisions;  // with fibers one per thread, else one per lane of the running warp
  std::vector<Replay> replays;       // with fibers one per warp, else one
  LaunchCounts counts;

  ~Run() {
    for (char* p : stacks)
      munmap(p, stack_size);
  }
};

inline Run* run_of(Thread& t) {
  return static_cast<Run*>(t.b);
}

// Suspends the fiber of a thread until the scheduler chooses it again.
void leave(Thread& t);
// Marks a thread as ended and completes the collectives that waited only for it.
void thread_ended(Run* r, Thread& t);

}  // namespace ptxcpu
