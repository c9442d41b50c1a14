#include <cuda_runtime_api.h>

#include <string>

#include "cuda/cuda_engine.hpp"
#include "cuda/playout.hpp"

namespace chainshot::cuda {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string why_no_device(cudaError_t code, int driver_version) {
  const std::string needed = version_text(CUDART_VERSION);
  switch (code) {
    case cudaErrorNoDevice:
      return "there is no CUDA device on this machine";
    case cudaErrorInsufficientDriver:
      if (driver_version == 0) return "there is no NVIDIA driver on this machine";
      return "the NVIDIA driver supports CUDA " + version_text(driver_version) + "; this program needs one for CUDA " +
             needed + " or later";
    default:
      return std::string("CUDA does not work on this machine (") + cudaGetErrorString(code) + ")";
  }
}

std::string why_unusable(const DeviceInfo& device) {
  const cudaError_t code = try_kernels();
  if (code == cudaSuccess) return {};
  cudaGetLastError();
  const std::string capability = std::to_string(device.major) + "." + std::to_string(device.minor);
  if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction ||
      code == cudaErrorUnsupportedPtxVersion)
    return "this build has no code for compute capability " + capability + "; it runs on 7.5 and later";
  return std::string("it does not answer (") + cudaGetErrorString(code) + ")";
}

DeviceInfo describe(int index) {
  DeviceInfo device;
  device.index = index;
  cudaDeviceProp properties{};
  cudaError_t code = cudaSetDevice(index);
  if (code == cudaSuccess) code = cudaGetDeviceProperties(&properties, index);
  std::size_t free = 0, total = 0;
  if (code == cudaSuccess) code = cudaMemGetInfo(&free, &total);
  device.name = properties.name[0] != 0 ? properties.name : "unknown";
  device.major = properties.major;
  device.minor = properties.minor;
  device.multiprocessors = properties.multiProcessorCount;
  device.memory = properties.totalGlobalMem;
  device.free_memory = free;
  if (code == cudaSuccess) {
    device.unusable = why_unusable(device);
  } else {
    cudaGetLastError();
    device.unusable = std::string("it does not answer (") + cudaGetErrorString(code) + ")";
  }
  return device;
}

}  // namespace

DeviceList list_devices() {
  DeviceList list;
  list.toolkit_version = CUDART_VERSION;
  if (cudaDriverGetVersion(&list.driver_version) != cudaSuccess) list.driver_version = 0;
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    cudaGetLastError();
    list.unusable = why_no_device(code == cudaSuccess ? cudaErrorNoDevice : code, list.driver_version);
    return list;
  }
  int before = 0;
  cudaGetDevice(&before);
  for (int i = 0; i < count; ++i)
    list.devices.push_back(describe(i));
  cudaSetDevice(before);
  return list;
}

}  // namespace chainshot::cuda
