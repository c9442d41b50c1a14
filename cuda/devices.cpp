#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

#include "cuda/cuda_engine.hpp"
#include "cuda/playout.hpp"
#include "cuda/usable_devices.hpp"

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

constexpr std::uint64_t kShareOfMemory = 80;  // per cent of what is free

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

std::vector<DeviceInfo> usable_devices(const std::vector<int>& wanted) {
  const DeviceList list = list_devices();
  if (!list.unusable.empty()) throw NoDevice(list.unusable);
  std::vector<DeviceInfo> chosen;
  for (const int index : wanted) {
    if (index < 0 || index >= static_cast<int>(list.devices.size()))
      throw NoDevice("there is no CUDA device " + std::to_string(index) + "; this machine has " +
                     std::to_string(list.devices.size()));
    const DeviceInfo& device = list.devices[static_cast<std::size_t>(index)];
    if (!device.unusable.empty())
      throw NoDevice("CUDA device " + std::to_string(index) + " (" + device.name +
                     ") cannot be used: " + device.unusable);
    if (std::none_of(chosen.begin(), chosen.end(), [&](const DeviceInfo& d) { return d.index == index; }))
      chosen.push_back(device);
  }
  if (!wanted.empty()) return chosen;
  for (const DeviceInfo& device : list.devices)
    if (device.unusable.empty()) chosen.push_back(device);
  if (chosen.empty())
    throw NoDevice("CUDA device 0 (" + list.devices[0].name + ") cannot be used: " + list.devices[0].unusable);
  return chosen;
}

std::uint64_t usable_memory(const DeviceInfo& device, std::uint64_t allowed) {
  return allowed > 0 ? std::min(allowed, device.free_memory) : device.free_memory / 100 * kShareOfMemory;
}

}  // namespace chainshot::cuda
