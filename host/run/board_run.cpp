#include "host/run/board_run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "game/reference.hpp"
#include "host/run/spread.hpp"

namespace chainshot::host {

using nlohmann::ordered_json;

namespace {

// Two hundred status lines per search make a smooth curve, whatever the budget.
double log_interval(const Budget& budget) {
  return budget.seconds > 0 ? std::clamp(budget.seconds / 200, 0.1, 10.0) : 1;
}

void expect_replays(const BoardSolution& solution, const game::Scoring& scoring) {
  const BestLine& best = solution.result.best;
  const game::ReplayResult replayed = game::replay(solution.board.position, best.moves, scoring);
  if (!replayed.error.empty() || replayed.score != best.score)
    throw std::logic_error(fmt::format("the line of {} points for {} does not replay: the reference rules score {} {}",
                                       best.score, solution.board.name, replayed.score, replayed.error));
}

// The best line so far. The threads of the searches write it; the caller's thread reads it.
class SharedBest {
 public:
  void set(const BestLine& line, double seconds) {
    const std::lock_guard lock(mutex_);
    line_ = line;
    seconds_ = seconds;
  }
  BestLine line() const {
    const std::lock_guard lock(mutex_);
    return line_;
  }
  double seconds() const {
    const std::lock_guard lock(mutex_);
    return seconds_;
  }

 private:
  mutable std::mutex mutex_;
  BestLine line_;
  double seconds_ = 0;
};

}  // namespace

BoardRun::BoardRun(RunPlan plan, const RunFiles& files, const Notice& notice)
    : plan_(std::move(plan)), engines_(plan_, notice), solutions_(files.solutions, plan_.scoring, notice) {
  if (!files.log.empty()) {
    log_file_ = std::make_unique<AppendFile>(files.log, notice);
    log_ = std::make_unique<RunLog>([this](std::string_view line) { log_file_->append(line); },
                                    log_interval(plan_.budget));
  }
}

void BoardRun::begin(const std::vector<game::NamedBoard>& boards, const ordered_json& about) {
  if (log_ == nullptr) return;
  ordered_json names = ordered_json::array();
  for (const game::NamedBoard& board : boards)
    names.push_back(board.name);
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  ordered_json head = {{"date", fmt::format("{:%FT%TZ}", fmt::gmtime(now))},
                       {"preset", plan_.preset},
                       {"seed", plan_.seed},
                       {"scoring", plan_.scoring.name()},
                       {"budget", budget_json(plan_.budget)},
                       {"boards", std::move(names)},
                       {"settings", settings_json(plan_)},
                       {"engine", engine_names()},
                       {"threads", engines_.resources().threads}};
  if (!plan_.start_files.empty()) head["from"] = plan_.start_files;
  head.update(about);
  log_->begin(head);
}

BoardSolution BoardRun::solve(const game::NamedBoard& board, const std::function<void(const BoardMoment&)>& watch,
                              const std::stop_token& stop) {
  SharedBest best;
  const SolveWatcher watcher{.improved =
                                 [&](const BestLine& line, double seconds) {
                                   if (log_ != nullptr) log_->best(board.name, line, seconds);
                                   best.set(line, seconds);
                                 },
                             .sampled =
                                 [&](const SolveSample& sample) {
                                   if (log_ != nullptr) log_->status(board.name, sample);
                                   const BestLine now = best.line();
                                   const bool is_known = now.version > 0;
                                   if (is_known) solutions_.keep(board, now);
                                   watch({board, is_known ? std::optional(now.score) : std::nullopt, sample});
                                 },
                             .interval = 0.1};
  const auto make = [this](const SearchTask& task, Incumbent& incumbent) {
    return make_searches(plan_, engines_, task, incumbent);
  };
  SearchTask task{.board = board.position, .scoring = plan_.scoring, .seed = plan_.seed};
  if (const auto starts = plan_.starts.find(board.name); starts != plan_.starts.end())
    for (const StartLine& start : starts->second)
      task.starts.push_back(start.moves);
  BoardSolution solution{
      .board = board, .result = host::solve(task, make, plan_.budget.seconds, watcher, stop), .found_seconds = 0};
  solution.found_seconds = best.seconds();
  if (log_ != nullptr) log_->end(board.name, solution.result);
  expect_replays(solution, plan_.scoring);
  solutions_.add(board, solution.result.best);
  return solution;
}

std::vector<std::string> BoardRun::problems() const {
  std::vector<std::string> all;
  for (const std::string& problem : {solutions_.problem(), log_problem()})
    if (!problem.empty()) all.push_back(problem);
  return all;
}

}  // namespace chainshot::host
