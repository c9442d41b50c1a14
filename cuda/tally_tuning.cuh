// Launch shape of the tally kernel. Its cost per playout is in docs/lab/performance.md.
#pragma once

namespace chainshot::cuda {

inline constexpr int kTallyThreads = 128;

}  // namespace chainshot::cuda
