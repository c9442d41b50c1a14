// The chain engines of CUDA devices: thousands of chains at once, whose lines stay in the memory of the device and are
// those that the CPU's chains have, move for move. A build without a CUDA compiler has this header too.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/cuda_engine.hpp"
#include "game/chain_engine.hpp"

namespace chainshot::cuda {

// A device failed; what() says how in one sentence.
class ChainFault : public game::ChainsLost {
  using game::ChainsLost::ChainsLost;
};

// One engine for each device: those listed, or all that are usable. `memory` is in bytes, the most that the chains may
// take on each device; 0: most of what is free. Throws NoDevice.
std::vector<std::unique_ptr<game::ChainEngine>> make_cuda_chain_engines(const std::vector<int>& devices,
                                                                        std::uint64_t memory);

}  // namespace chainshot::cuda
