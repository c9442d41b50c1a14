#include "host/search/incumbent.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

#include "game/reference.hpp"

namespace chainshot::host {

Incumbent::Incumbent(const SearchTask& task, Watcher watcher) : task_(task), watcher_(std::move(watcher)) {}

BestLine Incumbent::best() const {
  const std::lock_guard lock(mutex_);
  return best_;
}

bool Incumbent::offer(int score, const std::vector<game::Cell>& moves, std::string_view source) {
  if (score <= this->score()) return false;
  const game::ReplayResult replayed = game::replay(task_.board, moves, task_.scoring);
  if (!replayed.error.empty() || replayed.score != score)
    throw std::logic_error(fmt::format("{} claims {} points for a line that the reference rules score {}{}", source,
                                       score, replayed.score, replayed.error.empty() ? "" : ": " + replayed.error));
  const std::lock_guard lock(mutex_);
  if (score <= best_.score) return false;
  best_ = {.score = score, .moves = moves, .source = source, .version = best_.version + 1};
  score_.store(score, std::memory_order_relaxed);
  if (watcher_) watcher_(best_);
  return true;
}

}  // namespace chainshot::host
