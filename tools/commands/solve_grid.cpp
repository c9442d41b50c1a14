#include "tools/commands/solve_grid.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "tools/options/input_error.hpp"
#include "tools/options/output_option.hpp"
#include "tools/reports/solve_progress.hpp"
#include "tools/reports/solve_report.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

// Searches all boards with one combination and one seed, in a run of its own: engines hold memory of devices, so two
// runs must not have them at a time.
class GridSearch {
 public:
  GridSearch(GridReport& report, const GridOutput& output, const Program& program, std::stop_token stop)
      : report_(report), output_(output), program_(program), stop_(std::move(stop)) {}

  // Returns false if the grid ends here. What went wrong after the first run is kept for problems().
  bool search(std::size_t combination, std::uint64_t seed) {
    if (report_.runs.empty()) return search_boards(combination, seed);
    try {
      return search_boards(combination, seed);
    } catch (const std::exception& error) {
      if (error_.empty()) error_ = error.what();
      return false;
    }
  }

  // Why the search failed or the log is incomplete. Lines are saved once more at the end, so they are not lost yet.
  std::vector<std::string> problems() const {
    std::vector<std::string> all;
    for (const std::string& problem : {error_, log_problem_})
      if (!problem.empty()) all.push_back(problem);
    return all;
  }

 private:
  bool search_boards(std::size_t combination, std::uint64_t seed) {
    const std::unique_ptr<host::BoardRun> run = open(combination, seed);
    Json about = machine_json();
    about["command"] = program_.command_line;
    run->begin(report_.boards, about);
    SolveProgress progress(run->plan().budget);
    bool goes_on = true;
    for (std::size_t board = 0; board < report_.boards.size() && goes_on; ++board) {
      const std::string name = name_of(combination, seed, board);
      const auto watch = [&](const host::BoardMoment& moment) {
        progress.update({name, report_.runs.size() + 1, report_.wanted_runs(), moment.best, moment.sample});
      };
      GridRun done{.combination = combination,
                   .board = board,
                   .seed = seed,
                   .solution = run->solve(report_.boards[board], watch, stop_)};
      progress.erase();
      done.solution.result.elites.clear();
      if (error_.empty()) error_ = done.solution.result.error;
      report_.runs.push_back(std::move(done));
      goes_on = !stop_.stop_requested() && error_.empty();
    }
    add_engine(run->engine_names());
    if (log_problem_.empty()) log_problem_ = run->log_problem();
    return goes_on;
  }

  // Combinations may need different engines.
  void add_engine(const std::string& name) {
    if (engines_.insert(name).second) report_.engine += (report_.engine.empty() ? "" : "; ") + name;
  }

  std::string name_of(std::size_t combination, std::uint64_t seed, std::size_t board) const {
    std::string name = report_.boards[board].name;
    if (report_.combinations.size() > 1) name += ", " + report_.combinations[combination].label;
    return report_.seeds.size() > 1 ? fmt::format("{}, seed {}", name, seed) : name;
  }

  std::unique_ptr<host::BoardRun> open(std::size_t combination, std::uint64_t seed) const {
    host::RunPlan plan = report_.plans[combination];
    plan.seed = seed;
    // What is appended cannot be replaced by something better, so it waits for the end.
    const std::string& out = output_.files.out;
    const bool waits = !out.empty() && host::is_appended_to(out);
    const host::RunFiles files{.solutions = waits ? "" : out, .log = output_.files.log};
    try {
      return std::make_unique<host::BoardRun>(std::move(plan), files, print_note);
    } catch (const std::invalid_argument& error) {
      throw InputError(error.what());
    }
  }

  GridReport& report_;
  const GridOutput& output_;
  const Program& program_;
  const std::stop_token stop_;
  std::string error_;
  std::string log_problem_;
  std::set<std::string> engines_;
};

// Returns why the best lines could not be saved, or an empty text.
std::string save_best(const GridReport& report, const std::string& path) {
  host::SolutionFile file(path, report.plans.front().scoring, {});
  for (const host::BoardSolution& solution : best_solutions(report))
    file.add(solution.board, solution.result.best);
  return file.problem();
}

std::string best_lines(const GridReport& report, game::Notation notation) {
  std::string text;
  for (const host::BoardSolution& solution : best_solutions(report)) {
    const game::Solution line{.board = solution.board.name,
                              .scoring = report.plans.front().scoring,
                              .score = solution.result.best.score,
                              .moves = solution.result.best.moves};
    text += to_text(line, notation, solution.board.position.rows());
  }
  return text;
}

void print_grid(const GridReport& report, const GridOutput& output, bool lines_are_saved, const Terminal& terminal) {
  if (output.json) return print_json(grid_json(report));
  std::string text = grid_text(report, terminal);
  if (!lines_are_saved || output.prints_lines) text += '\n' + best_lines(report, output.notation);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

void run_grid(GridReport report, const GridOutput& output, Program& program, const std::stop_token& stop) {
  GridSearch grid(report, output, program, stop);
  bool goes_on = true;
  for (std::size_t seed = 0; seed < report.seeds.size() && goes_on; ++seed)
    for (std::size_t i = 0; i < report.combinations.size() && goes_on; ++i)
      goes_on = grid.search(i, report.seeds[seed]);
  std::vector<std::string> problems = grid.problems();
  const auto note = [&problems](std::string problem) {
    if (!problem.empty()) problems.push_back(std::move(problem));
  };
  note(save_best(report, output.files.out));
  note(try_write_file(output.files.csv, grid_csv(report)));
  note(try_write_file(output.files.runs, grid_runs_csv(report)));
  print_grid(report, output, !output.files.out.empty() && problems.empty(), program.terminal);
  if (problems.empty()) return;
  for (std::size_t i = 1; i < problems.size(); ++i)
    print_note(problems[i]);
  throw std::runtime_error(problems[0]);
}

}  // namespace chainshot::tools
