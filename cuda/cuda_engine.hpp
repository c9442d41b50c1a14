// The CUDA playout engine: thousands of games at once, each in a lane of a warp, with exactly the results of the CPU
// engine. It refuses policies that do not run in lanes. This header is all that the rest of the program sees of CUDA; a
// build without a CUDA compiler has it too and finds no device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::cuda {

struct DeviceInfo {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::uint64_t memory = 0;       // bytes
  std::uint64_t free_memory = 0;  // bytes
  std::string unusable;           // empty, or one sentence: why this build does not run on it
};

struct DeviceList {
  std::string unusable;     // empty, or one sentence: why no device can be used at all
  int driver_version = 0;   // as CUDA counts: 13000 is 13.0; 0 if there is none
  int toolkit_version = 0;  // that this program was built with; 0 without CUDA
  std::vector<DeviceInfo> devices = {};
  std::string driver_release = {};  // as 580.65.06; empty if it is not known
};

// Never throws because of the machine; the list says what is missing.
DeviceList list_devices();

// The release of the NVIDIA driver, as 535.183.01; empty if there is none, or none that says. Takes no time.
std::string driver_release();
// The first release of the driver that runs programs of a toolkit.
int needed_driver(int toolkit_version);

// Whether this machine has a device or a driver of NVIDIA, so that a user may wonder why it is not used.
bool has_nvidia(const DeviceList& list);

// Takes one sentence about a device that is left out, without a full stop. The thread that uses the engine calls it.
using DeviceNotice = std::function<void(const std::string& sentence)>;

// Devices that are named must all be usable, and have the memory. If none is named, those that are not are left out
// as long as there are others, and `notice` is told so.
struct CudaEngineOptions {
  std::vector<int> devices;  // by index; empty: all that are usable
  std::uint64_t memory = 0;  // bytes that the engine may take on each device; 0: most of what is free
  int slots = 3;             // launches under way on each device
  DeviceNotice notice = {};  // also told when a device fails and others go on with its work
};

// No device can be used; what() says why in one sentence.
class NoDevice : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws NoDevice.
std::unique_ptr<game::Engine> make_cuda_engine(const CudaEngineOptions& options);

}  // namespace chainshot::cuda
