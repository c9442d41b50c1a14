// chainshot speedtest: playouts per second, measured so that the figures can be believed: a warm-up, several rounds in
// which all cases take turns, median and spread, and the reference implementation in the same rounds as a yardstick.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cuda/cuda_engine.hpp"
#include "game/board_text.hpp"
#include "machine/allowance.hpp"
#include "tools/commands.hpp"
#include "tools/measure/chain_speed.hpp"
#include "tools/measure/scaling.hpp"
#include "tools/measure/sweep.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/list_argument.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/reports/speed_report.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

constexpr std::string_view kUsualBoard = "standard-01";

struct SpeedArguments {
  std::string policy = "tabu-color-random";
  std::vector<std::string> engines = {"auto"};
  std::vector<std::string> isas = {"auto"};
  host::EngineChoice choice;  // everything except name and instruction set
  std::string threads;        // with commas between; empty if not given
  std::string board = std::string(kUsualBoard);
  std::string batch;
  bool quick = false;
  bool sweep = false;
  bool scaling = false;
  bool board_given = false;
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

// The thread counts of --threads, or none. 0 stands for one thread per processor.
std::vector<int> thread_counts(const SpeedArguments& a) {
  std::vector<int> counts;
  if (a.threads.empty()) return counts;
  const std::vector<std::string> items = list_items(a.threads);
  expect_distinct_items("--threads", items);
  for (const std::string& item : items)
    counts.push_back(item == "0" ? machine::usable_processors() : std::stoi(item));
  return counts;
}

bool is_scaling(const SpeedArguments& a) {
  return a.scaling || thread_counts(a).size() > 1;
}

game::NamedBoard measured_board(const SpeedArguments& a) {
  game::NamedBoard board = board_named(a.board);
  if (!board.position.has_moves())
    throw InputError("board " + board.name + " has no moves; expected a board that can be played");
  return board;
}

// A batch as --batch takes it.
struct BatchSize {
  std::uint64_t playouts;
  std::uint32_t positions;
};
BatchSize batch_size(const std::string& text) {
  constexpr std::uint64_t kMostPlayouts = std::uint64_t{1} << 32, kMostPositions = 1u << 16;
  const std::size_t by = text.find('x');
  const auto playouts = count_in(std::string_view(text).substr(0, by));
  const auto positions =
      by == std::string::npos ? std::optional<std::uint64_t>(1) : count_in(std::string_view(text).substr(by + 1));
  if (!playouts || !positions || *positions == 0 || *positions > kMostPositions || *playouts < *positions ||
      *playouts >= kMostPlayouts)
    throw InputError(
        fmt::format("--batch {}: expected PLAYOUTSxPOSITIONS, such as 65536x16, with at least one playout "
                    "for each position",
                    text));
  return {*playouts, static_cast<std::uint32_t>(*positions)};
}

std::vector<SpeedCase> cases_of(const SpeedArguments& a, const game::NamedBoard& board, const game::Policy& policy) {
  std::vector<SpeedCase> cases = speed_cases(policy, board);
  if (a.batch.empty()) return cases;
  const BatchSize size = batch_size(a.batch);
  const auto boards = a.board_given ? std::vector{board} : game::standard_boards();
  SpeedCase& added =
      cases.emplace_back(batch_case(sweep_positions(size.positions, boards), policy, size.playouts, size.positions));
  added.id = "batch";
  added.title = fmt::format("batch {}x{}", size.playouts, size.positions);
  added.is_fixed = true;
  return cases;
}

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
                               const std::vector<SpeedCase>& cases) {
  const int in_flight = std::max(1, engine->capabilities().batches_in_flight);
  MeasuredEngine measured{.engine = std::move(engine), .place = place, .rows = {}};
  for (const SpeedCase& speed_case : cases)
    measured.rows.push_back({speed_case, threads, in_flight, {}});
  return measured;
}

// The CPU engine is measured with one thread too, and with every instruction set; a device as it is.
std::vector<MeasuredEngine> open_engines(const SpeedArguments& a, const std::vector<SpeedCase>& cases,
                                         SpeedTest& test) {
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
        measured_engines.push_back(measured_engine(open_engine(choice), place, 1, cases));
      }
      measured_engines.push_back(measured_engine(std::move(engine), place, threads, cases));
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

// One for each engine and instruction set, as the engines of playouts. Engines that cannot anneal the board on a device
// stand for the CPU.
std::vector<MeasuredChains> open_chains(const SpeedArguments& a, const game::Position& board, SpeedTest& test) {
  std::vector<MeasuredChains> all;
  for (const std::string& name : a.engines)
    for (const std::string& isa : a.isas) {
      MeasuredChains& measured = all.emplace_back();
      measured.engine = chain_engine(choice_of(a, name, isa), board);
      const game::ChainCapabilities& engine = measured.engine->capabilities();
      for (const int chains : chain_counts(engine)) {
        measured.cases.emplace_back(*measured.engine, board, chains);
        test.annealing.push_back({engine.name, chains, engine.on_cpu, {}});
      }
      if (!engine.on_cpu) break;
    }
  return all;
}

// After Ctrl-C the report has what was measured in whole rounds.
void measure_chains(const SpeedArguments& a, const game::Position& board, SpeedTest& test, std::size_t rounds) {
  std::vector<MeasuredChains> all = open_chains(a, board, test);
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
void measure_annealing(const SpeedArguments& a, const game::Position& board, SpeedTest& test, std::size_t rounds) {
  try {
    measure_chains(a, board, test, rounds);
  } catch (const std::runtime_error& error) {
    test.annealing.clear();
    print_note(std::string("annealing was not measured: ") + error.what());
  }
}

void run_speedtest(const SpeedArguments& a, Program& program) {
  const game::Policy policy = policy_named(a.policy);
  const std::size_t rounds = a.quick ? 3 : 5;
  const game::NamedBoard board = measured_board(a);
  SpeedTest test{.policy = a.policy,
                 .board = board_title(board),
                 .seconds_a_run = a.quick ? 0.1 : 0.5,
                 .reference = {},
                 .engines = {},
                 .annealing = {}};
  std::vector<MeasuredEngine> measured_engines = open_engines(a, cases_of(a, board, policy), test);
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
  if (done > 0 && !interrupted()) measure_annealing(a, board.position, test, rounds);
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
  if (!a.sweep && !is_scaling(a) && !(a.csv.empty() && a.svg.empty()))
    throw InputError(fmt::format("{} works only with --sweep, --scaling or several --threads; expected one of them",
                                 a.csv.empty() ? "--svg" : "--csv"));
  if (a.sweep && (a.engines.size() > 1 || a.isas.size() > 1))
    throw InputError("--sweep measures one engine; expected one name each for --engine and --isa");
  if (a.sweep && is_scaling(a))
    throw InputError("--sweep measures one number of threads; expected one, and no --scaling");
  if (is_scaling(a) && a.isas.size() > 1)
    throw InputError("the scaling is measured with one instruction set; expected one name for --isa");
  if (!a.batch.empty() && (a.sweep || is_scaling(a)))
    throw InputError("--batch adds a case to the usual ones; expected no --sweep, no --scaling and one --threads");
  if (!a.batch.empty()) batch_size(a.batch);
  const std::vector<OutputOption> outputs = {{"--csv", a.csv}, {"--svg", a.svg}};
  check_outputs(outputs, {file_of_board(a.board)});
  if (a.json) expect_apart_from_standard_output(outputs, "--json prints its answer");
}

// Prints an answer and throws if one of the files could not be written.
void answer(const SpeedArguments& a, const std::string& text, Json&& json, const std::string& csv,
            const std::string& svg) {
  const std::string lost_table = try_write_file(a.csv, csv);
  const std::string lost_picture = try_write_file(a.svg, svg);
  if (a.json) {
    Json answer = {{"version", kJsonVersion}};
    answer.update(json);
    print_json(answer);
  } else {
    fmt::print("{}", text);
  }
  for (const std::string& problem : {lost_table, lost_picture})
    if (!problem.empty()) throw std::runtime_error(problem);
}

void sweep_batches(const SpeedArguments& a, Program& program) {
  const SweepPlan plan{.policy = policy_named(a.policy),
                       .policy_name = a.policy,
                       .boards = a.board_given ? std::vector{measured_board(a)} : game::standard_boards(),
                       .seconds_a_run = a.quick ? 0.02 : 0.1,
                       .longest_batch = a.quick ? 0.1 : 0.5,
                       .rounds = a.quick ? 3u : 7u};
  const std::unique_ptr<game::Engine> engine = open_engine(choice_of(a, a.engines[0], a.isas[0]));
  watch_interrupts();
  const Sweep sweep = run_sweep(*engine, plan);
  if (interrupted()) program.exit_code = interrupted_exit();
  if (sweep.points.empty()) return tell_nothing_is_done();
  answer(a, sweep_text(sweep, program.terminal), sweep_json(sweep), sweep_csv(sweep), sweep_svg(sweep));
}

// The CPU with every number of threads; devices one by one, and then more and more of them together.
void add_steps(const SpeedArguments& a, const std::string& name, std::vector<ScalingStep>& steps) {
  const host::EngineChoice choice = choice_of(a, name, a.isas[0]);
  const bool on_cpu = open_engine(choice)->capabilities().on_cpu;
  if (on_cpu) {
    if (!steps.empty() && steps.back().engine == "cpu") return;  // cpu and auto are the same here
    std::vector<int> counts = thread_counts(a);
    if (counts.empty()) counts = usual_thread_counts(machine::usable_processors());
    for (const int threads : counts) {
      ScalingStep& step = steps.emplace_back();
      step.engine = "cpu";
      step.choice = choice;
      step.choice.threads = step.workers = threads;
      step.workers_text = counted(static_cast<std::uint64_t>(threads), "thread");
    }
    return;
  }
  std::vector<int> devices = choice.devices;
  if (devices.empty())
    for (const cuda::DeviceInfo& device : cuda::list_devices().devices)
      if (device.unusable.empty()) devices.push_back(device.index);
  const auto add = [&](const std::vector<int>& together) {
    ScalingStep& step = steps.emplace_back();
    step.engine = "cuda";
    step.choice = choice;
    step.choice.devices = together;
    step.workers = static_cast<int>(together.size());
    step.workers_text = fmt::format("device{} {}", together.size() > 1 ? "s" : "", fmt::join(together, "+"));
  };
  for (const int device : devices)
    add({device});
  for (std::size_t count = 2; count <= devices.size(); ++count)
    add({devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(count)});
}

void run_scaling(const SpeedArguments& a, Program& program) {
  const ScalingPlan plan{.policy = policy_named(a.policy),
                         .board = measured_board(a),
                         .rounds = a.quick ? 3u : 5u,
                         .open = [](const host::EngineChoice& choice) { return open_engine(choice); }};
  Scaling scaling{.policy = a.policy, .board = board_title(plan.board), .seconds_a_run = a.quick ? 0.1 : 0.5};
  for (const std::string& name : a.engines)
    add_steps(a, name, scaling.steps);
  watch_interrupts();
  measure_scaling(plan, scaling);
  if (interrupted()) program.exit_code = interrupted_exit();
  if (scaling.rounds == 0) return tell_nothing_is_done();
  answer(a, scaling_text(scaling, program.terminal), scaling_json(scaling), scaling_csv(scaling), scaling_svg(scaling));
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
  command
      ->add_option("--threads", a->threads,
                   "number of worker threads (default one per processor); several measure the scaling: 1,2,4")
      ->type_name("T,...")
      ->transform(whole_numbers(0, host::kMaxThreads));
  add_device_arguments(*command, a->choice);
  CLI::Option* board = command->add_option("--board", a->board, "board to play and to anneal (default standard-01)")
                           ->type_name("BOARD")
                           ->check(not_empty("a board"));
  command->add_option("--batch", a->batch, "also measure batches of this size, as --sweep recommends them: 65536x16")
      ->type_name("NxP")
      ->check(not_empty("playouts and positions such as 65536x16"));
  command->add_flag("--quick", a->quick, "measure for a few seconds only; the figures are less certain");
  command->add_flag("--sweep", a->sweep, "measure batches of different sizes and recommend one");
  command->add_flag("--scaling", a->scaling,
                    "measure with 1, 2, 4, ... threads, or every device alone and several together");
  add_output_option(*command, "--csv", a->csv, "with --sweep or --scaling: write the figures to FILE as a table");
  add_output_option(*command, "--svg", a->svg, "with --sweep or --scaling: draw the rates to FILE as SVG");
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
      "  chainshot speedtest --threads 1,2,4,8 --svg scaling.svg\n"
      "  chainshot speedtest --isa portable,avx2 --threads 1 --quick");
  command->callback([a, board, &program] {
    a->board_given = board->count() > 0;
    if (const std::vector<int> counts = thread_counts(*a); counts.size() == 1) a->choice.threads = counts.front();
    check_options(*a);
    if (a->sweep) return sweep_batches(*a, program);
    return is_scaling(*a) ? run_scaling(*a, program) : run_speedtest(*a, program);
  });
}

}  // namespace chainshot::tools
