#include "host/record/turn_search.hpp"

#include <chrono>
#include <mutex>
#include <utility>

#include "host/archive/archive_text.hpp"
#include "host/run/spread.hpp"

namespace chainshot::host {
namespace {

// Lines that were found and not handed over yet. The threads of the searches add to it.
class FoundLines {
 public:
  void add(const BestLine& line) {
    const std::lock_guard lock(mutex_);
    best_ = line.score;
    if (line.source == kStartSource) return;  // the archive has it
    lines_.push_back(
        {.score = line.score, .moves = line.moves, .search = std::string(line.source), .found = now_text()});
  }
  std::vector<FoundLine> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }
  std::optional<int> best() const {
    const std::lock_guard lock(mutex_);
    return best_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<FoundLine> lines_;
  std::optional<int> best_;
};

}  // namespace

SolveResult search_turn(const RunPlan& plan, const RunResources& resources, const game::NamedBoard& board,
                        std::vector<std::vector<game::Cell>> starts, const TurnObserver& observer,
                        const std::stop_token& stop) {
  constexpr auto kHandOver = std::chrono::seconds(1);
  using Clock = std::chrono::steady_clock;
  FoundLines lines;
  Clock::time_point next = Clock::now() + kHandOver;
  const auto hand_over = [&] {
    std::vector<FoundLine> found = lines.take();
    if (!found.empty()) observer.found(std::move(found));
    next = Clock::now() + kHandOver;
  };
  const SolveWatcher watcher{.improved = [&](const BestLine& line, double) { lines.add(line); },
                             .sampled =
                                 [&](const SolveSample& sample) {
                                   if (Clock::now() >= next) hand_over();
                                   observer.sampled(sample, lines.best());
                                 },
                             .interval = 0.1};
  const auto make = [&](const SearchTask& task, Incumbent& incumbent) {
    return make_searches(plan, resources, task, incumbent);
  };
  SearchTask task{.board = board.position, .scoring = plan.scoring, .seed = plan.seed};
  task.starts = std::move(starts);
  SolveResult result = solve(task, make, plan.budget.seconds, watcher, stop);
  hand_over();
  return result;
}

}  // namespace chainshot::host
