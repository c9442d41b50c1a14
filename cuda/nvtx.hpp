// Ranges for NVIDIA's profilers, behind one macro: CHAINSHOT_RANGE("name") marks what follows it to the end of the
// scope. Without the toolkit's header, or a profiler, it does nothing.
#pragma once

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace chainshot::cuda {

class ProfilerRange {
 public:
  explicit ProfilerRange(const char* name) { nvtxRangePushA(name); }
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
  ~ProfilerRange() { nvtxRangePop(); }
};

}  // namespace chainshot::cuda

#define CHAINSHOT_RANGE(name) const ::chainshot::cuda::ProfilerRange profiler_range_(name)
#else
#define CHAINSHOT_RANGE(name) static_cast<void>(0)
#endif
