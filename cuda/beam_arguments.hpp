// The arguments of a beam's kernels: the pool of open states in device memory, the tables of the evaluation, and
// counters that the host reads after a slice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "game/beam_step.hpp"

namespace chainshot::cuda {

// A board is three planes of the colour code. A plane is 8 words of 2 columns, 16 rows each: the bytes that the CPU's
// beam hashes.
inline constexpr int kBeamPlanes = 3;
inline constexpr int kBeamColumnWords = 8;
inline constexpr int kBeamBoardWords = kBeamPlanes * kBeamColumnWords;
inline constexpr int kBeamColors = 7;
inline constexpr int kBeamBuckets = 256;  // blocks left, at most 240; 0 stands for a free slot

// The rank of a state among those of the same position: more points first, then the lower parent, row and column.
// Ranks are ordered as BeamKey is; of the key, only evaluation and hash are missing.
// Points are counted from -kBeamScoreBias on.
inline constexpr int kBeamScoreBias = 1 << 22;
inline constexpr std::uint32_t kMostBeamPoints = (1u << 24) - 1 - kBeamScoreBias;
CHAINSHOT_HD constexpr std::uint64_t beam_rank(int points, std::uint32_t parent, int column, int row) {
  return std::uint64_t{kMostBeamPoints - static_cast<std::uint32_t>(points)} << 40 | std::uint64_t{parent} << 8 |
         static_cast<std::uint64_t>(row) << 4 | static_cast<std::uint64_t>(column);
}
CHAINSHOT_HD constexpr int points_of_rank(std::uint64_t rank) {
  return static_cast<int>(kMostBeamPoints - static_cast<std::uint32_t>(rank >> 40));
}
CHAINSHOT_HD constexpr std::uint32_t parent_of_rank(std::uint64_t rank) {
  return static_cast<std::uint32_t>(rank >> 8);
}
constexpr game::Cell move_of_rank(std::uint64_t rank) {
  return {static_cast<std::uint8_t>(rank & 15), static_cast<std::uint8_t>(rank >> 4 & 15)};
}

// A game that ended, so that the best one is the greatest number. 0 stands for none.
inline constexpr std::uint64_t kFinishTies = (std::uint64_t{1} << 40) - 1;
CHAINSHOT_HD constexpr std::uint64_t beam_finish(int score, std::uint32_t parent, int column, int row) {
  return static_cast<std::uint64_t>(score + kBeamScoreBias) << 40 |
         (kFinishTies - (beam_rank(0, parent, column, row) & kFinishTies));
}

// The open states, an array per property. A slot is free if its bucket is 0.
struct BeamPool {
  std::uint32_t* boards;  // [slot][kBeamBoardWords]
  std::uint64_t* hash;
  std::uint64_t* rank;
  std::int32_t* evaluation;
  std::uint8_t* bucket;
  std::uint32_t* free;  // slots that were free when the list was made; BeamCounters::taken of them are taken
  std::uint32_t slots;
};

struct BeamCounters {
  std::uint64_t best;      // beam_finish of the best game that ended
  std::uint64_t children;  // evaluated
  std::uint32_t taken;     // of the free slots
  std::uint32_t found;     // moves of the slice
  std::uint32_t selected;  // slots that the last selection listed
  std::uint32_t positions;
  std::uint32_t overflowed;  // states that found no free slot
  std::uint32_t size[kBeamBuckets];
  std::uint32_t begin[kBeamBuckets];  // of a bucket among those that are pruned together
  std::int32_t least[kBeamBuckets];   // the least evaluation worth keeping
};

struct BeamTableArguments {
  const std::int32_t* target_value;
  const std::int32_t* other_value;
  const game::BeamTables::Weights* weights;
  int stride, target, colors;
  game::Scoring scoring;
};

// A slice of the bucket that is expanded.
struct BeamSlice {
  BeamPool pool;
  BeamTableArguments tables;
  BeamCounters* counters;
  const std::uint32_t* states;  // slots
  std::uint32_t count;
  std::uint32_t first_parent;  // the number of the first state in the order of selection
  int blocks;
  std::uint32_t free_slots;     // that the pool lists
  std::uint64_t* color_counts;  // of each state, 8 bits per colour
  std::uint32_t* moves;         // state << 8 | cell
};

// A set of buckets.
struct BucketSet {
  std::uint32_t words[kBeamBuckets / 32] = {};

  CHAINSHOT_HD void add(int bucket) { words[bucket / 32] |= 1u << bucket % 32; }
  CHAINSHOT_HD bool has(int bucket) const { return (words[bucket / 32] >> bucket % 32 & 1) != 0; }
};

// A state that stands for all states of its position.
struct MergedState {
  std::uint64_t rank;
  std::int32_t evaluation;
  std::uint32_t slot;
};

// Memory in which states are selected, as many of each as there are slots.
struct BeamScratch {
  std::uint64_t* keys[2];
  std::uint32_t* ids[2];
  MergedState* merged;
  void* temporary;  // of CUB
  std::size_t temporary_bytes;
};

}  // namespace chainshot::cuda
