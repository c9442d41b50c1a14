// What is said of drivers and devices that cannot be used. Builds without a CUDA compiler say it too.
#pragma once

#include <string>

namespace chainshot::cuda {

// The release of the NVIDIA driver in the text of /proc/driver/nvidia/version, as 535.183.01; empty if it has none.
std::string driver_release_in(const std::string& text);

// A version as CUDA counts it: 12080 is 12.8.
std::string cuda_version_text(int version);

// Each returns one sentence without a full stop. `release` may be empty, and `driver_version` is the CUDA that the
// driver supports.
std::string driver_is_too_old(const std::string& release, int driver_version, int toolkit_version);
std::string no_code_for(int major, int minor, int oldest_capability, int toolkit_version);
std::string built_without_cuda(const std::string& release);

}  // namespace chainshot::cuda
