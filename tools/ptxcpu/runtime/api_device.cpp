// Implements the entry points for devices (count, selection, properties, limits, peers) and the device-side printf.
//
// Models: PTXCPU_DEVICES equal devices with limits like those of sm_80 and the compute capability of the PTX.
// Does not model: peer access (the answer is always "no"), device flags (accepted and ignored).
#include "internal.hpp"

namespace ptxcpu {

static cudaError_t check_device(int device) {
  return device >= 0 && device < settings().devices ? cudaSuccess : cudaErrorInvalidDevice;
}

static void fill_properties(cudaDeviceProp* p, int device) {
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "ptxcpu %d", device);
  p->major = device_arch() / 10;
  p->minor = device_arch() % 10;
  p->multiProcessorCount = settings().sms;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 2048;
  p->maxBlocksPerMultiProcessor = 32;
  p->maxThreadsDim[0] = 1024;
  p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = 65535;
  p->maxGridSize[2] = 65535;
  p->sharedMemPerBlock = 48 << 10;
  p->sharedMemPerBlockOptin = 163 << 10;
  p->sharedMemPerMultiprocessor = 164 << 10;
  p->reservedSharedMemPerBlock = 1 << 10;
  p->regsPerBlock = 65536;
  p->regsPerMultiprocessor = 65536;
  p->totalGlobalMem = settings().memory;
  p->totalConstMem = 64 << 10;
  p->l2CacheSize = 40 << 20;
  p->memoryBusWidth = 256;
  p->unifiedAddressing = 1;
  p->canMapHostMemory = 1;
  p->concurrentKernels = 1;
  p->asyncEngineCount = 2;
  p->pciDeviceID = device;
}

static int attribute(const cudaDeviceProp& p, cudaDeviceAttr a) {
  switch (a) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return (int)p.sharedMemPerBlock;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return (int)p.sharedMemPerBlockOptin;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return (int)p.sharedMemPerMultiprocessor;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return (int)p.reservedSharedMemPerBlock;
    case cudaDevAttrTotalConstantMemory:
      return (int)p.totalConstMem;
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrClockRate:
      return 1000000;
    case cudaDevAttrUnifiedAddressing:
      return 1;
    case cudaDevAttrCanMapHostMemory:
      return 1;
    case cudaDevAttrConcurrentKernels:
      return 1;
    default:
      return 0;
  }
}

// ---- device printf

// Reads the argument buffer of vprintf, in which every argument is aligned to its size.
class PrintfArguments {
 public:
  explicit PrintfArguments(const char* start) : at_(start) {}
  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T v = ld<T>(at_ + offset_);
    offset_ += sizeof(T);
    return v;
  }

 private:
  const char* at_;
  size_t offset_ = 0;
};

static void print_one(std::string& out, const std::string& spec, bool wide, PrintfArguments& args) {
  char text[512];
  char c = spec.back();
  if (strchr("fFeEgGaA", c))
    snprintf(text, sizeof text, spec.c_str(), args.next<double>());
  else if (wide || c == 's' || c == 'p')
    snprintf(text, sizeof text, spec.c_str(), args.next<uint64_t>());
  else
    snprintf(text, sizeof text, spec.c_str(), args.next<uint32_t>());
  out += text;
}

int vprintf_(const char* f, const char* buffer) {
  PrintfArguments args(buffer);
  std::string out;
  int count = 0;
  while (*f) {
    if (*f != '%') {
      out += *f++;
      continue;
    }
    if (f[1] == '%') {
      out += '%';
      f += 2;
      continue;
    }
    std::string spec = "%";
    bool wide = false;
    for (f++; *f && !strchr("diouxXcsfFeEgGaAp", *f); f++) {
      wide |= *f == 'l' || *f == 'z' || *f == 'j';
      if (*f != 'h') spec += *f;
    }
    if (!*f) break;
    spec += *f++;
    print_one(out, spec, wide, args);
    count++;
  }
  fputs(out.c_str(), stdout);
  return count;
}

}  // namespace ptxcpu

using namespace ptxcpu;

API cudaGetDeviceCount(int* n) {
  *n = 0;
  if (cudaError_t e = enter_any_device("cudaGetDeviceCount")) return fail(e);
  *n = settings().devices;
  return cudaSuccess;
}

API cudaGetDevice(int* device) {
  if (cudaError_t e = enter_any_device("cudaGetDevice")) return fail(e);
  *device = current_device();
  return cudaSuccess;
}

API cudaSetDevice(int device) {
  if (cudaError_t e = enter_any_device("cudaSetDevice")) return fail(e);
  return fail(set_current_device(device));
}

API cudaSetDeviceFlags(unsigned) {
  ENTER(cudaSetDeviceFlags);
  return cudaSuccess;
}

API cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  ENTER(cudaGetDeviceProperties);
  cudaError_t e = check_device(device);
  if (e) return fail(e);
  fill_properties(p, device);
  return cudaSuccess;
}

API cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int device) {
  ENTER(cudaDeviceGetAttribute);
  cudaError_t e = check_device(device);
  if (e) return fail(e);
  cudaDeviceProp p;
  fill_properties(&p, device);
  *v = attribute(p, a);
  return cudaSuccess;
}

API cudaDeviceGetPCIBusId(char* text, int size, int device) {
  ENTER(cudaDeviceGetPCIBusId);
  snprintf(text, size, "0000:%02x:00.0", device);
  return fail(check_device(device));
}

API cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  ENTER(cudaDeviceCanAccessPeer);
  *can = 0;
  return fail(check_device(device) ? check_device(device) : check_device(peer));
}

// Finishes the work of the current device, frees its memory and clears a sticky error.
API cudaDeviceReset() {
  cudaError_t e = enter("cudaDeviceReset");
  if (e && e != sticky_error(current_device())) return fail(e);
  synchronize_device(current_device());
  free_all(current_device());
  set_sticky_error(current_device(), cudaSuccess);
  return cudaSuccess;
}
