// The kernels of annealing chains, for host code. Work goes to the stream; failures are thrown as CudaError.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/chain_arguments.hpp"

namespace chainshot::cuda {

// Chains that a device advances at the same time.
int resident_chains(int multiprocessors);

// Makes chains ready to begin: `chosen` lists them, and `advance_chains` lets them play their first line.
void prepare_chains(const ChainBeginnings& beginnings, cudaStream_t stream);

// Takes turns; the totals count what was done.
void advance_chains(const ChainAdvance& advance, cudaStream_t stream);

// Writes the fitness of each chain of a group.
void measure_chains(const ChainAdvance& advance, std::int32_t* fitness, cudaStream_t stream);

// Resamples each island by the rule of game::resampled_slots.
void resample_chains(const ChainResampling& resampling, cudaStream_t stream);

}  // namespace chainshot::cuda
