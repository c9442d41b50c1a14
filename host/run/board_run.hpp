// A run searches boards one after another with the same plan. It opens the engines, gives every board its budget,
// writes the log and the solution file, and obeys a stop. It knows nothing of terminals: callbacks report what happens.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/files/append_file.hpp"
#include "host/log/run_log.hpp"
#include "host/run/run_engines.hpp"
#include "host/run/run_plan.hpp"
#include "host/run/solution_file.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot::host {

// Paths of the files to write; a file with an empty path is not written.
struct RunFiles {
  std::string solutions;
  std::string log;
};

struct BoardSolution {
  game::NamedBoard board;
  SolveResult result;
  double found_seconds = 0;  // when the best line was found
};

// A board in the middle of its search.
struct BoardMoment {
  const game::NamedBoard& board;
  std::optional<int> best;  // empty until a line is found
  const SolveSample& sample;
};

class BoardRun {
 public:
  // Receives a sentence for the user while the run goes on; called from any thread.
  using Notice = std::function<void(const std::string& sentence)>;

  // Opens the engines and the log. Throws std::invalid_argument with one sentence if this machine cannot run the plan,
  // or if another program writes the log, and std::runtime_error if the log cannot be written.
  BoardRun(RunPlan plan, const RunFiles& files, const Notice& notice);

  const RunPlan& plan() const { return plan_; }
  // Returns the names of the engines that play at the moment; empty if there are none.
  std::string engine_names() const { return engines_.engine_names(); }
  std::string_view title() const { return plan_.kind->title; }  // of the search
  Counters counters() const { return plan_.kind->counters; }

  // Writes the first line of the run to the log; `about` has the fields that describe program, command and machine.
  void begin(const std::vector<game::NamedBoard>& boards, const nlohmann::ordered_json& about);
  // Searches one board and replays its line by the reference rules once more. Calls `watch` ten times per second from
  // the calling thread.
  BoardSolution solve(const game::NamedBoard& board, const std::function<void(const BoardMoment&)>& watch,
                      const std::stop_token& stop);

  // Returns why solutions or lines of the log were not saved; empty if all were.
  std::vector<std::string> problems() const;
  std::string log_problem() const { return log_file_ ? log_file_->problem() : std::string(); }

 private:
  RunPlan plan_;
  RunResources engines_;
  SolutionFile solutions_;
  std::unique_ptr<AppendFile> log_file_;
  std::unique_ptr<RunLog> log_;
};

}  // namespace chainshot::host
