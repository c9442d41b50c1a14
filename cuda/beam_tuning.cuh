// Launch shapes of the kernels of a beam. Counts are in docs/lab/performance.md.
#pragma once

namespace chainshot::cuda {

// Finding moves is a small part of the work.
inline constexpr int kFindThreads = 128;
// A board, its pairs and the group take 48 registers before the features of the child are counted.
inline constexpr int kExpandThreads = 128;
inline constexpr int kExpandBlocksPerSm = 4;

}  // namespace chainshot::cuda
