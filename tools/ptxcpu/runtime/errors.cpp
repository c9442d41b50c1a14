// Implements error names and texts, the last error of each host thread, sticky errors and fault injection.
//
// PTXCPU_FAIL is a comma-separated list of
//   nodevice             no CUDA device
//   olddriver            the driver is too old for the runtime
//   nodriver             there is no driver, which CUDA reports with the same error
//   <function>:<n>       the n-th call of that API function fails
//   <function>:<n>:<error>   the n-th call fails with the error of that name
//   launch:<n>           the n-th kernel fails while it runs, and so does every later call on its device
#include <algorithm>
#include <atomic>
#include <sstream>
#include "internal.hpp"

namespace ptxcpu {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};

#define E(code, text) \
  { code, #code, text }
static const ErrorText kErrorTexts[] = {
    E(cudaSuccess, "no error"),
    E(cudaErrorInvalidValue, "invalid argument"),
    E(cudaErrorMemoryAllocation, "out of memory"),
    E(cudaErrorInitializationError, "initialization error"),
    E(cudaErrorCudartUnloading, "driver shutting down"),
    E(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    E(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    E(cudaErrorInvalidSymbol, "invalid device symbol"),
    E(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    E(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    E(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    E(cudaErrorInvalidDeviceFunction, "invalid device function"),
    E(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    E(cudaErrorInvalidDevice, "invalid device ordinal"),
    E(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    E(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    E(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    E(cudaErrorInvalidSource, "device kernel image is invalid"),
    E(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    E(cudaErrorSymbolNotFound, "named symbol not found"),
    E(cudaErrorNotReady, "device not ready"),
    E(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    E(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    E(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    E(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    E(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    E(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    E(cudaErrorContextIsDestroyed, "context is destroyed"),
    E(cudaErrorAssert, "device-side assert triggered"),
    E(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    E(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    E(cudaErrorHardwareStackError, "hardware stack error"),
    E(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    E(cudaErrorMisalignedAddress, "misaligned address"),
    E(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
    E(cudaErrorInvalidPc, "invalid program counter"),
    E(cudaErrorLaunchFailure, "unspecified launch failure"),
    E(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    E(cudaErrorNotPermitted, "operation not permitted"),
    E(cudaErrorNotSupported, "operation not supported"),
    E(cudaErrorSystemNotReady, "system not yet initialized"),
    E(cudaErrorSystemDriverMismatch, "system has unsupported display driver / cuda driver combination"),
    E(cudaErrorCompatNotSupportedOnDevice, "forward compatibility was attempted on non supported HW"),
    E(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    E(cudaErrorUnknown, "unknown error"),
    E(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    E(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    E(cudaErrorTimeout, "wait operation timed out"),
};
#undef E

static const ErrorText* error_text(cudaError_t code) {
  for (const ErrorText& e : kErrorTexts)
    if (e.code == code) return &e;
  return nullptr;
}

static cudaError_t error_by_name(const std::string& name) {
  for (const ErrorText& e : kErrorTexts)
    if (name == e.name) return e.code;
  fprintf(stderr, "ptxcpu: PTXCPU_FAIL names the unknown error %s\n", name.c_str());
  exit(2);
}

// ---- fault injection

struct Fault {
  std::string function;
  long call;
  cudaError_t error;
  long calls;
};

struct Faults {
  bool nodevice = false;
  bool olddriver = false;
  bool nodriver = false;
  std::deque<Fault> list;
};

static cudaError_t usual_error(const std::string& function) {
  if (function == "launch") return cudaErrorLaunchFailure;
  bool allocates = function.find("Alloc") != std::string::npos || function.find("alloc") != std::string::npos;
  return allocates ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

static void add_fault(Faults& faults, const std::string& entry) {
  std::istringstream in(entry);
  std::string function, call, error;
  std::getline(in, function, ':');
  std::getline(in, call, ':');
  std::getline(in, error, ':');
  faults.list.emplace_back();
  Fault& f = faults.list.back();
  f.function = function;
  f.call = strtol(call.c_str(), nullptr, 10);
  f.error = error.empty() ? usual_error(function) : error_by_name(error);
  f.calls = 0;
  if (f.call < 1) {
    fprintf(stderr, "ptxcpu: PTXCPU_FAIL: expected nodevice, nodriver, olddriver or function:n[:error], got %s\n",
            entry.c_str());
    exit(2);
  }
}

static Faults* read_faults() {
  auto* faults = new Faults;
  std::istringstream in(settings().fail);
  std::string entry;
  while (std::getline(in, entry, ',')) {
    if (entry == "nodevice")
      faults->nodevice = true;
    else if (entry == "olddriver")
      faults->olddriver = true;
    else if (entry == "nodriver")
      faults->nodriver = true;
    else if (!entry.empty())
      add_fault(*faults, entry);
  }
  return faults;
}

static Faults& faults() {
  static Faults* f = read_faults();
  return *f;
}

// Every entry counts every call, including calls that fail. The lock makes all entries see the calls of several threads
// in the same order.
bool injected(const char* function, cudaError_t* error) {
  static std::mutex counting;
  std::lock_guard<std::mutex> lock(counting);
  bool fails = false;
  for (Fault& f : faults().list) {
    if (f.function != function || ++f.calls != f.call) continue;
    *error = f.error;
    fails = true;
  }
  return fails;
}

// ---- last and sticky error

thread_local bool in_host_function;
static thread_local cudaError_t last_error;

// The error of a kernel stays with its device; other devices keep working.
static std::atomic<int>& sticky(int device) {
  static auto* errors = new std::vector<std::atomic<int>>((size_t)std::max(1, settings().devices));
  return (*errors)[(size_t)device];
}

cudaError_t sticky_error(int device) {
  return (cudaError_t)sticky(device).load();
}

void set_sticky_error(int device, cudaError_t e) {
  sticky(device) = e;
}

cudaError_t enter_any_device(const char* function) {
  if (faults().olddriver || faults().nodriver) return cudaErrorInsufficientDriver;
  if (faults().nodevice || settings().devices < 1) return cudaErrorNoDevice;
  if (in_host_function) return cudaErrorNotPermitted;
  cudaError_t error;
  return injected(function, &error) ? error : cudaSuccess;
}

cudaError_t enter(const char* function) {
  cudaError_t error = enter_any_device(function);
  if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice || error == cudaErrorNotPermitted)
    return error;
  cudaError_t of_device = sticky_error(current_device());
  return of_device ? of_device : error;
}

cudaError_t fail(cudaError_t e) {
  if (e != cudaSuccess && e != cudaErrorNotReady) last_error = e;
  return e;
}

cudaError_t take_last_error(bool clear) {
  if (cudaError_t of_device = sticky_error(current_device())) return of_device;
  cudaError_t e = last_error;
  if (clear) last_error = cudaSuccess;
  return e;
}

}  // namespace ptxcpu

extern "C" __attribute__((visibility("default"))) const char* cudaGetErrorString(cudaError_t e) {
  const ptxcpu::ErrorText* t = ptxcpu::error_text(e);
  return t ? t->text : "unrecognized error code";
}

extern "C" __attribute__((visibility("default"))) const char* cudaGetErrorName(cudaError_t e) {
  const ptxcpu::ErrorText* t = ptxcpu::error_text(e);
  return t ? t->name : "unrecognized error code";
}

API cudaGetLastError() {
  return ptxcpu::take_last_error(true);
}

API cudaPeekAtLastError() {
  return ptxcpu::take_last_error(false);
}

API cudaDriverGetVersion(int* v) {
  *v = ptxcpu::faults().nodriver || ptxcpu::settings().devices == 0 ? 0
       : ptxcpu::faults().olddriver                                 ? CUDART_VERSION - 1000
                                                                    : CUDART_VERSION;
  return cudaSuccess;
}

API cudaRuntimeGetVersion(int* v) {
  *v = CUDART_VERSION;
  return cudaSuccess;
}
