// chainshot speedtest: playouts per second, measured so that the figures can be believed: a warm-up, several rounds in
// which all cases take turns, median and spread, and the reference implementation in the same rounds as a yardstick.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "game/board_text.hpp"
#include "machine/allowance.hpp"
#include "tools/commands.hpp"
#include "tools/measure/chain_speed.hpp"
#include "tools/measure/sweep.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/reports/speed_report.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

struct SpeedArguments {
  std::string policy = "tabu-color-random";
  std::vector<std::string> engines = {"auto"};
  std::vector<std::string> isas = {"auto"};
  host::EngineChoice choice;  // everything except name and instruction set
  bool quick = false;
  bool sweep = false;
  std::string csv;
  std::string svg;
  bool json = false;
};

// An engine that is measured with one number of threads, and the cases fitted to it.
struct MeasuredEngine {
  std::unique_ptr<game::Engine> engine;
  std::size_t place;  // of its report in SpeedTest::engines
  std::vector<SpeedRow> rows;
};

host::EngineChoice choice_of(const SpeedArguments& a, const std::string& engine, const std::string& isa) {
  host::EngineChoice choice = a.choice;
  choice.name = engine;
  choice.isa = isa;
  if (choice.threads == 0) choice.threads = machine::usable_processors();
  // Named devices belong to the other engines that are compared with it.
  if (engine == "cpu" && a.engines.size() > 1) choice.devices.clear();
  return choice;
}

MeasuredEngine measured_engine(std::unique_ptr<game::Engine> engine, std::size_t place, int threads,
                               const game::Policy& policy) {
  const int in_flight = std::max(1, engine->capabilities().batches_in_flight);
  MeasuredEngine measured{.engine = std::move(engine), .place = place, .rows = {}};
  for (SpeedCase& speed_case : speed_cases(policy))
    measured.rows.push_back({std::move(speed_case), threads, in_flight, {}});
  return measured;
}

// The CPU engine is measured with one thread too, and with every instruction set; a device as it is.
std::vector<MeasuredEngine> open_engines(const SpeedArguments& a, const game::Policy& policy, SpeedTest& test) {
  std::vector<MeasuredEngine> measured_engines;
  for (const std::string& name : a.engines) {
    for (const std::string& isa : a.isas) {
      host::EngineChoice choice = choice_of(a, name, isa);
      std::unique_ptr<game::Engine> engine = open_engine(choice);
      const bool on_cpu = engine->capabilities().on_cpu;
      const std::size_t place = test.engines.size();
      test.engines.push_back({name, on_cpu ? isa : "", engine->capabilities().name, {}});
      const int threads = on_cpu ? choice.threads : 0;
      if (threads > 1) {
        choice.threads = 1;
        measured_engines.push_back(measured_engine(open_engine(choice), place, 1, policy));
      }
      measured_engines.push_back(measured_engine(std::move(engine), place, threads, policy));
      if (!on_cpu) break;
    }
  }
  return measured_engines;
}

// Measures every row once more. Returns false if Ctrl-C came first; then only some rows have a further run.
bool play_round(SpeedTest& test, std::vector<MeasuredEngine>& measured_engines, const SpeedCase* reference,
                Progress& progress, double share, double share_a_round) {
  std::size_t rows = 0, done = 0;
  for (const MeasuredEngine& measured : measured_engines)
    rows += measured.rows.size();
  for (MeasuredEngine& measured : measured_engines) {
    for (SpeedRow& row : measured.rows) {
      if (interrupted()) return false;
      row.runs.push_back(measure(*measured.engine, row.speed_case, test.seconds_a_run));
      progress.update(share + share_a_round * static_cast<double>(++done) / static_cast<double>(rows),
                      row.speed_case.title);
    }
  }
  if (reference != nullptr) test.reference.push_back(measure_reference(*reference, test.seconds_a_run / 2));
  return true;
}

// Moves the rows into the report, without the runs of an interrupted round.
void keep_rounds(SpeedTest& test, std::vector<MeasuredEngine>& measured_engines, std::size_t rounds) {
  for (MeasuredEngine& measured : measured_engines) {
    for (SpeedRow& row : measured.rows) {
      row.runs.resize(rounds);
      test.engines[measured.place].rows.push_back(std::move(row));
    }
  }
}

// An engine of annealing chains, and its cases.
struct MeasuredChains {
  std::unique_ptr<game::ChainEngine> engine;
  std::vector<ChainCase> cases;
};

std::unique_ptr<game::ChainEngine> chain_engine(const host::EngineChoice& choice, const game::Position& board) {
  return host::make_chain_engine(choice, host::open_chain_devices(choice), board, game::kStandardScoring);
}

// One for each engine and instruction set, as the engines of playouts. Engines that cannot anneal board 1 on a device
// stand for the CPU.
std::vector<MeasuredChains> open_chains(const SpeedArguments& a, SpeedTest& test) {
  const game::Position& board = game::standard_boards()[0].position;
  std::vector<MeasuredChains> all;
  for (const std::string& name : a.engines)
    for (const std::string& isa : a.isas) {
      MeasuredChains& measured = all.emplace_back();
      measured.engine = chain_engine(choice_of(a, name, isa), board);
      const game::ChainCapabilities& engine = measured.engine->capabilities();
      for (const int chains : chain_counts(engine)) {
        measured.cases.emplace_back(*measured.engine, chains);
        test.annealing.push_back({engine.name, chains, engine.on_cpu, {}});
      }
      if (!engine.on_cpu) break;
    }
  return all;
}

// After Ctrl-C the report has what was measured in whole rounds.
void measure_chains(const SpeedArguments& a, SpeedTest& test, std::size_t rounds) {
  std::vector<MeasuredChains> all = open_chains(a, test);
  Progress progress("measuring");
  std::size_t done = 0;
  for (; done < rounds && !interrupted(); ++done) {
    std::size_t row = 0;
    for (MeasuredChains& measured : all)
      for (ChainCase& chain_case : measured.cases)
        if (!interrupted()) test.annealing[row++].runs.push_back(chain_case.measure(test.seconds_a_run));
    if (interrupted()) break;
    progress.update(static_cast<double>(done + 1) / static_cast<double>(rounds), "annealing");
  }
  if (done == 0) test.annealing.clear();
  for (ChainRow& row : test.annealing)
    row.runs.resize(done);
}

// Measures annealing on every engine, all in turn. What was measured before is worth more than an engine that fails.
void measure_annealing(const SpeedArguments& a, SpeedTest& test, std::size_t rounds) {
  try {
    measure_chains(a, test, rounds);
  } catch (const std::runtime_error& error) {
    test.annealing.clear();
    print_note(std::string("annealing was not measured: ") + error.what());
  }
}

void run_speedtest(const SpeedArguments& a, Program& program) {
  const game::Policy policy = policy_named(a.policy);
  const std::size_t rounds = a.quick ? 3 : 5;
  SpeedTest test{
      .policy = a.policy, .seconds_a_run = a.quick ? 0.1 : 0.5, .reference = {}, .engines = {}, .annealing = {}};
  std::vector<MeasuredEngine> measured_engines = open_engines(a, policy, test);
  watch_interrupts();
  std::size_t done = 0;
  {
    Progress progress("measuring");
    for (MeasuredEngine& measured : measured_engines)
      for (SpeedRow& row : measured.rows)
        if (!interrupted()) fit_batch(*measured.engine, row.speed_case, test.seconds_a_run);
    const SpeedCase reference = measured_engines[0].rows[0].speed_case;
    const auto share = 1 / static_cast<double>(rounds);
    while (done < rounds && play_round(test, measured_engines, policy.plays_in_lanes() ? &reference : nullptr, progress,
                                       share * static_cast<double>(done), share))
      ++done;
  }
  if (done > 0 && !interrupted()) measure_annealing(a, test, rounds);
  if (interrupted()) program.exit_code = interrupted_exit();
  if (done == 0) return tell_nothing_is_done();
  keep_rounds(test, measured_engines, done);
  if (!a.json) {
    fmt::print("{}", speed_text(test, program.terminal));
    return;
  }
  Json answer = {{"version", kJsonVersion}};
  answer.update(speed_json(test));
  print_json(answer);
}

void check_options(const SpeedArguments& a) {
  if (!a.sweep && !(a.csv.empty() && a.svg.empty()))
    throw InputError(
        fmt::format("{} works only with --sweep; expected both or neither", a.csv.empty() ? "--svg" : "--csv"));
  if (a.sweep && (a.engines.size() > 1 || a.isas.size() > 1))
    throw InputError("--sweep measures one engine; expected one name each for --engine and --isa");
  const std::vector<OutputOption> outputs = {{"--csv", a.csv}, {"--svg", a.svg}};
  check_outputs(outputs, {});
  if (a.json) expect_apart_from_standard_output(outputs, "--json prints its answer");
}

void sweep_batches(const SpeedArguments& a, Program& program) {
  const game::Policy policy = policy_named(a.policy);
  const std::unique_ptr<game::Engine> engine = open_engine(choice_of(a, a.engines[0], a.isas[0]));
  watch_interrupts();
  const Sweep sweep = run_sweep(*engine, policy, a.policy, a.quick ? 0.05 : 0.25);
  if (interrupted()) program.exit_code = interrupted_exit();
  if (sweep.points.empty()) return tell_nothing_is_done();
  const std::string lost_table = try_write_file(a.csv, sweep_csv(sweep));
  const std::string lost_picture = try_write_file(a.svg, sweep_svg(sweep));
  if (a.json) {
    Json answer = {{"version", kJsonVersion}};
    answer.update(sweep_json(sweep));
    print_json(answer);
  } else {
    fmt::print("{}", sweep_text(sweep, program.terminal));
  }
  for (const std::string& problem : {lost_table, lost_picture})
    if (!problem.empty()) throw std::runtime_error(problem);
}

}  // namespace

void add_speedtest(CLI::App& app, Program& program) {
  auto a = std::make_shared<SpeedArguments>();
  CLI::App* command = app.add_subcommand("speedtest", "measure playouts, moves and evaluations per second");
  command->add_option("--policy", a->policy, "policy to measure (default tabu-color-random)")->type_name("NAME");
  command->add_option("--engine", a->engines, "engines to compare: auto (default), cpu, cuda")
      ->type_name("NAME,...")
      ->delimiter(',');
  command
      ->add_option(
          "--isa", a->isas,
          "instruction sets to compare: auto (default, the best), portable, avx2, avx512 (avx512ymm or avx512zmm)")
      ->type_name("NAME,...")
      ->delimiter(',');
  add_threads_argument(*command, a->choice.threads);
  add_device_arguments(*command, a->choice);
  command->add_flag("--quick", a->quick, "measure for a few seconds only; the figures are less certain");
  command->add_flag("--sweep", a->sweep, "measure batches of different sizes and recommend one");
  add_output_option(*command, "--csv", a->csv, "with --sweep: write the figures to FILE as a table");
  add_output_option(*command, "--svg", a->svg, "with --sweep: draw the rates to FILE as SVG");
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Measures four cases: one position (board 1), 512 positions with 32 playouts\n"
      "each, the policy roulette, and a wide board. Each case runs five times for half\n"
      "a second, with one thread and with all threads; a CUDA engine uses all its\n"
      "devices. The report has the median and the spread of the runs, and compares\n"
      "every engine with the first one and with the reference implementation. Then\n"
      "annealing chains of board 1 run in the same way; on a device also with fewer\n"
      "chains than it can hold, which shows how many it needs to be full.\n\n"
      "Examples:\n"
      "  chainshot speedtest\n"
      "  chainshot speedtest --engine cpu,cuda\n"
      "  chainshot speedtest --sweep --engine cuda --csv sweep.csv --svg sweep.svg\n"
      "  chainshot speedtest --isa portable,avx2 --threads 1 --quick");
  command->callback([a, &program] {
    check_options(*a);
    return a->sweep ? sweep_batches(*a, program) : run_speedtest(*a, program);
  });
}

}  // namespace chainshot::tools
