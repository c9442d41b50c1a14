// Declarations that the files of the runtime library share. Generated code sees only ptxcpu.hpp.
//
//   settings.cpp  environment variables
//   errors.cpp    error names and texts, last error, sticky error, fault injection
//   exec.cpp      runs a kernel: grids, blocks, fibers
//   collectives.cpp   warp operations and barriers
//   replay.cpp    finds the instructions that a warp issues
//   stats.cpp     instruction statistics
//   memory.cpp    device and pinned allocations; address checks; protection of device memory
//   streams.cpp   deferred streams and events
//   module.cpp    registration of kernels and variables by nvcc's host stubs; launches
//   api_*.cpp     the remaining cudart entry points, thin wrappers over the above
#pragma once
#include <cuda_runtime_api.h>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
#include "replay.hpp"

#define API extern "C" __attribute__((visibility("default"))) cudaError_t
// The first statement of an API function: returns from it when an error is sticky or injected.
#define ENTER(name)                                         \
  do {                                                      \
    cudaError_t entry_ = ptxcpu::enter(#name);              \
    if (entry_ != cudaSuccess) return ptxcpu::fail(entry_); \
  } while (0)

namespace ptxcpu {

// ---- settings.cpp
struct Settings {
  int arch;            // PTXCPU_ARCH; 0 stands for that of the translated PTX
  int sms;             // PTXCPU_SMS
  int devices;         // PTXCPU_DEVICES
  int threads;         // PTXCPU_THREADS: host threads that run blocks
  int verbose;         // PTXCPU_VERBOSE
  size_t memory;       // PTXCPU_MEM: bytes per device
  size_t stack;        // PTXCPU_STACK: bytes of stack per CUDA thread
  bool eager;          // PTXCPU_EAGER
  bool pageable_sync;  // PTXCPU_PAGEABLE_SYNC
  bool protect;        // PTXCPU_PROTECT
  uint64_t order;      // PTXCPU_ORDER: seed of a random order among streams; 0 runs the newest stream first
  std::string fail;    // PTXCPU_FAIL
  std::string stats;   // PTXCPU_STATS
};
const Settings& settings();
int device_arch();

// ---- errors.cpp
cudaError_t enter(const char* function);
cudaError_t enter_any_device(const char* function);  // ignores a sticky error of the current device
cudaError_t fail(cudaError_t e);
cudaError_t take_last_error(bool clear);
cudaError_t sticky_error(int device);
void set_sticky_error(int device, cudaError_t e);
bool injected(const char* function, cudaError_t* error);
extern thread_local bool in_host_function;

// ---- exec.cpp
struct KernelJob {
  const Kernel* kernel;
  dim3 grid, block;
  size_t shared;
  int device;
  std::vector<uint64_t> storage;  // copies of the arguments
  std::vector<char*> args;
};
void run_kernel(KernelJob& job);
bool describe_running_thread(char* text, size_t size);
int running_device(Thread& t);
bool in_shared(Thread& t, uintptr_t a, size_t n);
bool in_own_memory(Thread& t, uintptr_t a, size_t n);

// ---- stats.cpp
// The counts of one launch by one host thread.
struct LaunchCounts {
  uint64_t instrs = 0, min = ~0ull, max = 0;  // sum, minimum and maximum over threads
  uint64_t longest_lanes = 0;                 // sum over warps of the longest lane
  Issues issues;
};
bool stats_wanted();
void stats_launch(const Kernel* k, uint64_t blocks, uint64_t threads);
void stats_add(const Kernel* k, const LaunchCounts& counts);

// ---- memory.cpp
enum class Kind { kDevice, kPinned };
struct Alloc {
  uintptr_t base;
  size_t size;
  Kind kind;
  int device;
  uint64_t serial;
};
cudaError_t device_alloc(void** p, size_t n, int device);
cudaError_t host_alloc(void** p, size_t n);
cudaError_t release(void* p, bool host);
bool find_alloc(const void* p, Alloc* out);
bool is_device_memory(const void* p);
cudaError_t check_range(const void* p, size_t n);
cudaError_t check_copy(const void* d, const void* s, size_t n, cudaMemcpyKind kind);
void memory_info(int device, size_t* free_bytes, size_t* total);
void free_all(int device);
// Device memory is open to this process while an object of this type lives.
struct OpenDeviceMemory {
  OpenDeviceMemory();
  ~OpenDeviceMemory();
};

// ---- streams.cpp
using Task = std::function<void(int device)>;  // receives the device of its stream
int current_device();
cudaError_t set_current_device(int device);
cudaError_t submit(cudaStream_t stream, Task task);
cudaError_t submit_and_wait(cudaStream_t stream, Task task);
cudaError_t synchronize_stream(cudaStream_t stream);
cudaError_t synchronize_device(int device);
bool is_default_stream(cudaStream_t stream);
cudaError_t stream_device(cudaStream_t stream, int* device);

// ---- module.cpp
const Kernel* find_kernel(const void* host_function);
const Variable* find_variable(const void* host_symbol);
const Variable* variables();
int translated_arch();
int max_dynamic_shared(const Kernel* k);

}  // namespace ptxcpu
