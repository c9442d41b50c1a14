// Stands in for what devices do where the program is built without a CUDA compiler.
#include "cuda/cuda_beam_step.hpp"
#include "cuda/cuda_chain_engine.hpp"
#include "cuda/cuda_engine.hpp"

namespace chainshot::cuda {
namespace {

constexpr const char* kNoCuda = "this program was built without CUDA; './tools/run.sh --cuda' builds it with CUDA";

}  // namespace

DeviceList list_devices() {
  return {.unusable = kNoCuda};
}

std::unique_ptr<game::Engine> make_cuda_engine(const CudaEngineOptions&) {
  throw NoDevice(kNoCuda);
}

std::unique_ptr<CudaBeamStep> make_cuda_beam_step(const CudaBeamOptions&) {
  throw NoDevice(kNoCuda);
}

std::vector<std::unique_ptr<game::ChainEngine>> make_cuda_chain_engines(const std::vector<int>&, std::uint64_t,
                                                                        const ChainLaunchLimits&) {
  throw NoDevice(kNoCuda);
}

}  // namespace chainshot::cuda
