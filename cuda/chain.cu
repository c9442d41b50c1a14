#include "cuda/chain.hpp"

#include "cuda/chain_population.cuh"
#include "cuda/resources.hpp"

namespace chainshot::cuda {
namespace {

constexpr const char* kResampling = "resample chains";

unsigned blocks_for(int work, int per_block) {
  return static_cast<unsigned>((work + per_block - 1) / per_block);
}

}  // namespace

int resident_chains(int multiprocessors) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, chain_kernel, kChainThreads, 0),
        "count the chains that fit");
  return multiprocessors * blocks * kChainsPerBlock;
}

void prepare_chains(const ChainBeginnings& beginnings, cudaStream_t stream) {
  prepare_chains_kernel<<<static_cast<unsigned>(beginnings.count), kCopyThreads, 0, stream>>>(beginnings);
  check(cudaGetLastError(), "start chains");
}

void advance_chains(const ChainAdvance& advance, cudaStream_t stream) {
  chain_kernel<<<blocks_for(advance.group.chains, kChainsPerBlock), kChainThreads, 0, stream>>>(advance);
  check(cudaGetLastError(), "advance chains");
}

void measure_chains(const ChainAdvance& advance, std::int32_t* fitness, cudaStream_t stream) {
  measure_chains_kernel<<<blocks_for(advance.group.chains, kCopyThreads), kCopyThreads, 0, stream>>>(advance, fitness);
  check(cudaGetLastError(), "measure chains");
}

void resample_chains(const ChainResampling& resampling, cudaStream_t stream) {
  choose_copies_kernel<<<static_cast<unsigned>(resampling.islands), kResampleThreads, 0, stream>>>(resampling);
  check(cudaGetLastError(), kResampling);
  copy_chains_kernel<<<static_cast<unsigned>(resampling.islands * resampling.members), kCopyThreads, 0, stream>>>(
      resampling);
  check(cudaGetLastError(), kResampling);
}

}  // namespace chainshot::cuda
