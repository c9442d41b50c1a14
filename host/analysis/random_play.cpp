#include "host/analysis/random_play.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "host/analysis/complexity.hpp"
#include "host/dispatch/batch_pump.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kMostRequests = 8192;  // of a batch

// Which boards a batch plays.
struct BoardRange {
  std::uint64_t first = 0;
};

// The engine's games, board by board.
class EngineGames final : public BatchClient<BoardRange> {
 public:
  EngineGames(const RandomPlayTask& task, EngineQueues& queues)
      : task_(task), queues_(queues), moves_(task.boards), played_(task.boards, 0) {}

  std::optional<FilledBatch<BoardRange>> fill(int engine) override {
    if (next_ == task_.boards) return std::nullopt;
    const std::uint64_t wanted = queues_.batch_size(engine) / task_.games;
    const std::uint64_t n = std::min(task_.boards - next_, std::clamp<std::uint64_t>(wanted, 1, kMostRequests));
    FilledBatch<BoardRange> filled{{.seed = task_.seed}, n * task_.games, {next_}};
    for (std::uint64_t i = next_; i < next_ + n; ++i)
      filled.batch.requests.push_back({.position = task_.board(i),
                                       .policy = {.kind = game::PolicyKind::kRandom},
                                       .playouts = task_.games,
                                       .key = i});
    next_ += n;
    return filled;
  }

  void take(BoardRange range, std::vector<game::Result> results) override {
    for (std::size_t i = 0; i < results.size(); ++i) {
      moves_[range.first + i] = results[i].moves;
      played_[range.first + i] = 1;
    }
    taken_ += results.size();
    if (task_.watcher) task_.watcher(taken_, 2 * task_.boards);
  }

  void give_back(BoardRange /*range*/) override {}

  // In the order of boards, so that the sum does not depend on the order in which batches came back.
  Moments lengths() const {
    Moments lengths;
    for (std::uint64_t i = 0; i < task_.boards; ++i)
      if (played_[i] != 0) lengths.add(static_cast<double>(moves_[i]) / task_.games);
    return lengths;
  }

 private:
  const RandomPlayTask& task_;
  EngineQueues& queues_;
  std::vector<std::uint64_t> moves_;
  std::vector<char> played_;
  std::uint64_t next_ = 0, taken_ = 0;
};

void play_on_positions(const RandomPlayTask& task, RandomPlayResult& result) {
  std::vector<GameSums> found(task.boards);
  const WorkWatcher watcher = [&](std::uint64_t done, std::uint64_t total) {
    if (task.watcher) task.watcher(task.boards * (total + done) / total, 2 * task.boards);
  };
  share_items(task.threads, task.boards, task.stop, watcher, [&](int, std::uint64_t i) {
    found[i] = play_random_games(task.board(i), task.games, task.seed, i, task.stop);
  });
  for (const GameSums& sums : found) {
    if (sums.games < task.games) continue;
    const auto moves = static_cast<double>(sums.moves), branches = static_cast<double>(sums.branches);
    result.length_by_position.add(sums.length());
    result.branching.add(branches, moves);
    result.branching_with_end.add(branches, moves + static_cast<double>(sums.games));
  }
}

}  // namespace

RandomPlayResult measure_random_play(game::Engine& engine, const RandomPlayTask& task) {
  RandomPlayResult result;
  EngineQueues queues({&engine});
  EngineGames games(task, queues);
  run_pump(queues, games, task.stop);
  result.length = games.lengths();
  play_on_positions(task, result);
  result.complete = result.length.count() == task.boards && result.length_by_position.count() == task.boards;
  return result;
}

}  // namespace chainshot::host
