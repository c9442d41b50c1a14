// chainshot solve: searches boards for the best line there is, as long as it is let.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "game/reference.hpp"
#include "host/log/run_log.hpp"
#include "host/tree/tree_search.hpp"
#include "tools/commands.hpp"
#include "tools/measure/machine.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/preset_argument.hpp"
#include "tools/options/solution_argument.hpp"
#include "tools/reports/preset_report.hpp"
#include "tools/reports/solve_progress.hpp"
#include "tools/reports/solve_report.hpp"
#include "tools/terminal/append_file.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/output_file.hpp"

namespace chainshot::tools {
namespace {

struct SolveArguments {
  std::vector<std::string> boards;
  PresetArguments preset;
  host::EngineChoice engine;
  std::string scoring = "standard";
  std::uint64_t seed = 0;
  std::string out;
  std::string log;
  std::string explained;  // a preset
  bool explain = false;
  bool list_presets = false;
  bool json = false;
};

// Solutions are in the file as soon as a board is done, and while it is searched its best line so far: whatever ends
// the program, that is not lost. What is only appended to gets each board once.
class SolutionFile {
 public:
  SolutionFile(std::string path, const game::Scoring& scoring)
      : path_(std::move(path)), scoring_(scoring), appends_(!path_.empty() && is_appended_to(path_)) {}

  void add(const game::NamedBoard& board, const host::BestLine& best) {
    const std::string text = saved_line(board, scoring_, best.score, best.moves);
    done_ += text;
    kept_ = 0;
    save(appends_ ? text : done_);
  }
  // Of a board that is still searched, now and then.
  void keep(const game::NamedBoard& board, const host::BestLine& best) {
    if (path_.empty() || appends_ || best.version == kept_ || Clock::now() < next_) return;
    save(done_ + saved_line(board, scoring_, best.score, best.moves));
    kept_ = best.version;
    next_ = Clock::now() + std::chrono::seconds(1);
  }
  // Empty, or why a solution could not be saved.
  const std::string& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;

  // What was lost of an appended file stays lost; another one is whole again with the next write.
  void save(const std::string& text) {
    const std::string problem = try_write_file(path_, text);
    if (!problem.empty() && problem_.empty()) print_note(problem + "; the search goes on");
    if (!appends_ || problem_.empty()) problem_ = problem;
  }

  std::string path_;
  game::Scoring scoring_;
  bool appends_;
  std::string done_;
  std::string problem_;
  std::uint64_t kept_ = 0;  // the version of the line that is in the file, 0 for none
  Clock::time_point next_ = Clock::now();
};

// A file that grows with the run; nothing happens without --log.
class LogFile {
 public:
  LogFile(const std::string& path, const host::Budget& budget) {
    if (path.empty()) return;
    file_.emplace(path);
    log_.emplace([this](std::string_view line) { file_->append(line); }, interval(budget));
  }

  host::RunLog* log() { return log_ ? &*log_ : nullptr; }
  // Empty, or why lines were lost.
  std::string problem() const { return file_ ? file_->problem() : ""; }

 private:
  // Two hundred lines of a search make a smooth curve, whatever the budget.
  static double interval(const host::Budget& budget) {
    return budget.seconds > 0 ? std::clamp(budget.seconds / 200, 0.1, 10.0) : 1;
  }

  std::optional<GrowingFile> file_;
  std::optional<host::RunLog> log_;
};

// Whoever found it: what is printed or written has been replayed by the reference rules, here once more.
void expect_replays(const BoardSolution& solution, const game::Scoring& scoring) {
  const host::BestLine& best = solution.result.best;
  const game::ReplayResult replayed = game::replay(solution.board.position, best.moves, scoring);
  if (!replayed.error.empty() || replayed.score != best.score)
    throw std::logic_error(fmt::format("the line of {} points for {} does not replay: {} {}", best.score,
                                       solution.board.name, replayed.score, replayed.error));
}

class SolveRun {
 public:
  SolveRun(const SolveArguments& a, const SolveSetting& setting, host::SearchMaker maker)
      : setting_(setting),
        scoring_(scoring_from(a.scoring)),
        maker_(std::move(maker)),
        log_(a.log, setting.plan.budget),
        file_(a.out, scoring_),
        progress_(setting.plan.budget) {}

  LogFile& log() { return log_; }
  const SolutionFile& file() const { return file_; }
  SolveProgress& progress() { return progress_; }

  BoardSolution solve(const game::NamedBoard& board, std::size_t place, std::size_t boards) {
    std::stop_source stop;
    std::mutex mutex;  // guards what follows
    host::BestLine best;
    double found = 0;
    const host::SolveWatcher watcher{
        .improved =
            [&](const host::BestLine& line, double seconds) {
              if (log_.log() != nullptr) log_.log()->best(board.name, line, seconds);
              const std::lock_guard lock(mutex);
              best = line;
              found = seconds;
            },
        .sampled =
            [&](const host::SolveSample& sample) {
              if (interrupted()) stop.request_stop();
              if (log_.log() != nullptr) log_.log()->status(board.name, sample);
              const host::BestLine now = [&] {
                const std::lock_guard lock(mutex);
                return best;
              }();
              const bool is_known = now.version > 0;
              if (is_known) file_.keep(board, now);
              progress_.update({board.name, place, boards, is_known ? std::optional(now.score) : std::nullopt, sample});
            },
        .interval = 0.1};
    const host::SearchTask task{.board = board.position, .scoring = scoring_, .seed = setting_.seed};
    BoardSolution solution{.board = board,
                           .result = host::solve(task, maker_, setting_.plan.budget.seconds, watcher, stop.get_token()),
                           .found_seconds = found};
    if (log_.log() != nullptr) log_.log()->end(board.name, solution.result);
    progress_.erase();
    expect_replays(solution, scoring_);
    file_.add(board, solution.result.best);
    return solution;
  }

 private:
  const SolveSetting& setting_;
  const game::Scoring scoring_;
  host::SearchMaker maker_;
  LogFile log_;
  SolutionFile file_;
  SolveProgress progress_;
};

// A solution file and a log know a board by its name.
void expect_names_tell_apart(const std::vector<game::NamedBoard>& boards) {
  std::unordered_map<std::string_view, const game::Position*> position_of;
  for (const game::NamedBoard& board : boards) {
    const auto [known, is_new] = position_of.try_emplace(board.name, &board.position);
    if (!is_new && !(*known->second == board.position))
      throw InputError(fmt::format("two different boards are called '{}'; expected a name for each", board.name));
  }
}

std::vector<game::NamedBoard> boards_of(const std::vector<std::string>& arguments) {
  std::vector<game::NamedBoard> boards;
  if (std::count(arguments.begin(), arguments.end(), "-") > 1)
    throw InputError("the standard input is named twice; expected it once");
  for (const std::string& argument : arguments)
    for (game::NamedBoard& board : boards_named(argument))
      boards.push_back(std::move(board));
  expect_names_tell_apart(boards);
  return boards;
}

// At once: a table grows by a line for every board that is done.
void print(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

void solve_boards(const SolveArguments& a, const std::vector<game::NamedBoard>& boards, const SolveSetting& setting,
                  host::SearchMaker maker, const Terminal& terminal) {
  SolveRun run(a, setting, std::move(maker));
  if (run.log().log() != nullptr) run.log().log()->begin(run_json(boards, setting, a.engine.threads));
  const SolutionTable table(setting, boards, terminal);
  const bool prints_table = !a.json && boards.size() > 1;
  if (prints_table) print(table.head());
  std::vector<BoardSolution> solutions;
  for (const game::NamedBoard& board : boards) {
    solutions.push_back(run.solve(board, solutions.size() + 1, boards.size()));
    if (prints_table) print(table.row(solutions.back()));
    if (interrupted() || !solutions.back().result.error.empty()) break;
  }
  if (a.json)
    print_json(solutions_json(solutions, setting));
  else
    print(prints_table ? table.sum(solutions) : solution_text(solutions[0], setting, terminal));
  std::string first;
  for (const std::string& problem : {solutions.back().result.error, run.file().problem(), run.log().problem()}) {
    if (!first.empty() && !problem.empty()) print_note(problem);
    if (first.empty()) first = problem;
  }
  if (!first.empty()) throw std::runtime_error(first);
}

using Engines = std::vector<std::unique_ptr<game::Engine>>;

std::vector<game::Engine*> pointers_to(const Engines& engines) {
  std::vector<game::Engine*> pointers;
  for (const auto& engine : engines)
    pointers.push_back(engine.get());
  return pointers;
}

// The engines of `--engine A,B`; none if nothing would play on them.
Engines open_engines_for(const SolveArguments& a, const host::SearchPlan& plan) {
  std::vector<std::string> names;
  for (const std::string& name : CLI::detail::split(a.engine.name, ',')) {
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw InputError(fmt::format("--engine names {} twice; expected every engine once", name));
    names.push_back(name);
  }
  if (names.size() > 1 && std::find(names.begin(), names.end(), "auto") != names.end())
    throw InputError("--engine auto chooses among the engines by itself; expected it alone, or names such as cuda,cpu");
  const bool asks_for_device =
      std::find(names.begin(), names.end(), "cuda") != names.end() || !a.engine.devices.empty();
  if (plan.method == host::Method::kAnneal && asks_for_device)
    throw InputError("preset anneal runs on the processors alone; expected --engine cpu or auto");
  Engines engines;
  for (const std::string& name : names) {
    host::EngineChoice choice = a.engine;
    choice.name = name;
    check_engine(choice);
    if (plan.method == host::Method::kAnneal) continue;  // its threads are its own
    if (name == "cpu" && names.size() > 1) choice.devices.clear();
    choice.falls_back_to_cpu = names.size() > 1;
    // So that --threads are all there are, with those that search trees.
    if (names.size() == 1)
      choice.caller_threads =
          host::threads_with_trees(plan.tree, choice.threads > 0 ? choice.threads : logical_processors());
    engines.push_back(open_engine(choice));
  }
  if (!host::searches_tree(plan, pointers_to(engines))) engines.clear();
  return engines;
}

void print_explanation(const SolveArguments& a, const CLI::App& command, const Terminal& terminal) {
  PresetArguments arguments = a.preset;
  if (!a.explained.empty()) arguments.preset = a.explained;
  const bool names_one = !a.explained.empty() || command.get_option("--preset")->count() > 0;
  const bool one = names_one && !a.list_presets;
  if (!one && !a.json) return print(presets_text(terminal));
  Json answer = {{"version", kJsonVersion}};
  if (!one) {
    answer["presets"] = presets_json();
    return print_json(answer);
  }
  const host::Preset& preset = preset_from(arguments.preset);
  const host::SearchPlan plan = plan_from(arguments, command, scoring_from(a.scoring));
  if (!a.json) return print(preset_text(preset, plan, terminal));
  answer.update(preset_json(preset, plan));
  print_json(answer);
}

void run_solve(const SolveArguments& a, const CLI::App& command, Program& program) {
  if (a.explain || a.list_presets) return print_explanation(a, command, program.terminal);
  if (a.boards.empty())
    throw InputError("solve needs a BOARD; expected standard-01 to standard-20, standard, FILE or FILE:NAME");
  // A mistyped name is told before files are read.
  host::SearchPlan plan = plan_from(a.preset, command, scoring_from(a.scoring));
  if (plan.tree.deterministic) expect_deterministic_budget(plan);
  std::vector<std::string> inputs;
  for (const std::string& board : a.boards)
    inputs.push_back(file_of_board(board));
  expect_apart_from_standard_output({{"--log", a.log}}, "results are printed");
  if (a.json) expect_apart_from_standard_output({{"--out", a.out}}, "the answer of --json goes");
  check_outputs({{"--out", a.out}, {"--log", a.log}}, inputs);
  const std::vector<game::NamedBoard> boards = boards_of(a.boards);
  expect_tabu_color(a.preset.policy, boards);
  const Engines owned = open_engines_for(a, plan);
  plan.isa = a.engine.isa;
  const std::vector<game::Engine*> engines = pointers_to(owned);
  if (plan.method == host::Method::kAuto && !host::searches_tree(plan, engines)) expect_no_tree_options(command);
  if (plan.tree.deterministic && host::anneals(plan) && host::searches_tree(plan, engines))
    throw InputError(
        "--deterministic: on a device preset auto is two searches that share lines as they find them; "
        "expected --engine cpu, or a preset that only searches a tree");
  std::string engine_names;
  for (const game::Engine* engine : engines)
    engine_names += (engine_names.empty() ? "" : " and ") + engine->capabilities().name;
  const SolveSetting setting{.preset = a.preset.preset,
                             .plan = plan,
                             .default_budget = a.preset.budget.seconds == 0 && plan.budget.seconds > 0,
                             .searches_tree = host::searches_tree(plan, engines),
                             .engine = engine_names,
                             .scoring = a.scoring,
                             .seed = a.seed};
  watch_interrupts();
  solve_boards(a, boards, setting, host::make_searches(plan, engines, a.engine.threads), program.terminal);
  if (interrupted()) program.exit_code = interrupted_exit();
}

void add_main_options(CLI::App& command, SolveArguments& a) {
  command.add_option("--preset", a.preset.preset, "the search: see --presets (default auto)")->type_name("NAME");
  command.add_flag("--presets", a.list_presets, "list the presets");
  command.add_option("--explain", a.explained, "show the parts of a preset, with paper and parameters")
      ->type_name("[NAME]")
      ->expected(0, 1);
  command.add_option("--seed", a.seed, "seed of the random numbers (default 0)")
      ->type_name("S")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
  add_scoring_argument(command, a.scoring);
  add_output_option(command, "--out", a.out,
                    "write the lines as a solution file; while a board is searched its best one so far");
  add_output_option(command, "--log", a.log, "write what happens as JSON lines, for `chainshot plot`");
  command.add_flag("--json", a.json, "print the result as JSON");
}

}  // namespace

void add_solve(CLI::App& app, Program& program) {
  auto a = std::make_shared<SolveArguments>();
  CLI::App* command = app.add_subcommand("solve", "search boards for the best line");
  command->add_option("BOARD", a->boards, "standard-01 .. standard-20, standard for all of them, FILE, FILE:NAME, or -")
      ->type_name("");
  add_main_options(*command, *a);
  add_budget_arguments(*command, a->preset.budget);
  command->option_defaults()->group("Engine");
  add_engine_arguments(*command, a->engine);
  command->get_option("--engine")->description("auto (the default), cpu, cuda, or cuda,cpu: a tree search on both");
  add_tree_arguments(*command, a->preset);
  add_anneal_arguments(*command, a->preset);
  command->footer(
      "Without --preset, the processors anneal and a CUDA device, if there is one,\n"
      "searches a tree at the same time; both share the best line. Boards of up to\n"
      "64 blocks are proven where that is possible, those of 6 x 6 at once. Ctrl-C\n"
      "ends the search and prints and saves what it has; a second one stops at once.\n\n"
      "Examples:\n"
      "  chainshot solve standard-01\n"
      "  chainshot solve standard --time 1m --out best.txt --log run.jsonl\n"
      "  chainshot solve boards.txt --preset sp-mcts --playouts 1000000 --seed 7\n"
      "  chainshot solve standard-09 --preset uct --c 0.05 --duplicates consistent\n"
      "  chainshot solve --explain base-exp+tabu48");
  command->callback([a, command, &program] {
    a->explain = command->get_option("--explain")->count() > 0;
    run_solve(*a, *command, program);
  });
}

}  // namespace chainshot::tools
