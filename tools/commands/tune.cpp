// chainshot tune: tunes settings of a search by the cross-entropy method (Schadd 2012, sections 5 and 6.6).
#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "host/tune/tuning_file.hpp"
#include "host/tune/tuning_run.hpp"
#include "tools/commands.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/tune_options.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/tuning_display.hpp"
#include "tools/reports/tuning_report.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

// A tuning that is ready to run: what it searches with, and where it stands.
struct Prepared {
  host::RunPlan search;
  host::TuningState state;
};

// A tuning that goes on keeps what it has done.
void expect_no_less(const host::TuningState& state, const host::TuningPlan& wanted, const std::string& file) {
  if (static_cast<std::size_t>(wanted.generations) < state.done.size())
    throw InputError(
        fmt::format("{0} has {1} generations already; expected --generations {1} or more", file, state.done.size()));
  if (wanted.test_boards < state.plan.test_boards)
    throw InputError(fmt::format("{} has --test-boards {}; expected as many or more", file, state.plan.test_boards));
}

Prepared prepare(TuneArguments& a, const CLI::App& command, std::optional<host::TuningState> saved) {
  if (!saved) {
    Prepared fresh{.search = search_of(a), .state = {}};
    fresh.state.plan = tuning_plan(a, fresh.search);
    return fresh;
  }
  if (host::find_preset(saved->plan.preset).kind == nullptr)
    throw InputError(fmt::format("{} is damaged: no preset is called '{}'", a.state, saved->plan.preset));
  take_over(a, command, saved->plan);
  try {
    Prepared going_on{.search = search_of(a), .state = std::move(*saved)};
    const host::TuningPlan wanted = tuning_plan(a, going_on.search);
    expect_same_tuning(going_on.state.plan, wanted, going_on.search, a.state);
    expect_no_less(going_on.state, wanted, a.state);
    if (wanted.test_boards != going_on.state.plan.test_boards) going_on.state.test.clear();
    going_on.state.plan = wanted;
    return going_on;
  } catch (const std::bad_variant_access&) {
    throw InputError(a.state + " is damaged: a setting in it has a value of the wrong kind");
  }
}

std::string objection(const host::TuningPlan& plan, const host::RunPlan& search) {
  if (search.kind->objection == nullptr) return {};
  return search.kind->objection(settings_at(plan, search, plan.start_point()), search.scoring);
}

// Opens the engines.
host::GameTeam open_team(const host::TuningPlan& plan, const host::RunPlan& search) {
  if (const std::string sentence = objection(plan, search); !sentence.empty()) throw InputError(sentence);
  try {
    return host::GameTeam(search, print_note);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

void print_evaluation(const TuneArguments& a, Program& program) {
  const host::RunPlan search = search_of(a);
  const host::TuningPlan plan = tuning_plan(a, search);
  host::GameTeam team = open_team(plan, search);
  watch_interrupts();
  Progress progress("playing");
  const auto watch = [&](std::size_t games) {
    progress.update(static_cast<double>(games) / plan.boards, fmt::format("{} of {} games", games, plan.boards));
  };
  const host::TuningSample sample = host::evaluate(plan, search, team, plan.start_point(), 0, watch, interrupt_token());
  if (!sample.is_complete()) {
    tell_nothing_is_done();
    program.exit_code = interrupted_exit();
    return;
  }
  if (!a.json) {
    fmt::print("{}", evaluation_text(plan, sample));
    return;
  }
  Json answer = {{"version", kJsonVersion}};
  answer.update(evaluation_json(plan, sample));
  print_json(answer);
}

void print_result(const TuneArguments& a, const host::TuningRun& run, const Program& program) {
  if (!a.json) {
    fmt::print("{}", tuning_result(run.state(), program.terminal));
    return;
  }
  Json answer = {{"version", kJsonVersion}};
  answer.update(tuning_json(run.state(), run.is_finished()));
  print_json(answer);
}

void note_stop(const TuneArguments& a, const host::TuningRun& run) {
  if (run.is_finished()) return;
  const host::TuningStatus status = run.status();
  const std::string where =
      status.is_test ? "the test"
                     : fmt::format("generation {} of {}", status.generation + 1, run.state().plan.generations);
  print_note(a.state.empty() ? fmt::format("stopped in {}; with --state it could go on", where)
                             : fmt::format("stopped in {}; chainshot tune --state {} goes on with it", where, a.state));
}

void tune(TuneArguments& a, const CLI::App& command, Program& program) {
  std::optional<host::TuningFile> file;
  std::optional<host::TuningState> saved;
  if (!a.state.empty()) {
    file.emplace(a.state);
    saved = file->read();
  }
  Prepared prepared = prepare(a, command, std::move(saved));
  host::GameTeam team = open_team(prepared.state.plan, prepared.search);
  const auto save = [&](const host::TuningState& state) { return file ? file->write(state) : std::string(); };
  host::TuningRun run(std::move(prepared.state), std::move(prepared.search), team, save);
  watch_interrupts();
  TuningDisplay display;
  display.begin(run, team.size());
  const std::string error = run.run([&] { display.update(run); }, interrupt_token());
  display.erase();
  print_result(a, run, program);
  note_stop(a, run);
  const std::string drawing =
      a.svg.empty() ? std::string() : try_write_file(a.svg, tuning_svg(tuning_picture(run.state())));
  for (const std::string& problem : {error, run.save_problem(), drawing})
    if (!problem.empty()) throw std::runtime_error(problem);
  if (interrupted()) program.exit_code = interrupted_exit();
}

void run_tune(TuneArguments& a, const CLI::App& command, Program& program) {
  if (!a.evaluated.empty()) return print_evaluation(a, program);
  expect_apart_from_standard_output({{"--state", a.state}, {"--svg", a.svg}}, "the result is printed");
  check_outputs({{"--state", a.state}, {"--svg", a.svg}}, {});
  try {
    tune(a, command, program);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

}  // namespace

void add_tune(CLI::App& app, Program& program) {
  const auto a = std::make_shared<TuneArguments>();
  CLI::App* command = app.add_subcommand("tune", "tune settings of a search by the cross-entropy method");
  add_tune_options(*command, *a, program.advanced_groups);
  command->footer(
      "Each generation draws samples from a Gaussian for each parameter, plays them on\n"
      "new random boards, and fits the next Gaussians to the best samples. Parameters\n"
      "start at the preset's value with a deviation as large, or at MEAN:DEVIATION;\n"
      "c=500x3 has a logarithmic scale: a deviation is a factor of 3. With --state a\n"
      "tuning that was broken off goes on: chainshot tune --state FILE.\n\n"
      "Examples:\n"
      "  chainshot tune sp-mcts --parameters c,d,t,w --time 10 --state c.json\n"
      "  chainshot tune --state c.json --generations 40 --svg c.svg\n"
      "  chainshot tune nrpa --parameters alpha=1:0.5 --playouts 20000 --boards 10\n"
      "  chainshot tune sp-mcts --evaluate c=0.1,d=32 --time 1 --json");
  command->callback([a, command, &program] { run_tune(*a, *command, program); });
}

}  // namespace chainshot::tools
