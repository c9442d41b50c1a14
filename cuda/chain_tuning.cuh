// Launch shapes of the kernels of annealing chains. Counts are in docs/lab/performance.md.
#pragma once

namespace chainshot::cuda {

// Four lanes play a chain, two words of two columns each. With fewer lanes an evaluation takes fewer instructions, but
// a thread takes more registers and a multiprocessor more shared memory.
inline constexpr int kChainLanes = 4;
// Ten blocks leave 96 registers for a thread.
inline constexpr int kChainThreads = 64;
inline constexpr int kChainBlocksPerSm = 10;
inline constexpr int kChainsPerBlock = kChainThreads / kChainLanes;
// Turns between two looks at whether any chain of the warp still has something to do.
inline constexpr int kTurnsPerLook = 8;

inline constexpr int kResampleThreads = 256;
inline constexpr int kCopyThreads = 128;

}  // namespace chainshot::cuda
