#include "host/record/record_run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>
#include <utility>

#include "game/random.hpp"
#include "host/archive/archive_text.hpp"
#include "host/run/spread.hpp"

namespace chainshot::host {
namespace {

using nlohmann::ordered_json;

constexpr auto kEndPatience = std::chrono::seconds(15);

// Seeds of turns differ by run, round and board, and do not depend on the order of the boards.
std::uint64_t turn_seed(std::uint64_t seed, int round, const game::Position& board) {
  return game::mix64(game::mix64(seed ^ board.hash()) + static_cast<std::uint64_t>(round));
}

// Returns the scores of the boards when the run began, from its plan.
std::vector<std::optional<int>> scores_before(const ArchivedRun& run) {
  std::vector<std::optional<int>> before;
  const ordered_json plan = ordered_json::parse(run.plan, nullptr, false);
  if (!plan.is_object() || !plan.contains("before") || !plan["before"].is_array()) return before;
  for (const ordered_json& score : plan["before"])
    before.push_back(score.is_number_integer() ? std::optional(score.get<int>()) : std::nullopt);
  return before;
}

}  // namespace

FileIdentity identity_of_file(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return {};
  return {static_cast<std::uint64_t>(file.st_dev), static_cast<std::uint64_t>(file.st_ino)};
}

std::string random_run_name() {
  std::random_device device;
  std::string name;
  for (int i = 0; i < 4; ++i)
    name += fmt::format("{:08x}", device());
  return name;
}

RecordRun::RecordRun(RecordPlan plan, RecordIdentity identity, const std::string& plan_text, Archive& archive,
                     std::optional<std::int64_t> resumed, Notice notice, Recorded recorded)
    : plan_(std::move(plan)),
      identity_(std::move(identity)),
      archive_(archive),
      notice_(std::move(notice)),
      recorded_(std::move(recorded)),
      threads_(threads_of(plan_.search.choice)) {
  open_workers();
  for (const RecordBoard& entry : plan_.boards) {
    board_ids_.push_back(archive_.board_id(entry.board));
    places_.emplace(board_ids_.back(), board_ids_.size() - 1);
  }
  id_ = resumed ? *resumed : begin(plan_text);
  seed_ = plan_.seed.value_or(static_cast<std::uint64_t>(id_));
  reader_ = std::make_unique<Archive>(
      archive_.path(), ArchiveOptions{.access = ArchiveOptions::Access::kRead, .on_network = plan_.on_network});
  file_ = identity_of_file(archive_.path());
  read_run();
  writer_ = std::make_unique<ArchiveWriter>(archive_, [this](const std::string& sentence) { tell(sentence); });
}

RecordRun::~RecordRun() = default;

void RecordRun::tell(const std::string& sentence) {
  if (ledger_ != nullptr) ledger_->add_note(sentence);
  notice_(sentence);
}

// Takes over what the archive has of the run.
void RecordRun::read_run() {
  const ArchivedRun run = archive_.run(id_);
  seconds_before_ = run.seconds;
  turns_ = archive_.turns(id_);
  before_ = scores_before(run);
  expect_sense(run);
  for (std::size_t i = 0; i < plan_.boards.size(); ++i) {
    const game::Position& board = plan_.boards[i].board.position;
    progress_.push_back({.best = before_[i],
                         .known = plan_.boards[i].known,
                         .upper_bound = board.upper_bound(plan_.search.scoring),
                         .is_proven = !board.has_moves()});
  }
  // The rounds so far are planned once more, because a board that waits for its turn saves up for it.
  const int last = turns_.empty() ? 0 : turns_.back().round;
  for (int round = 1; round <= last; ++round) {
    const RoundPlan plan = plan_round(plan_.budgets, progress_, round, std::nullopt, side_by_side_);
    for (std::size_t i = 0; i < progress_.size(); ++i)
      progress_[i].saved = plan.saved[i];
    if (round < last) account_round(round);
  }
  std::optional<double> seconds = plan_.seconds;
  if (seconds) seconds = std::max(0.0, *seconds - seconds_before_);
  end_ = std::make_unique<RunEnd>(seconds, plan_.until);
  ledger_ = std::make_unique<RecordLedger>(first_status(run), threads_);
}

void RecordRun::expect_sense(const ArchivedRun& run) const {
  const auto fail = [&](const std::string& what) {
    throw ArchiveError(fmt::format("archive {} is damaged: {} of run {}", archive_.path(), what, run.uid.substr(0, 8)),
                       true);
  };
  if (before_.size() != plan_.boards.size()) fail("the plan lacks scores of boards");
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    const ArchivedTurn& turn = turns_[i];
    if (turn.number != static_cast<int>(i) + 1 || turn.round < 1 || (i > 0 && turn.round < turns_[i - 1].round))
      fail("turns are missing or out of order");
    if (!places_.contains(turn.board)) fail("a turn has a board that is not one");
    if (!(turn.seconds > 0) && turn.playouts == 0) fail("a turn has no budget");
  }
}

void RecordRun::open_workers() {
  const auto notice = [this](const std::string& sentence) { tell(sentence); };
  const auto open = [&](int workers, int worker) {
    RunPlan plan = plan_.search;
    plan.choice.threads = threads_of_worker(threads_, workers, worker);
    plan.slot = {.number = worker, .count = workers, .threads_asked = plan_.search.choice.threads};
    auto resources = std::make_unique<RunResources>(plan, notice);
    return Worker{std::move(plan), std::move(resources)};
  };
  // Whether the search has a device is known once its engines are open.
  Worker alone = open(1, 0);
  side_by_side_ = boards_side_by_side(plan_, threads_, alone.resources->has_device());
  if (side_by_side_ == 1) {
    workers_.push_back(std::move(alone));
    return;
  }
  alone.resources.reset();
  for (int i = 0; i < side_by_side_; ++i)
    workers_.push_back(open(side_by_side_, i));
}

std::int64_t RecordRun::begin(const std::string& plan_text) {
  ordered_json plan = ordered_json::parse(plan_text);
  plan["before"] = ordered_json::array();
  for (const std::int64_t board : board_ids_) {
    const auto best = archive_.best(board, scoring());
    plan["before"].push_back(best ? ordered_json(best->score) : ordered_json(nullptr));
  }
  NewRun run;
  run.uid = identity_.uid.empty() ? random_run_name() : identity_.uid;
  run.started = now_text();
  run.host = identity_.host;
  run.version = identity_.version;
  run.command = identity_.command;
  run.machine = identity_.machine;
  run.plan = plan.dump();
  return archive_.begin_run(run);
}

RecordStatus RecordRun::first_status(const ArchivedRun& run) const {
  RecordStatus status;
  status.run = run.uid;
  status.state = "running";
  status.strategy = strategy();
  status.seconds = seconds_before_;
  status.rounds = plan_.rounds;
  status.round = turns_.empty() ? 0 : turns_.back().round;
  for (const ArchivedTurn& turn : turns_) {
    status.turns_of_round += turn.round == status.round ? 1 : 0;
    status.turns_done_of_round += turn.round == status.round && turn.ended ? 1 : 0;
  }
  for (std::size_t i = 0; i < plan_.boards.size(); ++i) {
    RecordedBoard board{.id = board_ids_[i], .name = plan_.boards[i].board.name};
    board.before = before_[i];
    board.known = plan_.boards[i].known;
    if (const auto best = archive_.best(board.id, scoring())) {
      board.best = best->score;
      if (best->run == id_) board.improved_at = best->origin.found;
    }
    board.turns = static_cast<int>(std::count_if(
        turns_.begin(), turns_.end(), [&](const ArchivedTurn& turn) { return turn.ended && turn.board == board.id; }));
    status.boards.push_back(std::move(board));
  }
  return status;
}

std::string RecordRun::strategy() const {
  const std::string text = strategy_text(plan_.budgets, plan_.elites, plan_.distance, side_by_side_, threads_);
  const int ranks = plan_.search.spread == nullptr ? 1 : plan_.search.spread->ranks();
  return ranks < 2 ? text
                   : text + fmt::format(" Every search runs in {} processes, the first of which this is.", ranks);
}

std::string RecordRun::run(const std::function<void()>& watch, const std::stop_token& stop) {
  const std::stop_callback on_stop(stop, [this] {
    is_broken_off_ = true;
    ledger_->set_state("stopping");
    stop_.request_stop();
  });
  std::string error;
  while (error.empty() && !stop_.stop_requested()) {
    std::vector<ArchivedTurn> turns = next_round();
    if (turns.empty()) break;
    error = run_round(std::move(turns), watch);
  }
  end(error);
  return error;
}

// Writes what is left and ends the writer.
void RecordRun::end(const std::string& error) {
  const std::string state = is_broken_off_ || !error.empty() ? "stopped" : "finished";
  const double seconds = seconds_before_ + end_->seconds_so_far();
  writer_->push({.apply = [id = id_, state, seconds](Archive& archive) { archive.end_run(id, state, seconds); }});
  writer_->drain(kEndPatience);
  const bool is_written = writer_->stop();
  if (is_archive_lost_)
    problem_ = fmt::format("archive {} was removed or replaced while the run wrote to it", archive_.path());
  else if (!is_written)
    problem_ = writer_->problem().empty() ? fmt::format("archive {} could not be written in time", archive_.path())
                                          : writer_->problem();
  ledger_->set_state(state);
  ledger_->tick(seconds, end_->seconds_left());
}

std::vector<std::pair<game::NamedBoard, FoundLine>> RecordRun::unwritten() const {
  std::vector<std::pair<game::NamedBoard, FoundLine>> lines;
  if (problem_.empty()) return lines;
  const RecordStatus now = status();
  for (const auto& [board, line] : best_found_) {
    const std::optional<int> saved = now.boards[place_of(board)].best;
    if (is_archive_lost_ || !saved || line.score > *saved)
      lines.emplace_back(plan_.boards[place_of(board)].board, line);
  }
  return lines;
}

// Takes the results of a round into account.
void RecordRun::account_round(int round) {
  for (const ArchivedTurn& turn : turns_) {
    if (turn.round != round || !turn.ended || !turn.score) continue;
    BoardProgress& board = progress_[place_of(turn.board)];
    const bool gained = !board.best || *turn.score > *board.best;
    board.best = std::max(board.best.value_or(*turn.score), *turn.score);
    board.turns_without_gain = gained ? 0 : board.turns_without_gain + 1;
    board.is_proven = board.is_proven || turn.proven;
    ++board.turns;
  }
}

std::vector<ArchivedTurn> RecordRun::next_round() {
  if (end_->is_reached()) return {};
  const int last = turns_.empty() ? 0 : turns_.back().round;
  std::vector<ArchivedTurn> open;
  std::copy_if(turns_.begin(), turns_.end(), std::back_inserter(open), [](const auto& turn) { return !turn.ended; });
  if (!open.empty()) return open;
  if (plan_.rounds > 0 && last >= plan_.rounds) return {};
  account_round(last);
  const RoundPlan plan = plan_round(plan_.budgets, progress_, last + 1, end_->seconds_left(), side_by_side_);
  for (std::size_t i = 0; i < progress_.size(); ++i)
    progress_[i].saved = plan.saved[i];
  if (plan.turns.empty()) return {};
  const std::vector<NewTurn> turns = turns_of(plan, last + 1);
  writer_->push({.apply = [id = id_, turns](Archive& archive) { archive.plan_round(id, turns); }});
  std::vector<ArchivedTurn> next(turns.size());
  std::transform(turns.begin(), turns.end(), next.begin(), [](const NewTurn& turn) {
    ArchivedTurn archived;
    static_cast<NewTurn&>(archived) = turn;
    return archived;
  });
  turns_.insert(turns_.end(), next.begin(), next.end());
  return next;
}

std::vector<NewTurn> RecordRun::turns_of(const RoundPlan& round, int number) const {
  std::vector<NewTurn> turns;
  for (const PlannedTurn& planned : round.turns) {
    NewTurn turn;
    turn.number = static_cast<int>(turns_.size() + turns.size()) + 1;
    turn.round = number;
    turn.board = board_ids_[planned.board];
    turn.seed = turn_seed(seed_, number, plan_.boards[planned.board].board.position);
    turn.seconds = planned.seconds;
    turn.playouts = planned.playouts;
    turns.push_back(turn);
  }
  return turns;
}

std::string RecordRun::run_round(std::vector<ArchivedTurn> turns, const std::function<void()>& watch) {
  const int round = turns.front().round;
  const auto in_round =
      std::count_if(turns_.begin(), turns_.end(), [&](const auto& turn) { return turn.round == round; });
  ledger_->begin_round(round, static_cast<int>(in_round), static_cast<int>(in_round) - static_cast<int>(turns.size()));
  // Workers take turns from the end of the list: the longest ones first, so that all end at about the same time.
  std::stable_sort(turns.begin(), turns.end(), [](const ArchivedTurn& a, const ArchivedTurn& b) {
    return std::pair(a.seconds, a.playouts) > std::pair(b.seconds, b.playouts);
  });
  std::reverse(turns.begin(), turns.end());
  waiting_ = std::move(turns);
  std::vector<std::jthread> threads;
  start_workers(threads);
  auto next_second = std::chrono::steady_clock::now();
  {
    std::unique_lock lock(mutex_);
    while (!worker_ended_.wait_for(lock, std::chrono::milliseconds(100), [this] { return working_ == 0; })) {
      lock.unlock();
      if (std::chrono::steady_clock::now() >= next_second) {
        each_second();
        next_second += std::chrono::seconds(1);
      }
      watch();
      lock.lock();
    }
  }
  threads.clear();  // joins them
  each_second();
  watch();
  return error_;
}

// Starts as many as the system allows; one is enough.
void RecordRun::start_workers(std::vector<std::jthread>& threads) {
  working_ = 0;
  for (Worker& worker : workers_) {
    try {
      const std::lock_guard lock(mutex_);
      threads.emplace_back([this, &worker] { work(worker); });
      ++working_;
    } catch (const std::system_error& error) {
      const std::string sentence =
          fmt::format("only {} of {} boards can be searched side by side: cannot start a thread: {}", threads.size(),
                      workers_.size(), error.code().message());
      if (threads.empty()) error_ = sentence;
      tell(sentence);
      return;
    }
  }
}

void RecordRun::each_second() {
  if (const std::string jump = end_->clock_jump(); !jump.empty()) tell(jump);
  if (!is_archive_lost_ && !(identity_of_file(archive_.path()) == file_)) {
    is_archive_lost_ = true;
    const std::lock_guard lock(mutex_);
    error_ = fmt::format("archive {} was removed or replaced while the run wrote to it", archive_.path());
    stop_.request_stop();
  }
  if (end_->is_reached()) stop_.request_stop();
  const double seconds = seconds_before_ + end_->seconds_so_far();
  ledger_->tick(seconds, end_->seconds_left());
  if (!writer_->problem().empty()) return;
  const std::lock_guard lock(mutex_);
  writer_->push(
      {.apply = [id = id_, seconds, spent = spent_](Archive& archive) { archive.spend(id, seconds, spent); }});
}

void RecordRun::work(Worker& worker) {
  while (std::optional<ArchivedTurn> turn = take_turn()) {
    try {
      run_turn(worker, *turn);
    } catch (const std::exception& error) {
      ledger_->end_turn(turn->number, false);
      note_failure(*turn, error.what());
    }
  }
  const std::lock_guard lock(mutex_);
  --working_;
  worker_ended_.notify_all();
}

std::optional<ArchivedTurn> RecordRun::take_turn() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() || stop_.stop_requested() || !error_.empty()) return std::nullopt;
  ArchivedTurn turn = std::move(waiting_.back());
  waiting_.pop_back();
  return turn;
}

}  // namespace chainshot::host
