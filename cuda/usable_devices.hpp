// The devices that work goes to, and the memory that it may take there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cuda/cuda_engine.hpp"

namespace chainshot::cuda {

// The wanted devices, or all that are usable if none is named; `notice` is told of those that are not. Throws NoDevice.
std::vector<DeviceInfo> usable_devices(const std::vector<int>& wanted, const DeviceNotice& notice);

// The name of a device in a sentence: CUDA device 0 (NAME).
std::string title_of(const DeviceInfo& device);

// Calls `open` for each device. If it throws NoDevice, the device is left out and `notice` is told so, as long as there
// are others and no device was named; else the exception is passed on.
void open_each(const std::vector<DeviceInfo>& devices, bool are_named, const DeviceNotice& notice,
               const std::function<void(const DeviceInfo&)>& open);

// Returns the bytes to take on a device: as the user allows, or most of the free ones if he does not say (0).
std::uint64_t usable_memory(const DeviceInfo& device, std::uint64_t allowed);

}  // namespace chainshot::cuda
