// Launches of the kernels, for host code. Work goes to the stream; failures are thrown as CudaError.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/playout_arguments.hpp"

namespace chainshot::cuda {

// Games of small boards that a device plays at once.
int resident_lanes(int multiprocessors);

// Whether the current device can run the kernels of this build.
cudaError_t try_kernels();

void launch_playouts(const PlayoutArguments& arguments, bool wide, Picking picking, int multiprocessors,
                     cudaStream_t stream);
void launch_tallies(const TallyArguments& arguments, bool wide, std::uint32_t playouts, cudaStream_t stream);

}  // namespace chainshot::cuda
