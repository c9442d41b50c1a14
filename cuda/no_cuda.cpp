// Stands in for the engine where the program is built without a CUDA compiler.
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

}  // namespace chainshot::cuda
