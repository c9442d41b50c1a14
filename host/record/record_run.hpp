// A record run works through boards in rounds, each turn a whole search by itself, and keeps everything it finds and
// every decision it makes in the archive: a run that was killed goes on where it was. A run whose turns are counted
// leaves the same lines in the archive whether it was broken off or not.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "host/archive/archive.hpp"
#include "host/record/archive_writer.hpp"
#include "host/record/record_ledger.hpp"
#include "host/record/record_plan.hpp"
#include "host/record/run_end.hpp"
#include "host/record/turn_search.hpp"
#include "host/run/run_engines.hpp"

namespace chainshot::host {

// Who runs it; kept with the run and with every line.
struct RecordIdentity {
  std::string uid;  // a random name for a new run
  std::string host;
  std::string version;  // of the program
  std::string command;  // the command line as a JSON array
  std::string machine;  // a JSON object
};

// Tells a file from another one of the same name.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;

  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identity_of_file(const std::string& path);  // zeros if there is none

std::string random_run_name();

class RecordRun {
 public:
  // Receives a sentence for the user; called from any thread.
  using Notice = std::function<void(const std::string& sentence)>;
  // Called from the thread that writes when a line that is the best of its board is in the archive.
  using Recorded = std::function<void(const game::NamedBoard& board, const FoundLine& line)>;

  // Begins a run, or goes on with the run `resumed`. `plan_text` is kept with a new run, for who resumes it. The
  // archive outlives the run; it should not wait long for other programs, because writes are tried again. Throws
  // ArchiveError, also if the run in the archive makes no sense, and std::invalid_argument with one sentence if this
  // machine cannot run the plan.
  RecordRun(RecordPlan plan, RecordIdentity identity, const std::string& plan_text, Archive& archive,
            std::optional<std::int64_t> resumed, Notice notice, Recorded recorded = {});
  ~RecordRun();

  // Runs until the end of the plan, a stop, or an error that no search survives. Calls `watch` ten times per second
  // from the calling thread. Returns the sentence of that error; empty if there was none.
  std::string run(const std::function<void()>& watch, const std::stop_token& stop);

  std::int64_t id() const { return id_; }  // of the run in the archive
  RecordStatus status() const { return ledger_->status(); }
  // After `run`: why lines are not in the archive, empty if all are, and the best line of each board that it lacks.
  const std::string& problem() const { return problem_; }
  std::vector<std::pair<game::NamedBoard, FoundLine>> unwritten() const;

 private:
  struct Worker {
    RunPlan plan;  // with its share of the threads
    std::unique_ptr<RunResources> resources;
  };

  void open_workers();
  std::int64_t begin(const std::string& plan_text);
  void read_run();
  void expect_sense(const ArchivedRun& run) const;
  RecordStatus first_status(const ArchivedRun& run) const;
  std::string strategy() const;
  void tell(const std::string& sentence);

  // The turns of a round, planned now or by a part of the run that was broken off; empty if there is nothing to do.
  std::vector<ArchivedTurn> next_round();
  void account_round(int round);
  std::vector<NewTurn> turns_of(const RoundPlan& round, int number) const;
  std::string run_round(std::vector<ArchivedTurn> turns, const std::function<void()>& watch);
  void start_workers(std::vector<std::jthread>& threads);
  void each_second();
  void end(const std::string& error);

  void work(Worker& worker);
  std::optional<ArchivedTurn> take_turn();
  void run_turn(Worker& worker, const ArchivedTurn& turn);
  void note_failure(const ArchivedTurn& turn, const std::string& error);
  std::vector<std::vector<game::Cell>> starts_of(const ArchivedTurn& turn);
  std::vector<ScoredLine> candidates(std::int64_t board);
  void push_begin(const ArchivedTurn& turn, const std::vector<std::vector<game::Cell>>& starts);
  void push_lines(const Worker& worker, const ArchivedTurn& turn, std::vector<FoundLine> lines);
  void push_end(const Worker& worker, const ArchivedTurn& turn, const SolveResult& result, const TurnWork& spent);
  NewLine new_line(const Worker& worker, const ArchivedTurn& turn, FoundLine line) const;
  void committed(Archive& archive, std::int64_t board);
  std::size_t place_of(std::int64_t board) const { return places_.at(board); }
  const game::NamedBoard& board_of(const ArchivedTurn& turn) const { return plan_.boards[place_of(turn.board)].board; }
  std::string scoring() const { return plan_.search.scoring.name(); }

  const RecordPlan plan_;
  const RecordIdentity identity_;
  Archive& archive_;
  const Notice notice_;
  const Recorded recorded_;
  const int threads_;
  int side_by_side_ = 1;
  std::vector<Worker> workers_;
  std::vector<std::int64_t> board_ids_;
  std::map<std::int64_t, std::size_t> places_;  // of boards in the plan, by id
  std::vector<std::optional<int>> before_;      // the best score of each board when the run began
  std::vector<BoardProgress> progress_;         // before the last round that was planned
  std::unique_ptr<Archive> reader_;             // reads never wait for the writer
  FileIdentity file_;                           // of the archive, when it was opened
  std::uint64_t seed_ = 0;
  std::int64_t id_ = 0;
  double seconds_before_ = 0;  // that earlier parts of the run took
  std::unique_ptr<RunEnd> end_;
  std::unique_ptr<RecordLedger> ledger_;
  std::stop_source stop_;  // of the turns

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable worker_ended_;
  std::vector<ArchivedTurn> turns_;    // all of the run so far, by number
  std::vector<ArchivedTurn> waiting_;  // of the round, the next one last
  std::map<int, TurnWork> spent_;      // by turns under way
  int working_ = 0;                    // workers that have not returned
  std::map<int, int> failures_;        // by turn
  std::string error_;
  std::map<std::int64_t, FoundLine> best_found_;  // by board, of this part of the run

  std::atomic<bool> is_broken_off_ = false;  // by the user
  std::atomic<bool> is_archive_lost_ = false;
  std::string problem_;

  std::unique_ptr<ArchiveWriter> writer_;  // last, because its thread uses the others
};

}  // namespace chainshot::host
