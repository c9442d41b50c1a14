// Implements device memory and pinned memory.
//
// Models: one address range per device, so that a pointer determines its device; a limit and exact accounting per
// device; fresh memory filled with 0xCB and freed memory with 0xDE; gaps between allocations; the check of every access
// of a kernel (PTXCPU_CHECK builds); device memory that host code cannot touch (PTXCPU_PROTECT). Does not model:
// managed memory, protection of __device__ variables from the host, detection of a host access while another host
// thread runs a kernel.
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <csignal>
#include "internal.hpp"

namespace ptxcpu {

static const size_t kGranule = 256;
static const size_t kGap = 256;
static const size_t kFillLimit = 256u << 20;

struct Arena {
  char* base = nullptr;
  size_t reserved = 0;
  size_t high = 0;  // end of all memory that was ever handed out
  size_t used = 0;
  std::map<size_t, size_t> holes;  // free ranges below `high`, from offset to bytes
};

static std::mutex memory_mutex;
static std::map<uintptr_t, Alloc> allocs;
static std::vector<Arena> arenas;
static std::atomic<uint64_t> epoch{1};  // changes with every allocation and release
static int open_count;

static size_t page_up(size_t n) {
  return (n + 4095) & ~(size_t)4095;
}

// ---- protection of device memory

static void set_access(int access) {
  for (Arena& a : arenas)
    if (a.high) mprotect(a.base, page_up(a.high), access);
}

OpenDeviceMemory::OpenDeviceMemory() {
  if (!settings().protect) return;
  std::lock_guard<std::mutex> g(memory_mutex);
  if (open_count++ == 0) set_access(PROT_READ | PROT_WRITE);
}

OpenDeviceMemory::~OpenDeviceMemory() {
  if (!settings().protect) return;
  std::lock_guard<std::mutex> g(memory_mutex);
  if (--open_count == 0) set_access(PROT_NONE);
}

static struct sigaction previous_action;

static int arena_of(uintptr_t a) {
  for (size_t i = 0; i < arenas.size(); i++) {
    uintptr_t base = (uintptr_t)arenas[i].base;
    if (base && a >= base && a < base + arenas[i].reserved) return (int)i;
  }
  return -1;
}

static void describe_host_fault(uintptr_t a, int device, char* text, size_t size) {
  auto it = allocs.upper_bound(a);
  if (it != allocs.begin() && a < std::prev(it)->second.base + std::prev(it)->second.size) {
    const Alloc& al = std::prev(it)->second;
    snprintf(text, size,
             "ptxcpu: host code touched device memory at %p: byte %zu of allocation #%llu (%zu bytes at %p, "
             "device %d)\n",
             (void*)a, (size_t)(a - al.base), (unsigned long long)al.serial, al.size, (void*)al.base, device);
    return;
  }
  snprintf(text, size, "ptxcpu: host code touched device memory at %p: no live allocation there (device %d)\n",
           (void*)a, device);
}

// Reports what the access touched, then lets it fault again under the previous handler.
static void on_segv(int, siginfo_t* info, void*) {
  uintptr_t a = (uintptr_t)info->si_addr;
  char text[512] = "";
  char where[300];
  int device = arena_of(a);
  if (describe_running_thread(where, sizeof where))
    snprintf(text, sizeof text, "ptxcpu: invalid memory access at %p in %s\n", (void*)a, where);
  else if (device >= 0)
    describe_host_fault(a, device, text, sizeof text);
  if (write(2, text, strlen(text)) < 0) _exit(139);
  sigaction(SIGSEGV, &previous_action, nullptr);
}

static void install_handler() {
  struct sigaction action = {};
  action.sa_sigaction = on_segv;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, &previous_action);
}

// ---- device memory

static Arena& arena(int device) {
  if (arenas.empty()) {
    arenas.resize(settings().devices);
    install_handler();
  }
  Arena& a = arenas[device];
  if (a.base) return a;
  a.reserved = page_up(settings().memory * 2 + (1u << 30));
  int access = settings().protect ? PROT_NONE : PROT_READ | PROT_WRITE;
  void* p = mmap(nullptr, a.reserved, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    perror("ptxcpu: reserving device memory");
    abort();
  }
  a.base = (char*)p;
  return a;
}

static bool take_hole(Arena& a, size_t bytes, size_t* offset) {
  for (auto it = a.holes.begin(); it != a.holes.end(); ++it) {
    if (it->second < bytes) continue;
    *offset = it->first;
    size_t rest = it->second - bytes;
    a.holes.erase(it);
    if (rest) a.holes[*offset + bytes] = rest;
    return true;
  }
  return false;
}

static void give_hole(Arena& a, size_t offset, size_t bytes) {
  auto next = a.holes.lower_bound(offset);
  if (next != a.holes.end() && next->first == offset + bytes) {
    bytes += next->second;
    next = a.holes.erase(next);
  }
  if (next != a.holes.begin() && std::prev(next)->first + std::prev(next)->second == offset) {
    std::prev(next)->second += bytes;
    return;
  }
  a.holes[offset] = bytes;
}

static size_t rounded(size_t n) {
  return (n + kGranule - 1) / kGranule * kGranule;
}

static uint64_t next_serial() {
  static uint64_t serial;
  return ++serial;
}

static void remember(void* p, size_t n, Kind kind, int device) {
  allocs[(uintptr_t)p] = Alloc{(uintptr_t)p, n, kind, device, next_serial()};
  epoch++;
}

static bool reserve_device(size_t n, int device, char** p) {
  std::lock_guard<std::mutex> g(memory_mutex);
  Arena& a = arena(device);
  size_t bytes = rounded(n);
  if (bytes < n || bytes > settings().memory || a.used + bytes > settings().memory) return false;
  size_t offset;
  if (!take_hole(a, bytes + kGap, &offset)) {
    if (a.high + bytes + kGap > a.reserved) return false;
    offset = a.high;
    a.high += bytes + kGap;
    if (open_count) set_access(PROT_READ | PROT_WRITE);
  }
  a.used += bytes;
  *p = a.base + offset;
  remember(*p, n, Kind::kDevice, device);
  return true;
}

cudaError_t device_alloc(void** p, size_t n, int device) {
  *p = nullptr;
  if (!n) return cudaSuccess;
  char* memory;
  if (!reserve_device(n, device, &memory)) return cudaErrorMemoryAllocation;
  OpenDeviceMemory open;
  if (n < kFillLimit) memset(memory, 0xCB, n);
  *p = memory;
  return cudaSuccess;
}

static void wipe(char* p, size_t n) {
  if (n < kFillLimit) {
    memset(p, 0xDE, n);
    return;
  }
  uintptr_t from = page_up((uintptr_t)p);
  uintptr_t to = ((uintptr_t)p + n) & ~(uintptr_t)4095;
  madvise((void*)from, to - from, MADV_DONTNEED);
}

static void free_device(const Alloc& al) {
  OpenDeviceMemory open;
  wipe((char*)al.base, al.size);
  std::lock_guard<std::mutex> g(memory_mutex);
  Arena& a = arenas[al.device];
  size_t bytes = rounded(al.size);
  a.used -= bytes;
  give_hole(a, al.base - (uintptr_t)a.base, bytes + kGap);
}

void free_all(int device) {
  std::vector<void*> gone;
  {
    std::lock_guard<std::mutex> g(memory_mutex);
    for (auto& a : allocs)
      if (a.second.device == device && a.second.kind == Kind::kDevice) gone.push_back((void*)a.first);
  }
  for (void* p : gone)
    release(p, false);
}

void memory_info(int device, size_t* free_bytes, size_t* total) {
  std::lock_guard<std::mutex> g(memory_mutex);
  *total = settings().memory;
  *free_bytes = settings().memory - arena(device).used;
}

// ---- pinned memory

cudaError_t host_alloc(void** p, size_t n) {
  *p = nullptr;
  if (!n) return cudaSuccess;
  size_t bytes = page_up(n);
  if (bytes < n) return cudaErrorMemoryAllocation;
  void* memory = aligned_alloc(4096, bytes);
  if (!memory) return cudaErrorMemoryAllocation;
  if (n < kFillLimit) memset(memory, 0xCB, n);
  std::lock_guard<std::mutex> g(memory_mutex);
  remember(memory, n, Kind::kPinned, 0);
  *p = memory;
  return cudaSuccess;
}

static bool may_release(Kind kind, bool host) {
  return kind == (host ? Kind::kPinned : Kind::kDevice);
}

cudaError_t release(void* p, bool host) {
  Alloc al;
  {
    std::lock_guard<std::mutex> g(memory_mutex);
    auto it = allocs.find((uintptr_t)p);
    if (it == allocs.end() || !may_release(it->second.kind, host)) return cudaErrorInvalidValue;
    al = it->second;
    allocs.erase(it);
    epoch++;
  }
  if (al.kind == Kind::kDevice)
    free_device(al);
  else
    free(p);
  return cudaSuccess;
}

// ---- looking addresses up

static const Alloc* lookup(uintptr_t a) {
  auto it = allocs.upper_bound(a);
  if (it == allocs.begin()) return nullptr;
  const Alloc& al = std::prev(it)->second;
  return a < al.base + al.size ? &al : nullptr;
}

bool find_alloc(const void* p, Alloc* out) {
  std::lock_guard<std::mutex> g(memory_mutex);
  const Alloc* al = lookup((uintptr_t)p);
  if (al) *out = *al;
  return al;
}

static const Variable* lookup_variable(uintptr_t a) {
  for (const Variable* v = variables(); v; v = v->next)
    if (a >= (uintptr_t)v->addr && a < (uintptr_t)v->addr + v->size) return v;
  return nullptr;
}

static bool in_arena(const void* p) {
  std::lock_guard<std::mutex> g(memory_mutex);
  return arena_of((uintptr_t)p) >= 0;
}

bool is_device_memory(const void* p) {
  return in_arena(p) || lookup_variable((uintptr_t)p);
}

// Checks that [p, p+n) stays within one allocation or lies in plain host memory.
cudaError_t check_range(const void* p, size_t n) {
  uintptr_t a = (uintptr_t)p;
  if (const Variable* v = lookup_variable(a))
    return a + n <= (uintptr_t)v->addr + v->size ? cudaSuccess : cudaErrorInvalidValue;
  Alloc al;
  if (find_alloc(p, &al)) return a + n <= al.base + al.size ? cudaSuccess : cudaErrorInvalidValue;
  return in_arena(p) ? cudaErrorInvalidValue : cudaSuccess;
}

static bool device_side(const void* p) {
  Alloc al;
  return is_device_memory(p) || find_alloc(p, &al);
}

cudaError_t check_copy(const void* d, const void* s, size_t n, cudaMemcpyKind kind) {
  if (!n) return cudaSuccess;
  if (!d || !s || check_range(d, n) || check_range(s, n)) return cudaErrorInvalidValue;
  bool device_destination = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool device_source = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  bool host_destination = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
  bool host_source = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if ((device_destination && !device_side(d)) || (device_source && !device_side(s))) return cudaErrorInvalidValue;
  if ((host_destination && is_device_memory(d)) || (host_source && is_device_memory(s))) return cudaErrorInvalidValue;
  return cudaSuccess;
}

// ---- checks of a kernel's own accesses (PTXCPU_CHECK builds)

struct CachedRange {
  uintptr_t low = 1, high = 0;
  uint64_t epoch = 0;
  int device = -1;
};

[[noreturn]] static void bad_access(Thread& t, const char* why, const char* what, const void* p, size_t n, int line) {
  char text[256];
  snprintf(text, sizeof text, "%s: %s %p size %zu", why, what, p, n);
  trap(t, text, line);
}

// The allocations that the kernels of a host thread touched last. The cache finds most addresses without a lock.
struct RangeCache {
  CachedRange ranges[8];
  unsigned next = 0;

  bool holds(uintptr_t a, size_t n, int device) const {
    for (const CachedRange& r : ranges)
      if (a >= r.low && a + n <= r.high && r.epoch == epoch && r.device == device) return true;
    return false;
  }

  void add(const Alloc& al, int device) {
    CachedRange& r = ranges[next++ % 8];
    r.low = al.base;
    r.high = al.base + al.size;
    r.epoch = epoch;
    r.device = device;
  }
};

static bool in_known_memory(Thread& t, const void* p, size_t n, const char* what, int line) {
  static thread_local RangeCache cache;
  uintptr_t a = (uintptr_t)p;
  int device = running_device(t);
  if (cache.holds(a, n, device)) return true;
  Alloc al;
  if (find_alloc(p, &al) && a + n <= al.base + al.size) {
    if (al.kind == Kind::kDevice && al.device != device)
      bad_access(t, "memory of another device without peer access", what, p, n, line);
    cache.add(al, device);
    return true;
  }
  const Variable* v = lookup_variable(a);
  return v && a + n <= (uintptr_t)v->addr + v->size;
}

void check_access(Thread& t, const void* p, size_t n, int space, const char* what, int line) {
  uintptr_t a = (uintptr_t)p;
  if (a % std::min<size_t>(n, 16)) bad_access(t, "misaligned address", what, p, n, line);
  bool shared = in_shared(t, a, n);
  if (space == 2) {
    if (!shared)
      bad_access(t, "address outside the block's shared memory", what, (void*)(a - (uintptr_t)t.sh), n, line);
    return;
  }
  if (space == 0 && (shared || in_own_memory(t, a, n))) return;
  if (!in_known_memory(t, p, n, what, line)) bad_access(t, "invalid address", what, p, n, line);
}

}  // namespace ptxcpu
