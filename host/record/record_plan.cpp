#include "host/record/record_plan.hpp"

#include <algorithm>

namespace chainshot::host {

int boards_side_by_side(const RecordPlan& plan, int threads, bool has_device) {
  const int boards = static_cast<int>(plan.boards.size());
  if (plan.side_by_side > 0) return std::min(plan.side_by_side, boards);
  if (has_device) return 1;
  const int most = std::clamp(threads, 1, boards);
  // All boards of a round should end together: 20 boards on 16 threads are searched in two times 10.
  const int times = (boards + most - 1) / most;
  return (boards + times - 1) / times;
}

int threads_of_worker(int threads, int workers, int worker) {
  return std::max(1, threads / workers + (worker < threads % workers ? 1 : 0));
}

}  // namespace chainshot::host
