// chainshot speedtest: playouts a second, measured so that the figure can be believed: warm-up, several rounds in which
// all cases take turns, median and spread, and the reference implementation in the same rounds as a yardstick.
#include <fmt/core.h>

#include <memory>
#include <utility>

#include "tools/commands.hpp"
#include "tools/engine_argument.hpp"
#include "tools/input.hpp"
#include "tools/interrupt.hpp"
#include "tools/machine.hpp"
#include "tools/policy_argument.hpp"
#include "tools/speed_report.hpp"

namespace chainshot::tools {
namespace {

struct SpeedArguments {
  std::string policy = "tabu-color-random";
  std::vector<std::string> engines = {"auto"};
  std::vector<std::string> isas = {"auto"};
  int threads = 0;
  bool quick = false;
  bool json = false;
};

// An engine with one number of threads, and the cases fitted to it.
struct Bench {
  std::unique_ptr<game::Engine> engine;
  std::size_t place;  // in SpeedTest::engines
  std::vector<SpeedRow> rows;
};

std::vector<Bench> open_benches(const SpeedArguments& a, const game::Policy& policy, SpeedTest& test) {
  std::vector<Bench> benches;
  const int threads = a.threads == 0 ? logical_processors() : a.threads;
  for (const std::string& engine : a.engines) {
    for (const std::string& isa : a.isas) {
      for (const int n : threads == 1 ? std::vector{1} : std::vector{1, threads}) {
        Bench& bench = benches.emplace_back();
        bench.engine = open_engine({.name = engine, .threads = n, .isa = isa});
        bench.place = test.engines.size();
        for (SpeedCase& speed_case : speed_cases(policy))
          bench.rows.push_back({std::move(speed_case), n, {}});
      }
      test.engines.push_back({engine, isa, benches.back().engine->capabilities().name, {}});
    }
  }
  return benches;
}

// True once every row has a run more; false if Ctrl-C came first, and then some rows may.
bool play_round(SpeedTest& test, std::vector<Bench>& benches, const SpeedCase* reference, Progress& progress,
                double share, double share_a_round) {
  std::size_t rows = 0, done = 0;
  for (const Bench& bench : benches)
    rows += bench.rows.size();
  for (Bench& bench : benches) {
    for (SpeedRow& row : bench.rows) {
      if (interrupted()) return false;
      row.runs.push_back(measure(*bench.engine, row.speed_case, test.seconds_a_run));
      progress.update(share + share_a_round * static_cast<double>(++done) / static_cast<double>(rows),
                      row.speed_case.title);
    }
  }
  if (reference != nullptr) test.reference.push_back(measure_reference(*reference, test.seconds_a_run / 2));
  return true;
}

// Leaves out what an interrupted round has measured.
void keep_rounds(SpeedTest& test, std::vector<Bench>& benches, std::size_t rounds) {
  for (Bench& bench : benches) {
    for (SpeedRow& row : bench.rows) {
      row.runs.resize(rounds);
      test.engines[bench.place].rows.push_back(std::move(row));
    }
  }
}

void run_speedtest(const SpeedArguments& a, Program& program) {
  const game::Policy policy = policy_named(a.policy);
  const std::size_t rounds = a.quick ? 3 : 5;
  SpeedTest test{.policy = a.policy, .seconds_a_run = a.quick ? 0.1 : 0.5, .reference = {}, .engines = {}};
  std::vector<Bench> benches = open_benches(a, policy, test);
  watch_interrupts();
  std::size_t done = 0;
  {
    Progress progress("measuring");
    for (Bench& bench : benches)
      for (SpeedRow& row : bench.rows)
        if (!interrupted()) fit_batch(*bench.engine, row.speed_case, test.seconds_a_run);
    const SpeedCase reference = benches[0].rows[0].speed_case;
    const auto share = 1 / static_cast<double>(rounds);
    while (done < rounds && play_round(test, benches, policy.plays_in_lanes() ? &reference : nullptr, progress,
                                       share * static_cast<double>(done), share))
      ++done;
  }
  if (interrupted()) program.exit_code = kInterruptedExit;
  if (done == 0) return;
  keep_rounds(test, benches, done);
  if (!a.json) {
    fmt::print("{}", speed_text(test, program.terminal));
    return;
  }
  Json answer = {{"version", kJsonVersion}};
  answer.update(speed_json(test));
  print_json(answer);
}

}  // namespace

void add_speedtest(CLI::App& app, Program& program) {
  auto a = std::make_shared<SpeedArguments>();
  CLI::App* command = app.add_subcommand("speedtest", "measure playouts and moves a second");
  command->add_option("--policy", a->policy, "policy to measure (default tabu-color-random)")->type_name("NAME");
  command->add_option("--engine", a->engines, "engines to compare: auto (the default), cpu, cuda")
      ->type_name("NAME,...")
      ->delimiter(',');
  command->add_option("--isa", a->isas, "instruction sets to compare: auto (the best), portable, avx2, avx512")
      ->type_name("NAME,...")
      ->delimiter(',');
  add_threads_argument(*command, a->threads);
  command->add_flag("--quick", a->quick, "short runs: a few seconds, less certain figures");
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Plays board 1, 512 positions of 32 playouts each, roulette and a wide board on\n"
      "one thread and on all, five rounds of half a second each, beside the reference\n"
      "implementation. Median and spread of the rounds are printed.\n\n"
      "Examples:\n"
      "  chainshot speedtest\n"
      "  chainshot speedtest --isa portable,avx2 --threads 1 --quick");
  command->callback([a, &program] { run_speedtest(*a, program); });
}

}  // namespace chainshot::tools
