// Annealing chains on CUDA devices: thousands of them at once, four lanes each, with exactly the lines of
// game/reference_chain.hpp. A build without a CUDA compiler has this header too.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/cuda_engine.hpp"
#include "game/chain_engine.hpp"

namespace chainshot::cuda {

// A device failed; what() says how in one sentence. The chains on it are lost, and every later call throws it again.
class ChainFault : public game::ChainsLost {
 public:
  using ChainsLost::ChainsLost;
};

// How much a launch does. Results never depend on it.
struct ChainLaunchLimits {
  int turns = 0;           // 0: as many as take some 30 milliseconds
  int spare_slots = 1000;  // positions of an evaluation that no move of its line led to, if there is room for so many
};
// A launch with fewer turns might never finish an evaluation.
inline constexpr int kFewestTurns = 512;

// An engine for each of the devices, or for all that are usable if none is named, which may take so much memory of its
// device (0: most of what is free). Devices are left out as CudaEngineOptions says. Throws NoDevice.
std::vector<std::unique_ptr<game::ChainEngine>> make_cuda_chain_engines(const std::vector<int>& devices,
                                                                        std::uint64_t memory,
                                                                        const ChainLaunchLimits& limits = {},
                                                                        const DeviceNotice& notice = {});

}  // namespace chainshot::cuda
