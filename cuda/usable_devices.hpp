// The devices that work goes to, and the memory that it may take there.
#pragma once

#include <vector>

#include "cuda/cuda_engine.hpp"

namespace chainshot::cuda {

// The wanted devices, or all that are usable if none is named. Throws NoDevice.
std::vector<DeviceInfo> usable_devices(const std::vector<int>& wanted);

// Returns the bytes to take on a device: as the user allows, or most of the free ones if he does not say (0).
std::uint64_t usable_memory(const DeviceInfo& device, std::uint64_t allowed);

}  // namespace chainshot::cuda
