// Launch shapes of the playout kernel. Counts are in docs/cuda.md.
#pragma once

namespace chainshot::cuda {

// Small boards: 128 threads per block, so that five blocks share the 65,536 registers of a multiprocessor with up to
// 102 registers per thread. Every architecture the project names has that many.
inline constexpr int kPlayoutThreads = 128;
inline constexpr int kSmallBlocksPerSm = 5;
// The roulette wheel needs a few more registers than five blocks leave.
inline constexpr int kRouletteBlocksPerSm = 4;
// Wide boards live in local memory; more threads would push each other out of the first-level cache.
inline constexpr int kWideBlocksPerSm = 2;

// Words of Philox per lane: two blocks, because the draws up to the next refill may lie in two.
inline constexpr int kRingWords = 8;

}  // namespace chainshot::cuda
