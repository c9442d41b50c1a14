// What is done to many chains between launches: they begin, their fitness is measured, and islands are resampled.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "cuda/chain_kernel.cuh"

namespace chainshot::cuda {

// A block per chain.
__global__ void prepare_chains_kernel(const ChainBeginnings all) {
  const ChainBeginning& beginning = all.beginnings[blockIdx.x];
  const auto chain = static_cast<std::size_t>(beginning.chain);
  const ChainArrays& arrays = all.arrays;
  const auto i = static_cast<int>(threadIdx.x);
  ChainMemory& memory = arrays.memory[chain];
  if (i < kChainWords / 2) memory.position[0].of_lane[i] = make_uint2(all.alive[2 * i], all.alive[2 * i + 1]);
  if (i <= kChainMoves) {
    const std::uint32_t block = i == 0 || i > beginning.given ? 0 : beginning.blocks[i - 1];
    memory.line[i] = make_uint2(0, block << 8);
  }
  // Slot 0 always holds the start.
  for (int name = 1 + i; name < kFirstSpare; name += kCopyThreads)
    memory.free[name - 1] = static_cast<std::uint8_t>(kFirstSpare - name);
  if (i != 0) return;
  memory.counts[0] = all.counts;
  memory.state = {.moves = 0,
                  .free = kFirstSpare - 1,
                  .tabu = beginning.tabu,
                  .given = beginning.given,
                  .seed = beginning.seed,
                  .evaluation = 0,
                  .todo = 0,
                  .chain = beginning.chain};
  all.chosen[blockIdx.x] = beginning.chain;
}

__global__ void measure_chains_kernel(const ChainAdvance advance, std::int32_t* fitness) {
  const int number = static_cast<int>(blockIdx.x * kCopyThreads + threadIdx.x);
  if (number >= advance.group.chains) return;
  const auto chain = static_cast<std::size_t>(chain_of(advance.group, number));
  const ChainArrays& arrays = advance.arrays;
  const ChainMemory& memory = arrays.memory[chain];
  const ChainRecord last = memory.line[memory.state.moves];
  const LeftBlocks left(memory.counts[last.y & 0xFF]);
  fitness[number] = static_cast<int>(last.y >> 16) + left.end(advance.points, *advance.table);
}

// A block per island: the rule of game::resampled_slots.
struct Resampler {
  using Reduce = cub::BlockReduce<std::uint64_t, kResampleThreads>;
  using Scan = cub::BlockScan<std::uint64_t, kResampleThreads>;
  struct Shared {
    union {
      Reduce::TempStorage reduce;
      Scan::TempStorage scan;
    };
    std::uint64_t value;
  };

  const ChainResampling& work;
  Shared& shared;
  const std::int32_t* const fitness;
  const int thread = static_cast<int>(threadIdx.x);

  // Hands the first thread's value to all.
  __device__ std::uint64_t share(std::uint64_t value) {
    if (thread == 0) shared.value = value;
    __syncthreads();
    value = shared.value;
    __syncthreads();
    return value;
  }
  __device__ int best() {
    constexpr std::uint32_t kSign = 0x80000000u;
    std::uint64_t own = 0;
    for (int i = thread; i < work.living; i += kResampleThreads)
      own = max(own, std::uint64_t{static_cast<std::uint32_t>(fitness[i]) ^ kSign});
    const auto larger = [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; };
    return static_cast<int>(static_cast<std::uint32_t>(share(Reduce(shared.reduce).Reduce(own, larger))) ^ kSign);
  }
  __device__ std::uint64_t weight(int i, int best_fitness) const {
    return work.weights[min((best_fitness - fitness[i]) / work.points_per_weight, game::ResampleTable::kWeights - 1)];
  }
  __device__ std::uint64_t sum(int best_fitness) {
    std::uint64_t own = 0;
    for (int i = thread; i < work.living; i += kResampleThreads)
      own += weight(i, best_fitness);
    return share(Reduce(shared.reduce).Sum(own));
  }
  // Returns the sum of the values of the threads before this one, and adds that of all to `total`.
  __device__ std::uint64_t before(std::uint64_t own, std::uint64_t& total) {
    std::uint64_t below = 0, all = 0;
    Scan(shared.scan).ExclusiveSum(own, below, all);
    __syncthreads();
    below += total;
    total += all;
    return below;
  }
};

__global__ void __launch_bounds__(kResampleThreads) choose_copies_kernel(const ChainResampling work) {
  __shared__ Resampler::Shared shared;
  const auto island = static_cast<std::size_t>(blockIdx.x);
  Resampler resampler{work, shared, work.fitness + island * static_cast<std::size_t>(work.living)};
  const int best = resampler.best();
  const std::uint64_t sum = resampler.sum(best), offset = (work.draws[island] >> 40) * sum >> 24;
  const auto members = static_cast<std::uint64_t>(work.members);
  std::int32_t* const sources = work.sources + island * static_cast<std::size_t>(work.slots);
  std::int32_t* const targets = work.targets + island * static_cast<std::size_t>(work.slots);
  std::uint64_t reached = 0, moving = 0, vacant = 0;
  for (int first = 0; first < work.living; first += kResampleThreads) {
    const int i = first + resampler.thread;
    const std::uint64_t weight = i < work.living ? resampler.weight(i, best) : 0;
    const std::uint64_t below = resampler.before(weight, reached);
    std::uint64_t copies = ((below + weight) * members + offset) / sum - (below * members + offset) / sum;
    const bool is_vacant = i < work.members && copies == 0;
    if (i < work.members && copies > 0) --copies;
    const std::uint64_t target = resampler.before(is_vacant ? 1 : 0, vacant);
    std::uint64_t source = resampler.before(copies, moving);
    if (is_vacant) targets[target] = i;
    for (; copies > 0; --copies)
      sources[source++] = i;
  }
  if (resampler.thread == 0) work.moving[island] = static_cast<std::int32_t>(moving);
}

template <class T>
__device__ __forceinline__ void copy_array(T* to, const T* from, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kCopyThreads)
    to[i] = from[i];
}

// A block per slot of the islands. A target is never a source, so the order of copies does not matter.
__global__ void __launch_bounds__(kCopyThreads) copy_chains_kernel(const ChainResampling work) {
  const auto island = static_cast<std::size_t>(blockIdx.x) / static_cast<std::size_t>(work.members);
  const auto number = static_cast<std::size_t>(blockIdx.x) % static_cast<std::size_t>(work.members);
  if (number >= static_cast<std::size_t>(work.moving[island])) return;
  const std::size_t first = island * static_cast<std::size_t>(work.slots);
  const std::size_t from = first + static_cast<std::size_t>(work.sources[first + number]);
  const std::size_t to = first + static_cast<std::size_t>(work.targets[first + number]);
  const ChainMemory& memory = work.arrays.memory[from];
  ChainMemory& copy = work.arrays.memory[to];
  // The positions of a line may be in any slot but the spare ones.
  copy_array(copy.position, memory.position, kFirstSpare);
  copy_array(copy.counts, memory.counts, kFirstSpare);
  copy_array(copy.line, memory.line, memory.state.moves + 1);
  copy_array(copy.free, memory.free, memory.state.free);
  if (threadIdx.x != 0) return;
  copy.state.moves = memory.state.moves;
  copy.state.free = memory.state.free;
  copy.state.tabu = memory.state.tabu;
}

}  // namespace chainshot::cuda
