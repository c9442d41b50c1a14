// The beam step of a CUDA device: the open states stay in its memory, Thrust and CUB select the best of them, and it
// selects exactly the states that the CPU's step selects for the same plan. It holds boards of the small geometry only.
// A build without a CUDA compiler has this header too.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/cuda_engine.hpp"
#include "game/beam_step.hpp"

namespace chainshot::cuda {

struct CudaBeamOptions {
  std::vector<int> devices;       // by index; the first of them, or the first that is usable, holds the beam
  std::uint64_t memory = 0;       // bytes that the step may take on the device; 0: most of what is free
  std::vector<int> without = {};  // devices that have failed
  DeviceNotice notice = {};       // told of devices that cannot be used, if none is named
};

// A device failed; what() says how in one sentence. The beam on it is lost.
class BeamFault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A plan must be for a small board and have a cap of memory of at most memory_limit(). `begin`, `expand` and `children`
// throw BeamFault.
class CudaBeamStep : public game::BeamStep {
 public:
  virtual std::uint64_t memory_limit() const = 0;
  virtual std::string name() const = 0;  // as an engine's: cuda (NAME OF THE DEVICE)
  virtual int device() const = 0;        // its index
};

// Throws NoDevice.
std::unique_ptr<CudaBeamStep> make_cuda_beam_step(const CudaBeamOptions& options);

}  // namespace chainshot::cuda
