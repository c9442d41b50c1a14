// The steps of a beam on a device, for host code. Work goes to the stream; failures are thrown as CudaError.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/beam_arguments.hpp"

namespace chainshot::cuda {

// The memory that CUB needs to select among so many slots.
std::size_t beam_temporary_bytes(std::uint32_t slots);

// Lists all free slots.
void list_free_slots(const BeamPool& pool, const BeamScratch& scratch, BeamCounters* counters, cudaStream_t stream);

// Expands a slice: children with a good enough evaluation become open states.
void expand_slice(const BeamSlice& slice, int multiprocessors, cudaStream_t stream);

// Keeps the best `width` states of different positions in each bucket of the set, whose buckets hold `states` together.
// If `order` is not null, the set is one bucket, and its states that are left are listed there, best first.
struct BeamPruning {
  BucketSet buckets;
  bool is_one_bucket = false;
  std::uint32_t states = 0;
  std::uint32_t width = 1;
  std::uint32_t* order = nullptr;
};
void prune_buckets(const BeamPruning& pruning, const BeamPool& pool, const BeamScratch& scratch, BeamCounters* counters,
                   cudaStream_t stream);

// Makes the slots of a bucket free.
void clear_bucket(int bucket, const BeamPool& pool, BeamCounters* counters, cudaStream_t stream);

// The ranks of states, by their slots.
void gather_ranks(const BeamPool& pool, const std::uint32_t* slots, std::uint32_t count, std::uint64_t* ranks,
                  cudaStream_t stream);

}  // namespace chainshot::cuda
