// Stands in for what devices do where the program is built without a CUDA compiler.
#include "cuda/cuda_beam_step.hpp"
#include "cuda/cuda_chain_engine.hpp"
#include "cuda/cuda_engine.hpp"
#include "cuda/device_sentences.hpp"

namespace chainshot::cuda {

DeviceList list_devices() {
  const std::string release = driver_release();
  return {.unusable = built_without_cuda(release), .driver_release = release};
}

bool has_nvidia(const DeviceList& list) {
  return !list.driver_release.empty();
}

std::unique_ptr<game::Engine> make_cuda_engine(const CudaEngineOptions&) {
  throw NoDevice(built_without_cuda(driver_release()));
}

std::unique_ptr<CudaBeamStep> make_cuda_beam_step(const CudaBeamOptions&) {
  throw NoDevice(built_without_cuda(driver_release()));
}

std::vector<std::unique_ptr<game::ChainEngine>> make_cuda_chain_engines(const std::vector<int>&, std::uint64_t,
                                                                        const ChainLaunchLimits&, const DeviceNotice&) {
  throw NoDevice(built_without_cuda(driver_release()));
}

}  // namespace chainshot::cuda
