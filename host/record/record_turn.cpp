// The part of a record run that a worker does: one turn after another.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/archive/archive_text.hpp"
#include "host/record/record_run.hpp"
#include "host/run/spread.hpp"
#include "host/search/line_distance.hpp"

namespace chainshot::host {
namespace {

constexpr int kMostFailures = 3;  // of one turn, before the run gives up
constexpr auto kWritePatience = std::chrono::seconds(5);

TurnWork work_of(const TurnWork& before, const SolveSample& sample) {
  const SearchStatus total = sample.total();
  return {.seconds = before.seconds + sample.seconds,
          .playouts = before.playouts + total.playouts,
          .evaluations = before.evaluations + total.evaluations};
}

// Returns the share of the budget of a turn that is spent, from 0 to 1.
double share_of(const Budget& budget, const SolveSample& sample) {
  const SearchStatus total = sample.total();
  double share = budget.seconds > 0 ? sample.seconds / budget.seconds : 0;
  if (budget.playouts > 0)
    share = std::max(
        share, static_cast<double>(std::max(total.playouts, total.evaluations)) / static_cast<double>(budget.playouts));
  return std::min(share, 1.0);
}

// Returns the ids of lines of a board, which the archive has.
std::vector<std::int64_t> ids_of(const Archive& archive, std::int64_t board, const std::string& scoring,
                                 const std::vector<std::vector<game::Cell>>& lines) {
  std::vector<std::int64_t> ids;
  const std::vector<ArchivedLine> all = archive.lines({.board = board, .scoring = scoring, .only_improvements = false});
  for (const auto& moves : lines) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const ArchivedLine& line) { return line.moves == moves; });
    if (found != all.end()) ids.push_back(found->id);
  }
  return ids;
}

// Returns the lines that are worth starting from: the best line of every turn and elites, but not the lines that a turn
// only passed on its way up.
std::vector<ScoredLine> candidates_of(std::vector<ArchivedLine> lines) {
  std::map<std::pair<std::int64_t, int>, int> best;  // score by run and turn
  for (const ArchivedLine& line : lines)
    if (const auto [known, is_new] = best.try_emplace({line.run, line.turn}, line.score); !is_new)
      known->second = std::max(known->second, line.score);
  std::vector<ScoredLine> candidates;
  for (ArchivedLine& line : lines)
    if (line.is_elite || line.run == 0 || line.score == best[{line.run, line.turn}])
      candidates.push_back({line.score, std::move(line.moves)});
  return candidates;
}

}  // namespace

// A turn that was broken off starts from the same lines again. If its budget is time, it has only the rest of it.
void RecordRun::run_turn(Worker& worker, const ArchivedTurn& turn) {
  std::vector<std::vector<game::Cell>> starts = starts_of(turn);
  if (!turn.begun) push_begin(turn, starts);
  RunPlan plan = worker.plan;
  plan.seed = turn.seed;
  plan.budget = {};
  plan.budget.playouts = turn.playouts;
  if (turn.seconds > 0) plan.budget.seconds = std::max(0.1, turn.seconds - turn.spent.seconds);
  TurnWork spent = turn.spent;
  ledger_->begin_turn(turn.number, place_of(turn.board));
  const TurnObserver observer{
      .found = [&](std::vector<FoundLine> lines) { push_lines(worker, turn, std::move(lines)); },
      .sampled =
          [&](const SolveSample& sample, std::optional<int> best) {
            ledger_->sample_turn(turn.number, sample, share_of(plan.budget, sample), best);
            spent = work_of(turn.spent, sample);
            const std::lock_guard lock(mutex_);
            spent_[turn.number] = spent;
          }};
  const SolveResult result =
      search_turn(plan, *worker.resources, board_of(turn), std::move(starts), observer, stop_.get_token());
  {
    const std::lock_guard lock(mutex_);
    spent_.erase(turn.number);
  }
  // A turn that is counted is not over before its budget is spent, and one that failed is tried again.
  const bool is_over = result.complete || (result.error.empty() && !is_broken_off_ && turn.playouts == 0);
  ledger_->end_turn(turn.number, is_over);
  if (!result.error.empty()) note_failure(turn, result.error);
  if (is_over) push_end(worker, turn, result, spent);
}

void RecordRun::note_failure(const ArchivedTurn& turn, const std::string& error) {
  const std::string sentence = board_of(turn).name + ": " + error;
  const std::string lost = plan_.search.spread == nullptr ? "" : plan_.search.spread->lost();
  if (lost.empty()) tell(sentence);
  const std::lock_guard lock(mutex_);
  spent_.erase(turn.number);
  if (!lost.empty()) {  // no turn can be searched any more, and the error is told at the end
    error_ = lost;
    stop_.request_stop();
  }
  if (++failures_[turn.number] >= kMostFailures && error_.empty()) error_ = sentence;
}

std::vector<std::vector<game::Cell>> RecordRun::starts_of(const ArchivedTurn& turn) {
  std::vector<std::vector<game::Cell>> starts;
  if (turn.begun) {
    for (const std::int64_t id : turn.starts)
      starts.push_back(reader_->line(id).moves);
    return starts;
  }
  if (plan_.elites == 0) return starts;
  if (writer_->problem().empty()) writer_->drain(kWritePatience);
  const std::vector<ScoredLine> lines = candidates(turn.board);
  for (const std::size_t i :
       choose_apart(board_of(turn).position, lines, static_cast<std::size_t>(plan_.elites), plan_.distance))
    if (std::find(starts.begin(), starts.end(), lines[i].moves) == starts.end()) starts.push_back(lines[i].moves);
  return starts;
}

// Returns the lines of a board that are worth starting from. If the archive cannot be read at the moment, these are
// only those that wait to be written.
std::vector<ScoredLine> RecordRun::candidates(std::int64_t board) {
  std::vector<NewLine> waiting = writer_->unwritten();  // first: a line that is written in between is in the archive
  std::vector<ScoredLine> lines;
  try {
    lines = candidates_of(reader_->lines({.board = board, .scoring = scoring(), .only_improvements = false}));
  } catch (const ArchiveError& error) {
    tell(fmt::format("{}; a turn of {} starts without its lines", error.what(),
                     plan_.boards[place_of(board)].board.name));
  }
  for (NewLine& line : waiting)
    if (line.board == board) lines.push_back({line.score, std::move(line.moves)});
  return lines;
}

void RecordRun::push_begin(const ArchivedTurn& turn, const std::vector<std::vector<game::Cell>>& starts) {
  writer_->push({.apply = [id = id_, turn, starts, scoring = scoring()](Archive& archive) {
    archive.begin_turn(id, turn.number, ids_of(archive, turn.board, scoring, starts));
  }});
}

NewLine RecordRun::new_line(const Worker& worker, const ArchivedTurn& turn, FoundLine found) const {
  NewLine line;
  line.board = turn.board;
  line.scoring = plan_.search.scoring.name();
  line.score = found.score;
  line.moves = std::move(found.moves);
  line.run = id_;
  line.turn = turn.number;
  line.origin.found = std::move(found.found);
  line.origin.search = std::move(found.search);
  line.origin.preset = plan_.search.preset;
  line.origin.parameters = settings_json(worker.plan).dump();
  line.origin.seed = std::to_string(turn.seed);
  line.origin.engine = worker.resources->engine_names();
  line.origin.host = identity_.host;
  line.origin.version = identity_.version;
  return line;
}

void RecordRun::push_lines(const Worker& worker, const ArchivedTurn& turn, std::vector<FoundLine> found) {
  {
    const std::lock_guard lock(mutex_);
    FoundLine& best = best_found_.try_emplace(turn.board, found.front()).first->second;
    for (const FoundLine& line : found)
      if (line.score > best.score) best = line;
  }
  std::vector<NewLine> lines;
  for (FoundLine& line : found)
    lines.push_back(new_line(worker, turn, std::move(line)));
  writer_->push({.apply =
                     [this, lines](Archive& archive) {
                       archive.add(lines);
                       committed(archive, lines.front().board);
                     },
                 .lines = lines});
}

void RecordRun::push_end(const Worker& worker, const ArchivedTurn& turn, const SolveResult& result,
                         const TurnWork& spent) {
  {
    const std::lock_guard lock(mutex_);
    ArchivedTurn& kept = turns_[static_cast<std::size_t>(turn.number) - 1];
    kept.ended = true;
    kept.proven = result.proven;
    kept.score = result.best.score;
  }
  std::vector<NewLine> lines;
  for (const ScoredLine& elite : result.elites) {
    lines.push_back(new_line(worker, turn, {elite.score, elite.moves, worker.plan.preset, now_text()}));
    lines.back().is_elite = true;
  }
  writer_->push(
      {.apply = [id = id_, number = turn.number, lines, spent, score = result.best.score, proven = result.proven](
                    Archive& archive) { archive.end_turn(id, number, lines, spent, score, proven); },
       .lines = lines});
}

// The best line in the archive may be another program's.
void RecordRun::committed(Archive& archive, std::int64_t board) {
  const std::optional<ArchivedLine> best = archive.best(board, scoring());
  if (!best || !ledger_->commit(place_of(board), best->score, best->run == id_ ? best->origin.found : "")) return;
  if (best->run != id_ || !recorded_) return;
  recorded_(plan_.boards[place_of(board)].board, {best->score, best->moves, best->origin.search, best->origin.found});
}

}  // namespace chainshot::host
