// Sets up small situations for `run` - faults, limits, address spaces, statistics - and prints what the API answers.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static __global__ void touch(int* p) {
  *p = 1;
}

static __global__ void uniform(int* p, int n) {
  int x = threadIdx.x;
  for (int i = 0; i < n; i++)
    x = x * 1664525 + 1013904223;
  p[threadIdx.x] = x;
}

// Odd and even lanes take different loops of the same length, so a warp issues both.
static __global__ void two_paths(int* p, int n) {
  int x = threadIdx.x;
  if (x & 1)
    for (int i = 0; i < n; i++)
      x = x * 1664525 + 1013904223;
  else
    for (int i = 0; i < n; i++)
      x = x * 22695477 + 1;
  p[threadIdx.x] = x;
}

// Lane l takes l + 1 turns of the same loop, so a warp issues as many turns as its slowest lane.
static __global__ void uneven(int* p) {
  int x = threadIdx.x;
  for (volatile int i = 0; i <= (int)threadIdx.x; i = i + 1)
    x = x * 1664525 + 1013904223;
  p[threadIdx.x] = x;
}

static __global__ void deadlock(int* p) {
  if (threadIdx.x < 16) {
    __shfl_sync(0xffffffffu, 1, 0);
    *p = 1;
  } else {
    __syncthreads();
  }
}

static void say(const char* what, cudaError_t e) {
  printf("%s %s\n", what, cudaGetErrorName(e));
}

static void probe_malloc() {
  for (int i = 0; i < 4; i++) {
    void* p = nullptr;
    say("malloc", cudaMalloc(&p, 1 << 20));
  }
}

static void probe_launch() {
  int* p = nullptr;
  say("malloc", cudaMalloc(&p, 4));
  for (int i = 0; i < 3; i++) {
    touch<<<1, 1>>>(p);
    say("sync", cudaDeviceSynchronize());
  }
  say("last", cudaGetLastError());
  say("free", cudaFree(p));
}

static void probe_count() {
  int n = -1;
  cudaError_t e = cudaGetDeviceCount(&n);
  printf("count %d %s: %s\n", n, cudaGetErrorName(e), cudaGetErrorString(e));
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  printf("driver %s\n", driver == 0 ? "none" : driver < runtime ? "old" : "new");
  void* p = nullptr;
  say("malloc", cudaMalloc(&p, 4));
}

static void probe_devices() {
  int n = 0;
  int can = -1;
  void* p[2] = {};
  size_t free_bytes[2] = {}, total = 0;
  cudaGetDeviceCount(&n);
  printf("count %d\n", n);
  for (int d = 0; d < 2; d++) {
    say("set", cudaSetDevice(d));
    say("malloc", cudaMalloc(&p[d], (d + 1) << 20));
    cudaMemGetInfo(&free_bytes[d], &total);
    printf("used %zu\n", total - free_bytes[d]);
  }
  say("set", cudaSetDevice(2));
  cudaDeviceCanAccessPeer(&can, 0, 1);
  printf("peer %d\n", can);
  touch<<<1, 1>>>((int*)p[0]);
  say("foreign", cudaDeviceSynchronize());
}

static void probe_failing_device() {
  int* p[2] = {};
  for (int d = 0; d < 2; d++) {
    cudaSetDevice(d);
    cudaMalloc(&p[d], 4);
  }
  touch<<<1, 1>>>(p[1]);
  say("sync 1", cudaDeviceSynchronize());
  say("set 0", cudaSetDevice(0));
  touch<<<1, 1>>>(p[0]);
  say("sync 0", cudaDeviceSynchronize());
  say("set 1", cudaSetDevice(1));
  say("free 1", cudaFree(p[1]));
  say("reset 1", cudaDeviceReset());
  say("malloc 1", cudaMalloc(&p[1], 4));
}

static void probe_host_read() {
  int* p = nullptr;
  cudaMalloc(&p, 4096);
  cudaMemset(p, 0, 4096);
  printf("value %d\n", p[2]);
}

static void probe_kernel_host(bool on_heap) {
  int local = 0;
  int* p = on_heap ? (int*)malloc(64) : &local;
  touch<<<1, 1>>>(p);
  say("sync", cudaDeviceSynchronize());
  printf("value %d\n", *p);
}

static void probe_bounds() {
  int* p = nullptr;
  cudaMalloc(&p, 4096);
  touch<<<1, 1>>>(p + 1024);
  say("sync", cudaDeviceSynchronize());
}

static void probe_deadlock() {
  int* p = nullptr;
  cudaMalloc(&p, 4);
  deadlock<<<1, 32>>>(p);
  say("sync", cudaDeviceSynchronize());
}

static void probe_stats() {
  int* p = nullptr;
  cudaMalloc(&p, 256);
  uniform<<<3, 64>>>(p, 1000);
  two_paths<<<1, 64>>>(p, 1000);
  uneven<<<1, 32>>>(p);
  say("sync", cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
  struct Probe {
    const char* name;
    void (*run)();
  };
  const Probe probes[] = {{"malloc", probe_malloc},
                          {"launch", probe_launch},
                          {"count", probe_count},
                          {"devices", probe_devices},
                          {"failing-device", probe_failing_device},
                          {"host-read", probe_host_read},
                          {"kernel-heap", [] { probe_kernel_host(true); }},
                          {"kernel-stack", [] { probe_kernel_host(false); }},
                          {"bounds", probe_bounds},
                          {"deadlock", probe_deadlock},
                          {"stats", probe_stats}};
  for (const Probe& probe : probes) {
    if (argc != 2 || std::strcmp(argv[1], probe.name) != 0) continue;
    probe.run();
    return 0;
  }
  return 2;
}
