#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

#include "cuda/cuda_engine.hpp"
#include "cuda/device_sentences.hpp"
#include "cuda/playout.hpp"
#include "cuda/usable_devices.hpp"

namespace chainshot::cuda {
namespace {

std::string why_no_device(cudaError_t code, int driver_version) {
  switch (code) {
    case cudaErrorNoDevice:
      return "there is no CUDA device on this machine";
    case cudaErrorInsufficientDriver:
      if (driver_version == 0) return "there is no NVIDIA driver on this machine";
      return driver_is_too_old(driver_release(), driver_version, CUDART_VERSION);
    default:
      return std::string("CUDA does not work on this machine (") + cudaGetErrorString(code) + ")";
  }
}

std::string why_unusable(const DeviceInfo& device) {
  const cudaError_t code = try_kernels();
  if (code == cudaSuccess) return {};
  cudaGetLastError();
  if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction ||
      code == cudaErrorUnsupportedPtxVersion)
    return no_code_for(device.major, device.minor, CHAINSHOT_CUDA_OLDEST, CUDART_VERSION);
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
  list.driver_release = driver_release();
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

bool has_nvidia(const DeviceList& list) {
  return !list.devices.empty() || list.driver_version > 0 || !list.driver_release.empty();
}

std::string title_of(const DeviceInfo& device) {
  return "CUDA device " + std::to_string(device.index) + " (" + device.name + ")";
}

std::vector<DeviceInfo> usable_devices(const std::vector<int>& wanted, const DeviceNotice& notice) {
  const DeviceList list = list_devices();
  if (!list.unusable.empty()) throw NoDevice(list.unusable);
  std::vector<DeviceInfo> chosen;
  for (const int index : wanted) {
    if (index < 0 || index >= static_cast<int>(list.devices.size()))
      throw NoDevice("there is no CUDA device " + std::to_string(index) + "; this machine has " +
                     std::to_string(list.devices.size()));
    const DeviceInfo& device = list.devices[static_cast<std::size_t>(index)];
    if (!device.unusable.empty()) throw NoDevice(title_of(device) + " cannot be used: " + device.unusable);
    if (std::none_of(chosen.begin(), chosen.end(), [&](const DeviceInfo& d) { return d.index == index; }))
      chosen.push_back(device);
  }
  if (!wanted.empty()) return chosen;
  for (const DeviceInfo& device : list.devices)
    if (device.unusable.empty()) chosen.push_back(device);
  if (chosen.empty()) throw NoDevice(title_of(list.devices[0]) + " cannot be used: " + list.devices[0].unusable);
  for (const DeviceInfo& device : list.devices)
    if (!device.unusable.empty() && notice) notice(title_of(device) + " is left out: " + device.unusable);
  return chosen;
}

void open_each(const std::vector<DeviceInfo>& devices, bool are_named, const DeviceNotice& notice,
               const std::function<void(const DeviceInfo&)>& open) {
  std::vector<std::string> left_out;
  std::string first_failure;
  for (const DeviceInfo& device : devices) {
    try {
      open(device);
    } catch (const NoDevice& error) {
      const std::string failure = error.what();
      if (are_named) throw;
      if (left_out.empty()) first_failure = failure;
      left_out.push_back(failure.starts_with("CUDA device ") ? failure + "; it is left out"
                                                             : title_of(device) + " is left out: " + failure);
    }
  }
  if (left_out.size() == devices.size()) throw NoDevice(first_failure);
  for (const std::string& sentence : left_out)
    if (notice) notice(sentence);
}

std::uint64_t usable_memory(const DeviceInfo& device, std::uint64_t allowed) {
  return allowed > 0 ? std::min(allowed, device.free_memory) : device.free_memory / 100 * kShareOfMemory;
}

}  // namespace chainshot::cuda
