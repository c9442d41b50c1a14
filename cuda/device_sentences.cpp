#include "cuda/device_sentences.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>

#include "cuda/cuda_engine.hpp"

namespace chainshot::cuda {
namespace {

constexpr int kCuda13 = 13000;
constexpr int kOldestCapability = 52;  // of any build

// 61 is 6.1, and 120 is 12.0.
std::string capability_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

}  // namespace

std::string driver_release() {
  const char* folder = std::getenv("CHAINSHOT_NVIDIA_FOLDER");  // for tests
  std::ifstream file(std::string(folder != nullptr ? folder : "/proc/driver/nvidia") + "/version");
  return driver_release_in({std::istreambuf_iterator<char>(file), {}});
}

std::string driver_release_in(const std::string& text) {
  static const std::regex pattern(R"(\s(\d{3,}(\.\d+)+)\s)");
  std::smatch found;
  return std::regex_search(text, found, pattern) ? found[1].str() : "";
}

int needed_driver(int toolkit_version) {
  return toolkit_version >= kCuda13 ? 580 : 525;
}

std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string driver_is_too_old(const std::string& release, int driver_version, int toolkit_version) {
  const bool other_build_runs = toolkit_version >= kCuda13 && driver_version >= 12000;
  return "the NVIDIA driver" + (release.empty() ? "" : " " + release) + " supports CUDA " +
         cuda_version_text(driver_version) + ", and this program, built with CUDA " +
         cuda_version_text(toolkit_version) + ", needs driver " + std::to_string(needed_driver(toolkit_version)) +
         " or later; update the driver" +
         (other_build_runs ? ", or build for this one with './tools/run.sh --cuda devices'" : "");
}

std::string no_code_for(int major, int minor, int oldest_capability, int toolkit_version) {
  const std::string has_none =
      "this build has no code for compute capability " + std::to_string(major) + "." + std::to_string(minor);
  if (major * 10 + minor < kOldestCapability)
    return has_none + "; chainshot runs on " + capability_text(kOldestCapability) + " and later";
  const bool other_build_runs = toolkit_version >= kCuda13 && major * 10 + minor < oldest_capability;
  return has_none + "; it runs on " + capability_text(oldest_capability) + " and later" +
         (other_build_runs ? ", and './tools/run.sh --cuda devices' builds for this one" : "");
}

std::string built_without_cuda(const std::string& release) {
  return "this program was built without CUDA" +
         (release.empty() ? "" : ", and this machine has the NVIDIA driver " + release) +
         "; './tools/run.sh --cuda devices' builds it with CUDA";
}

}  // namespace chainshot::cuda
