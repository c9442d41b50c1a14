// chainshot solve: searches boards for the best line within a budget.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "host/files/broken_pipe.hpp"
#include "host/run/board_run.hpp"
#include "tools/commands.hpp"
#include "tools/commands/solve_grid.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/list_argument.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/options/search_combinations.hpp"
#include "tools/options/search_options.hpp"
#include "tools/options/solution_argument.hpp"
#include "tools/options/start_lines.hpp"
#include "tools/ranks.hpp"
#include "tools/reports/preset_report.hpp"
#include "tools/reports/rules_report.hpp"
#include "tools/reports/solve_csv.hpp"
#include "tools/reports/solve_progress.hpp"
#include "tools/reports/solve_report.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

struct SolveArguments {
  std::vector<std::string> boards;
  SearchArguments search;
  host::EngineChoice engine;
  std::string scoring = "standard";
  std::string seeds = "0";  // with commas between
  std::vector<std::string> from;
  std::string out;
  std::string log;
  std::string csv;
  std::string runs;
  std::string notation = "columns";
  bool notation_given = false;
  std::string explained;  // a preset
  bool explain = false;
  bool list_presets = false;
  bool json = false;
};

void expect_standard_input_once(const SolveArguments& a) {
  const auto is_standard_input = [](const std::string& path) { return path == "-" || path.starts_with("-:"); };
  if (std::count_if(a.boards.begin(), a.boards.end(), is_standard_input) +
          std::count_if(a.from.begin(), a.from.end(), is_standard_input) >
      1)
    throw InputError("the standard input (-) is given twice; expected it once");
}

// Flushes, because a table grows by a line whenever a board is done. A failure must not end the search; main reports it
// at the end.
void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::string lines_text(const std::vector<BoardSolution>& solutions, const SolveSetting& setting) {
  std::string text;
  for (const auto& [board, result, seconds] : solutions) {
    const game::Solution line{.board = board.name,
                              .scoring = setting.run->plan().scoring,
                              .score = result.best.score,
                              .moves = result.best.moves};
    text += to_text(line, setting.notation, board.position.rows());
  }
  return text;
}

// In CodinGame's notation the standard output has the moves alone, to be pasted or piped there.
void print_solution(const BoardSolution& solution, const SolveSetting& setting, const Terminal& terminal) {
  const std::string report = solution_text(solution, setting, terminal);
  if (setting.notation != game::Notation::kCodingame) return print(report);
  fmt::print(stderr, "{}", report);
  const game::Solution moves{.board = {}, .scoring = {}, .score = {}, .moves = solution.result.best.moves};
  print(to_text(moves, setting.notation, solution.board.position.rows()));
}

void expect_saved(const std::vector<BoardSolution>& solutions, const host::BoardRun& run) {
  std::vector<std::string> problems = run.problems();
  if (const std::string& error = solutions.back().result.error; !error.empty())
    problems.insert(problems.begin(), error);
  if (problems.empty()) return;
  for (std::size_t i = 1; i < problems.size(); ++i)
    print_note(problems[i]);
  throw std::runtime_error(problems[0]);
}

// Searches the boards and prints the table as it grows; `table` may be null. If the reader of the table goes away, as
// in `chainshot solve ... | head -1`, a run that saves its lines or its log goes on to the end. The next print after
// the search then ends the program, as the first one does if nothing is saved.
std::vector<BoardSolution> search_boards(host::BoardRun& run, const SolveArguments& a,
                                         const std::vector<game::NamedBoard>& boards, const SolutionTable* table,
                                         const std::stop_token& stop) {
  std::optional<host::BrokenPipeGuard> guard;
  if (!a.log.empty() || !a.csv.empty() || (!a.out.empty() && !host::is_standard_output(a.out))) guard.emplace();
  if (table != nullptr) print(table->head());
  std::vector<BoardSolution> solutions;
  SolveProgress progress(run.plan().budget);
  for (const game::NamedBoard& board : boards) {
    const auto watch = [&](const host::BoardMoment& moment) {
      progress.update({moment.board.name, solutions.size() + 1, boards.size(), moment.best, moment.sample});
    };
    solutions.push_back(run.solve(board, watch, stop));
    progress.erase();
    if (table != nullptr) print(table->row(solutions.back()));
    if (stop.stop_requested() || !solutions.back().result.error.empty()) break;
  }
  return solutions;
}

std::string boards_csv(const std::vector<BoardSolution>& solutions, const host::RunPlan& plan) {
  std::vector<SolvedRow> rows;
  for (const BoardSolution& solution : solutions)
    rows.push_back({.preset = plan.preset, .seed = plan.seed, .solution = &solution});
  return solved_csv({}, rows);
}

void solve_boards(host::BoardRun& run, const SolveArguments& a, const std::vector<game::NamedBoard>& boards,
                  const Program& program, const std::stop_token& stop) {
  const SolveSetting setting{.run = &run,
                             .default_budget = a.search.budget.seconds == 0 && run.plan().budget.seconds > 0,
                             .notation = notation_named(a.notation)};
  Json about = machine_json();
  about["command"] = program.command_line;
  if (program.cluster != nullptr) about["ranks"] = program.cluster->ranks();
  run.begin(boards, about);
  const SolutionTable table(setting, boards, program.terminal);
  const bool prints_table = !a.json && boards.size() > 1;
  const std::vector<BoardSolution> solutions = search_boards(run, a, boards, prints_table ? &table : nullptr, stop);
  const std::string lost_table = try_write_file(a.csv, boards_csv(solutions, run.plan()));
  if (a.json)
    print_json(solutions_json(solutions, setting));
  else if (prints_table)
    print(table.sum(solutions));
  else
    print_solution(solutions[0], setting, program.terminal);
  // A table has no moves, so lines that no file holds, or whose notation was asked for, are printed below it.
  if (prints_table && (a.out.empty() || a.notation_given || !run.problems().empty()))
    print('\n' + lines_text(solutions, setting));
  expect_saved(solutions, run);
  if (!lost_table.empty()) throw std::runtime_error(lost_table);
}

std::vector<std::uint64_t> seeds_of(const SolveArguments& a) {
  const std::vector<std::string> items = list_items(a.seeds);
  expect_distinct_items("--seed", items);
  std::vector<std::uint64_t> seeds;
  for (const std::string& item : items)
    seeds.push_back(std::stoull(item));
  return seeds;
}

bool is_grid(const SolveArguments& a) {
  return !a.search.listed.empty() || a.search.preset.find(',') != std::string::npos ||
         a.seeds.find(',') != std::string::npos;
}

void print_explanation(const SolveArguments& a, const CLI::App& command, const Terminal& terminal) {
  if (is_grid(a)) throw InputError("--explain shows one search; expected one preset and one value of each setting");
  SearchArguments arguments = a.search;
  if (!a.explained.empty()) arguments.preset = a.explained;
  const bool names_one = !a.explained.empty() || command.get_option("--preset")->count() > 0;
  const bool one = names_one && !a.list_presets;
  if (!one && !a.json) return print(presets_text(terminal));
  Json answer = {{"version", kJsonVersion}};
  if (!one) {
    answer["presets"] = presets_json();
    return print_json(answer);
  }
  const host::RunPlan plan = plan_from(arguments, scoring_from(a.scoring));
  const std::optional<PolicyInForce> policy = policy_of(plan);
  if (!a.json)
    return print(preset_text(plan, terminal) + '\n' + (policy ? policy_rules_text(*policy, terminal) + '\n' : "") +
                 scoring_rules_text(plan.scoring, terminal));
  answer.update(preset_json(plan));
  if (policy) answer["policy"] = policy_rules_json(*policy);
  answer["scoring"] = scoring_rules_json(plan.scoring);
  print_json(answer);
}

// Makes the plan that all boards of the run share, before any file is read: a mistyped name costs no waiting.
host::RunPlan run_plan(const SolveArguments& a, const SearchArguments& search) {
  host::RunPlan plan = plan_from(search, scoring_from(a.scoring));
  expect_deterministic_budget(plan);
  plan.choice = a.engine;
  plan.engines = CLI::detail::split(a.engine.name, ',');
  for (const std::string& name : plan.engines) {
    host::EngineChoice choice = a.engine;
    choice.name = name;
    check_engine(choice);
  }
  return plan;
}

void expect_room_for_solutions(const SolveArguments& a, const std::vector<game::NamedBoard>& boards,
                               const game::Scoring& scoring) {
  try {
    host::expect_solutions_fit(a.out, boards, scoring);
  } catch (const std::runtime_error& error) {
    throw InputError(error.what());
  }
}

std::unique_ptr<host::BoardRun> open_run(host::RunPlan plan, const SolveArguments& a) {
  try {
    return std::make_unique<host::BoardRun>(std::move(plan), host::RunFiles{.solutions = a.out, .log = a.log},
                                            print_note);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

// Before any file is read.
void check_arguments(const SolveArguments& a) {
  if (a.boards.empty())
    throw InputError("solve needs a BOARD; expected standard-01 to standard-20, standard, FILE, FILE:NAME or -");
  notation_named(a.notation);  // reports a mistyped name before files are read
  if (a.json && a.notation_given)
    throw InputError(
        "--notation has no effect on JSON, where moves are [column, row]; expected one of the two options");
  if (!a.runs.empty() && !is_grid(a))
    throw InputError("--runs lists the runs of several seeds or settings; expected --csv for a single search");
}

void check_files(const SolveArguments& a) {
  std::vector<std::string> inputs;
  for (const std::string& board : a.boards)
    inputs.push_back(file_of_board(board));
  const OutputOption log = {"--log", a.log}, out = {"--out", a.out}, csv = {"--csv", a.csv}, runs = {"--runs", a.runs};
  expect_apart_from_standard_output({log, csv, runs}, "results are printed");
  if (a.json) expect_apart_from_standard_output({out}, "--json prints its answer");
  check_outputs({out, log, csv, runs}, inputs);
  check_outputs({log, csv, runs}, a.from);  // --out may add to a file of starts: it keeps the lines there
  expect_standard_input_once(a);
}

// Every combination of a grid, or the only one.
std::vector<host::RunPlan> run_plans(const SolveArguments& a, const std::vector<SearchCombination>& combinations) {
  std::vector<host::RunPlan> plans;
  for (const SearchCombination& combination : combinations)
    plans.push_back(run_plan(a, combination.search));
  return plans;
}

void expect_tabu_colors(const std::vector<SearchCombination>& combinations,
                        const std::vector<game::NamedBoard>& boards) {
  for (const SearchCombination& combination : combinations)
    if (const auto color = combination.search.given.find("tabu-color"); color != combination.search.given.end())
      expect_tabu_color(std::get<std::string>(color->second), boards);
}

void run_solve(const SolveArguments& a, const CLI::App& command, Program& program) {
  if (a.explain || a.list_presets) return print_explanation(a, command, program.terminal);
  check_arguments(a);
  const std::vector<std::uint64_t> seeds = seeds_of(a);
  std::vector<SearchCombination> combinations = search_combinations(a.search);
  std::vector<host::RunPlan> plans = run_plans(a, combinations);
  check_files(a);
  const std::vector<game::NamedBoard> boards = boards_named(a.boards);
  expect_tabu_colors(combinations, boards);
  if (is_grid(a) && program.cluster != nullptr)
    throw InputError("several seeds, presets or values do not run under mpirun; expected one of each");
  const game::Scoring scoring = plans.front().scoring;
  const auto starts = start_lines(a.from, boards, scoring);
  for (host::RunPlan& plan : plans) {
    expect_scores_fit(scoring, boards, plan.kind->most_score, "preset " + plan.preset);
    plan.spread = spread_for(plan, program);
    plan.start_files = a.from;
    plan.starts = starts;
  }
  expect_room_for_solutions(a, boards, scoring);
  watch_interrupts();
  const std::stop_token stop = interrupt_token();
  if (is_grid(a)) {
    run_grid({.combinations = std::move(combinations),
              .plans = std::move(plans),
              .seeds = seeds,
              .boards = boards,
              .engine = {},
              .default_budget = a.search.budget.seconds == 0 && !a.search.budget.is_counted()},
             {.files = {.out = a.out, .log = a.log, .csv = a.csv, .runs = a.runs},
              .json = a.json,
              .prints_lines = a.notation_given,
              .notation = notation_named(a.notation)},
             program, stop);
  } else {
    plans.front().seed = seeds.front();
    const std::unique_ptr<host::BoardRun> run = open_run(std::move(plans.front()), a);
    solve_boards(*run, a, boards, program, stop);
  }
  if (interrupted()) program.exit_code = interrupted_exit();
}

void add_main_options(CLI::App& command, SolveArguments& a) {
  command.add_option("--preset", a.search.preset, "search to run, see --presets (default auto)")->type_name("NAME,...");
  command.add_flag("--presets", a.list_presets, "list the presets");
  command.add_option("--explain", a.explained, "show settings and papers of a preset, and the scoring")
      ->type_name("[NAME]")
      ->expected(0, 1);
  command.add_option("--seed", a.seeds, "seed of the random numbers (default 0), or several: 1..10")
      ->type_name("S,...")
      ->transform(whole_numbers(0, std::numeric_limits<std::uint64_t>::max()));
  add_scoring_argument(command, a.scoring);
  add_start_option(command, a.from);
  add_output_option(command, "--out", a.out,
                    "add the best lines to the solutions in FILE, during the search as well; a line is replaced only "
                    "by a better one");
  add_output_option(command, "--log", a.log, "append a log in JSON lines to FILE, for `chainshot plot`");
  add_output_option(command, "--csv", a.csv, "write the results, or the means of lists, to FILE as CSV");
  add_output_option(command, "--runs", a.runs, "with lists: write every single run to FILE as CSV");
  command.add_option("--notation", a.notation, "print moves as columns (default), paper or codingame")
      ->type_name("NAME");
  command.add_flag("--json", a.json, "print the result as JSON");
  command.set_help_all_flag("--help-all", "also show the settings of every search");
}

}  // namespace

void add_solve(CLI::App& app, Program& program) {
  auto a = std::make_shared<SolveArguments>();
  CLI::App* command = app.add_subcommand("solve", "search boards for the best line");
  command
      ->add_option("BOARD", a->boards,
                   "standard-01 to standard-20, standard for all 20, FILE, FILE:NAME, or - for the standard input")
      ->type_name("");
  add_main_options(*command, *a);
  add_budget_options(*command, a->search.budget);
  command->option_defaults()->group("Engine");
  add_engine_arguments(*command, a->engine);
  command->get_option("--engine")
      ->description("engine: auto (default), cpu, cuda, check; tree and flat searches also cuda,cpu");
  add_setting_options(*command, a->search, program.advanced_groups, SettingForm::kList);
  command->footer(
      "Without --preset, annealing runs on the CUDA devices, if there are any, and on\n"
      "the processors beside them; both share the best line. For boards of up to 64\n"
      "blocks, solve also tries to prove that no line scores more. Lists such as\n"
      "--seed 1..10 --preset uct,sp-mcts --c 0.1,0.5 run in every combination and give\n"
      "means, standard errors and paired differences. Ctrl-C ends the search, prints\n"
      "the result and saves it; a second Ctrl-C ends the program at once.\n\n"
      "Examples:\n"
      "  chainshot solve standard-01\n"
      "  chainshot solve standard --time 1m --out best.txt --log run.jsonl\n"
      "  chainshot solve standard-01 --time 1h --from best.txt --out best.txt\n"
      "  chainshot solve boards.txt --preset sp-mcts --playouts 1000000 --seed 7\n"
      "  chainshot solve standard --preset uct --c 0.05,0.1 --seed 1..10 --csv c.csv\n"
      "  chainshot solve --explain base-exp+tabu48");
  command->callback([a, command, &program] {
    a->explain = command->get_option("--explain")->count() > 0;
    a->notation_given = command->get_option("--notation")->count() > 0;
    run_solve(*a, *command, program);
  });
}

}  // namespace chainshot::tools
