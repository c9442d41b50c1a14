// Registers kernels and variables, and launches kernels.
//
// nvcc's host stubs register host addresses under device names (__cudaRegisterFunction, __cudaRegisterVar); the
// generated C++ registers the translated kernels and variables (ptxcpu::enlist). Both carry the same module handle,
// because the launcher renames __cudaRegisterFatBinary in the host object to a function of the generated file.
//
// Does not model: relocatable device code, __managed__ variables, cooperative launches.
#include <algorithm>
#include <atomic>
#include "internal.hpp"

namespace ptxcpu {

static Kernel* kernels;
static Variable* vars;
static int arch;

void enlist(Kernel* k) {
  k->next = kernels;
  kernels = k;
  arch = std::max(arch, k->arch);
}

void enlist(Variable* v) {
  v->next = vars;
  vars = v;
}

const Variable* variables() {
  return vars;
}

int translated_arch() {
  return arch;
}

struct HostName {
  const char* name;
  const void* module;
};

struct HostNames {
  std::map<const void*, HostName> functions, variables;
  std::map<const void*, const Kernel*> found;
  std::map<const Kernel*, int> dynamic_shared;
  std::mutex mutex;
};

static HostNames& names() {
  static auto* n = new HostNames;
  return *n;
}

// Prefers the translated item of the same module, because other modules may use the same names.
template <class Item>
static const Item* find_item(const Item* list, const HostName& n) {
  const Item* other = nullptr;
  for (const Item* i = list; i; i = i->next) {
    if (strcmp(i->name, n.name) != 0) continue;
    if (i->module == n.module) return i;
    other = i;
  }
  return other;
}

const Kernel* find_kernel(const void* host_function) {
  HostNames& n = names();
  std::lock_guard<std::mutex> g(n.mutex);
  auto known = n.found.find(host_function);
  if (known != n.found.end()) return known->second;
  auto it = n.functions.find(host_function);
  if (it == n.functions.end()) return nullptr;
  const Kernel* k = find_item(kernels, it->second);
  if (!k)
    fprintf(stderr, "ptxcpu: kernel %s has no translated PTX\n", it->second.name);
  else
    n.found[host_function] = k;
  return k;
}

const Variable* find_variable(const void* host_symbol) {
  HostNames& n = names();
  std::lock_guard<std::mutex> g(n.mutex);
  auto it = n.variables.find(host_symbol);
  return it == n.variables.end() ? nullptr : find_item(vars, it->second);
}

// ---- launches

static const size_t kDefaultSharedLimit = 48 << 10;
static const size_t kOptinSharedLimit = 163 << 10;

int max_dynamic_shared(const Kernel* k) {
  HostNames& n = names();
  std::lock_guard<std::mutex> g(n.mutex);
  auto it = n.dynamic_shared.find(k);
  int usual = (int)(kDefaultSharedLimit - std::min<size_t>(kDefaultSharedLimit, k->static_shared));
  return it == n.dynamic_shared.end() ? usual : std::max(it->second, usual);
}

static cudaError_t check_launch(const Kernel* k, dim3 g, dim3 b, size_t shared) {
  uint64_t threads = (uint64_t)b.x * b.y * b.z;
  if (!g.x || !g.y || !g.z || !threads) return cudaErrorInvalidConfiguration;
  if (threads > 1024 || b.x > 1024 || b.y > 1024 || b.z > 64) return cudaErrorInvalidConfiguration;
  if (g.x > 2147483647u || g.y > 65535 || g.z > 65535) return cudaErrorInvalidConfiguration;
  if (k->max_threads && threads > k->max_threads) return cudaErrorInvalidValue;
  if (shared > (size_t)max_dynamic_shared(k)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

// Copies the arguments at once, because the caller may change them before the kernel runs.
static std::shared_ptr<KernelJob> make_job(const Kernel* k, dim3 g, dim3 b, void** args, size_t shared) {
  auto job = std::make_shared<KernelJob>();
  job->kernel = k;
  job->grid = g;
  job->block = b;
  job->shared = shared;
  job->device = current_device();
  std::vector<size_t> offsets;
  size_t words = 0;
  for (int i = 0; i < k->params; i++) {
    offsets.push_back(words);
    words += (k->param_sizes[i] + 15) / 16 * 2;
  }
  job->storage.resize(words + 2);
  uintptr_t start = ((uintptr_t)job->storage.data() + 15) & ~(uintptr_t)15;
  for (int i = 0; i < k->params; i++) {
    char* copy = (char*)start + offsets[i] * 8;
    memcpy(copy, args[i], k->param_sizes[i]);
    job->args.push_back(copy);
  }
  return job;
}

static cudaError_t launch(const void* function, dim3 g, dim3 b, void** args, size_t shared, cudaStream_t stream) {
  const Kernel* k = find_kernel(function);
  if (!k) return cudaErrorInvalidDeviceFunction;
  cudaError_t e = check_launch(k, g, b, shared);
  if (e) return e;
  int device;
  if (stream_device(stream, &device) || device != current_device()) return cudaErrorInvalidResourceHandle;
  cudaError_t injected_error;
  if (injected("launch", &injected_error))
    return submit(stream, [=](int failing) { set_sticky_error(failing, injected_error); });
  auto job = make_job(k, g, b, args, shared);
  return submit(stream, [job](int device_of_stream) {
    if (!sticky_error(device_of_stream)) run_kernel(*job);
  });
}

struct LaunchConfiguration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
static thread_local std::vector<LaunchConfiguration> configurations;

}  // namespace ptxcpu

using namespace ptxcpu;
#define STUB extern "C" __attribute__((visibility("default")))

// ---- what nvcc's host stubs call

STUB void** __cudaRegisterFatBinary(void*) {
  static void* none;
  return &none;
}

STUB void __cudaRegisterFatBinaryEnd(void**) {}

STUB void __cudaUnregisterFatBinary(void**) {}

STUB char __cudaInitModule(void**) {
  return 1;
}

STUB void __cudaRegisterFunction(void** module, const char* host, char* device, const char*, int, uint3*, uint3*, dim3*,
                                 dim3*, int*) {
  names().functions[host] = {device, module};
}

STUB void __cudaRegisterVar(void** module, char* host, char*, const char* name, int, size_t, int, int) {
  names().variables[host] = {name, module};
}

STUB void __cudaRegisterManagedVar(void**, void**, char*, const char* name, int, size_t, int, int) {
  fprintf(stderr, "ptxcpu: the __managed__ variable %s is not supported\n", name);
}

STUB unsigned __cudaPushCallConfiguration(dim3 g, dim3 b, size_t shared, cudaStream_t s) {
  configurations.push_back({g, b, shared, s});
  return 0;
}

API __cudaPopCallConfiguration(dim3* g, dim3* b, size_t* shared, void* s) {
  if (configurations.empty()) return fail(cudaErrorMissingConfiguration);
  LaunchConfiguration c = configurations.back();
  configurations.pop_back();
  *g = c.grid;
  *b = c.block;
  *shared = c.shared;
  *(cudaStream_t*)s = c.stream;
  return cudaSuccess;
}

API __cudaGetKernel(cudaKernel_t* k, const void* function) {
  *k = (cudaKernel_t)function;
  return cudaSuccess;
}

// ---- launch entry points

API cudaLaunchKernel(const void* function, dim3 g, dim3 b, void** args, size_t shared, cudaStream_t s) {
  ENTER(cudaLaunchKernel);
  return fail(launch(function, g, b, args, shared, s));
}

API __cudaLaunchKernel(cudaKernel_t k, dim3 g, dim3 b, void** args, size_t shared, cudaStream_t s) {
  return cudaLaunchKernel((const void*)k, g, b, args, shared, s);
}

API cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* function, void** args) {
  return cudaLaunchKernel(function, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, c->stream);
}

API cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  ENTER(cudaFuncSetAttribute);
  const Kernel* k = find_kernel(function);
  if (!k) return fail(cudaErrorInvalidDeviceFunction);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || k->static_shared + (size_t)value > kOptinSharedLimit) return fail(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> g(names().mutex);
  names().dynamic_shared[k] = value;
  return cudaSuccess;
}

API cudaFuncGetAttributes(cudaFuncAttributes* a, const void* function) {
  ENTER(cudaFuncGetAttributes);
  memset(a, 0, sizeof *a);
  const Kernel* k = find_kernel(function);
  if (!k) return fail(cudaErrorInvalidDeviceFunction);
  a->ptxVersion = device_arch();
  a->binaryVersion = device_arch();
  a->maxThreadsPerBlock = k->max_threads ? (int)k->max_threads : 1024;
  a->numRegs = 32;
  a->sharedSizeBytes = k->static_shared;
  a->localSizeBytes = k->local_bytes;
  a->maxDynamicSharedSizeBytes = max_dynamic_shared(k);
  return cudaSuccess;
}

API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                           size_t shared, unsigned) {
  ENTER(cudaOccupancyMaxActiveBlocksPerMultiprocessor);
  const Kernel* k = find_kernel(function);
  if (!k) return fail(cudaErrorInvalidDeviceFunction);
  if (threads < 1) return fail(cudaErrorInvalidValue);
  size_t bytes = k->static_shared + shared + 1024;
  *blocks = std::min(2048 / ((threads + 31) / 32 * 32), (int)((164u << 10) / bytes));
  *blocks = threads > 1024 ? 0 : std::min(*blocks, 32);
  return cudaSuccess;
}

API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
