#include "cuda/beam.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>
#if CUB_VERSION >= 200400
#include <cub/device/device_for.cuh>
#endif
#if CUB_VERSION < 200800
#include <cub/iterator/discard_output_iterator.cuh>
#endif

#include "cuda/beam_kernel.cuh"
#include "cuda/resources.hpp"

namespace chainshot::cuda {
namespace {

constexpr const char* kSelecting = "select states of a beam";
constexpr const char* kExpanding = "expand states of a beam";
constexpr std::uint64_t kNoState = ~std::uint64_t{0};  // a key after those of all states

// Slots of the buckets of a set; bucket 0 has the free ones.
struct IsInBuckets {
  const std::uint8_t* bucket;
  BucketSet buckets;
  __device__ bool operator()(std::uint32_t slot) const { return buckets.has(bucket[slot]); }
};

struct HashKey {
  const std::uint64_t* hash;
  const std::uint32_t* slots;
  std::uint64_t* keys;
  __device__ void operator()(std::uint32_t i) const { keys[i] = hash[slots[i]]; }
};

struct BucketKey {
  const std::uint8_t* bucket;
  const std::uint32_t* slots;
  std::uint64_t* keys;
  __device__ void operator()(std::uint32_t i) const { keys[i] = bucket[slots[i]]; }
};

// A position, up to the hash, and the bucket it lies in.
struct PositionKey {
  std::uint64_t hash;
  std::uint32_t bucket;
  __device__ bool operator==(const PositionKey& other) const { return hash == other.hash && bucket == other.bucket; }
};
struct PositionOf {
  BeamPool pool;
  __device__ PositionKey operator()(std::uint32_t slot) const { return {pool.hash[slot], pool.bucket[slot]}; }
};
struct StateOf {
  BeamPool pool;
  __device__ MergedState operator()(std::uint32_t slot) const { return {pool.rank[slot], pool.evaluation[slot], slot}; }
};

// If two states have one position, the lower rank stays and takes over the better evaluation: the states that a
// beam is seeded with have the best one and keep it.
struct Merge {
  __device__ MergedState operator()(const MergedState& a, const MergedState& b) const {
    MergedState merged = a.rank <= b.rank ? a : b;
    merged.evaluation = max(a.evaluation, b.evaluation);
    return merged;
  }
};

// Orders states by bucket, then from the best evaluation to the worst. The sort is stable, so hashes stay in order.
struct OrderKey {
  BeamPool pool;
  const MergedState* merged;
  const BeamCounters* counters;
  std::uint64_t* keys;
  std::uint32_t* numbers;
  __device__ void operator()(std::uint32_t i) const {
    numbers[i] = i;
    if (i >= counters->positions) {
      keys[i] = kNoState;
      return;
    }
    const std::uint32_t ascending = static_cast<std::uint32_t>(merged[i].evaluation) ^ 0x80000000u;
    keys[i] = std::uint64_t{pool.bucket[merged[i].slot]} << 32 | static_cast<std::uint32_t>(~ascending);
  }
};
constexpr int kOrderBits = 40;

// Frees the slots of the buckets.
struct Free {
  std::uint8_t* bucket;
  BucketSet buckets;
  __device__ void operator()(std::uint32_t slot) const {
    if (bucket[slot] != 0 && buckets.has(bucket[slot])) bucket[slot] = 0;
  }
};

// Finds where each bucket begins among the ordered states, and how many of its states stay.
struct Bounds {
  const std::uint64_t* keys;
  std::uint32_t states, width;
  BucketSet buckets;
  BeamCounters* counters;

  __device__ std::uint32_t first_not_below(std::uint64_t key) const {
    std::uint32_t low = 0, high = states;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (keys[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  __device__ void operator()(std::uint32_t bucket) const {
    if (!buckets.has(static_cast<int>(bucket))) return;
    const std::uint32_t begin = first_not_below(std::uint64_t{bucket} << 32);
    counters->begin[bucket] = begin;
    counters->size[bucket] = min(width, first_not_below(std::uint64_t{bucket + 1} << 32) - begin);
  }
};

// Gives the best states of each bucket their slots back.
struct Keep {
  BeamPool pool;
  const std::uint64_t* keys;
  const std::uint32_t* numbers;
  const MergedState* merged;
  BeamCounters* counters;
  std::uint32_t width;
  std::uint32_t* order;

  __device__ void operator()(std::uint32_t i) const {
    if (keys[i] == kNoState) return;
    const std::uint32_t bucket = static_cast<std::uint32_t>(keys[i] >> 32), place = i - counters->begin[bucket];
    if (place >= width) return;
    const MergedState state = merged[numbers[i]];
    pool.rank[state.slot] = state.rank;
    pool.evaluation[state.slot] = state.evaluation;
    pool.bucket[state.slot] = static_cast<std::uint8_t>(bucket);
    if (place == width - 1) counters->least[bucket] = state.evaluation;
    if (order != nullptr) order[place] = state.slot;
  }
};

struct GatherRank {
  const std::uint64_t* rank;
  const std::uint32_t* slots;
  std::uint64_t* ranks;
  __device__ void operator()(std::uint32_t i) const { ranks[i] = rank[slots[i]]; }
};

// Takes keys that nobody reads. CUB before CUDA 12.9 does not accept the iterator of Thrust.
#if CUB_VERSION >= 200800
using NoKeys = thrust::discard_iterator<>;
#else
using NoKeys = cub::DiscardOutputIterator<>;
#endif

#if CUB_VERSION >= 200400
template <class Work>
void for_each(std::uint32_t count, Work work, cudaStream_t stream) {
  check(cub::DeviceFor::Bulk(count, work, stream), kSelecting);
}
#else
// CUB of CUDA 12.0 to 12.4 has no DeviceFor.
template <class Work>
__global__ void for_each_kernel(std::uint32_t count, Work work) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) work(i);
}
template <class Work>
void for_each(std::uint32_t count, Work work, cudaStream_t stream) {
  constexpr std::uint32_t kThreads = 256;
  if (count == 0) return;
  for_each_kernel<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(count, work);
  check(cudaGetLastError(), kSelecting);
}
#endif

cudaError_t select(void* memory, std::size_t& bytes, const BeamPool& pool, const BucketSet& buckets,
                   std::uint32_t* slots, std::uint32_t* count, cudaStream_t stream) {
  return cub::DeviceSelect::If(memory, bytes, thrust::counting_iterator<std::uint32_t>(0), slots, count,
                               static_cast<std::int64_t>(pool.slots), IsInBuckets{pool.bucket, buckets}, stream);
}

cudaError_t sort(void* memory, std::size_t& bytes, const BeamScratch& scratch, std::uint32_t count, int bits,
                 cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairs(memory, bytes, scratch.keys[0], scratch.keys[1], scratch.ids[0],
                                         scratch.ids[1], count, 0, bits, stream);
}

cudaError_t merge(void* memory, std::size_t& bytes, const BeamPool& pool, const std::uint32_t* slots,
                  MergedState* merged, std::uint32_t* positions, std::uint32_t count, cudaStream_t stream) {
  return cub::DeviceReduce::ReduceByKey(memory, bytes, thrust::make_transform_iterator(slots, PositionOf{pool}),
                                        NoKeys(), thrust::make_transform_iterator(slots, StateOf{pool}), merged,
                                        positions, Merge{}, static_cast<std::int64_t>(count), stream);
}

// Lists the slots of a set.
void select_slots(const BucketSet& buckets, const BeamPool& pool, const BeamScratch& scratch, std::uint32_t* slots,
                  BeamCounters* counters, cudaStream_t stream) {
  std::size_t bytes = scratch.temporary_bytes;
  check(select(scratch.temporary, bytes, pool, buckets, slots, &counters->selected, stream), kSelecting);
}

void sort_keys(const BeamScratch& scratch, std::uint32_t count, int bits, cudaStream_t stream) {
  std::size_t bytes = scratch.temporary_bytes;
  check(sort(scratch.temporary, bytes, scratch, count, bits, stream), kSelecting);
}

}  // namespace

std::size_t beam_temporary_bytes(std::uint32_t slots) {
  BeamPool pool{};
  pool.slots = slots;
  std::size_t selecting = 0, sorting = 0, merging = 0;
  check(select(nullptr, selecting, pool, {}, nullptr, nullptr, nullptr), kSelecting);
  check(sort(nullptr, sorting, {}, slots, 64, nullptr), kSelecting);
  check(merge(nullptr, merging, pool, nullptr, nullptr, nullptr, slots, nullptr), kSelecting);
  return std::max({selecting, sorting, merging});
}

void list_free_slots(const BeamPool& pool, const BeamScratch& scratch, BeamCounters* counters, cudaStream_t stream) {
  BucketSet free;
  free.add(0);
  select_slots(free, pool, scratch, pool.free, counters, stream);
  check(cudaMemsetAsync(&counters->taken, 0, sizeof counters->taken, stream), kSelecting);
}

void expand_slice(const BeamSlice& slice, int multiprocessors, cudaStream_t stream) {
  check(cudaMemsetAsync(&slice.counters->found, 0, sizeof slice.counters->found, stream), kExpanding);
  find_moves_kernel<<<(slice.count + kFindThreads - 1) / kFindThreads, kFindThreads, 0, stream>>>(slice);
  check(cudaGetLastError(), kExpanding);
  // Threads take moves in turns, so the number of blocks need not fit the number of moves, which the host never knows.
  const auto resident = static_cast<std::uint32_t>(multiprocessors * kExpandBlocksPerSm);
  const std::uint64_t most_moves = std::uint64_t{slice.count} * static_cast<std::uint32_t>(slice.blocks) / 2;
  const std::uint64_t needed = (most_moves + kExpandThreads - 1) / kExpandThreads;
  expand_moves_kernel<<<static_cast<std::uint32_t>(std::clamp<std::uint64_t>(needed, 1, resident)), kExpandThreads, 0,
                        stream>>>(slice);
  check(cudaGetLastError(), kExpanding);
}

void prune_buckets(const BeamPruning& pruning, const BeamPool& pool, const BeamScratch& scratch, BeamCounters* counters,
                   cudaStream_t stream) {
  const std::uint32_t states = pruning.states;
  select_slots(pruning.buckets, pool, scratch, scratch.ids[0], counters, stream);
  for_each(states, HashKey{pool.hash, scratch.ids[0], scratch.keys[0]}, stream);
  sort_keys(scratch, states, 64, stream);
  BeamScratch by_position = scratch;
  std::swap(by_position.ids[0], by_position.ids[1]);
  if (!pruning.is_one_bucket) {
    // Equal hashes may lie in different buckets.
    for_each(states, BucketKey{pool.bucket, by_position.ids[0], by_position.keys[0]}, stream);
    sort_keys(by_position, states, 8, stream);
    std::swap(by_position.ids[0], by_position.ids[1]);
  }
  std::size_t bytes = scratch.temporary_bytes;
  check(merge(scratch.temporary, bytes, pool, by_position.ids[0], scratch.merged, &counters->positions, states, stream),
        kSelecting);
  for_each(states, OrderKey{pool, scratch.merged, counters, scratch.keys[0], scratch.ids[0]}, stream);
  sort_keys(scratch, states, kOrderBits, stream);
  for_each(pool.slots, Free{pool.bucket, pruning.buckets}, stream);
  for_each(kBeamBuckets, Bounds{scratch.keys[1], states, pruning.width, pruning.buckets, counters}, stream);
  for_each(states, Keep{pool, scratch.keys[1], scratch.ids[1], scratch.merged, counters, pruning.width, pruning.order},
           stream);
}

void clear_bucket(int bucket, const BeamPool& pool, BeamCounters* counters, cudaStream_t stream) {
  BucketSet buckets;
  buckets.add(bucket);
  for_each(pool.slots, Free{pool.bucket, buckets}, stream);
  check(cudaMemsetAsync(&counters->size[bucket], 0, sizeof counters->size[bucket], stream), kSelecting);
}

void gather_ranks(const BeamPool& pool, const std::uint32_t* slots, std::uint32_t count, std::uint64_t* ranks,
                  cudaStream_t stream) {
  for_each(count, GatherRank{pool.rank, slots, ranks}, stream);
}

}  // namespace chainshot::cuda
