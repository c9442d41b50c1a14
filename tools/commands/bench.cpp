// chainshot bench: plays a fixed set of games and prints a signature of all their scores and lengths. Two builds,
// machines, engines or numbers of threads play the same games if their signatures agree. `speedtest` measures speed.
#include <fmt/core.h>

#include <memory>
#include <stdexcept>

#include "tools/commands.hpp"
#include "tools/measure/bench_cases.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/reports/histogram.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

struct BenchArguments {
  host::EngineChoice engine;
  bool json = false;
};

struct PlayedCase {
  std::string name;
  game::Result total;
  std::uint64_t digest = 0;  // of all results, in order
};

PlayedCase play_case(game::Engine& engine, const BenchCase& bench) {
  const game::Outcome outcome = engine.run(bench.batch);
  if (!outcome.error.empty()) throw std::runtime_error(bench.name + ": " + outcome.error);
  PlayedCase played{.name = bench.name, .total = {}, .digest = 0};
  for (const game::Result& result : outcome.results) {
    played.total.add(result);
    played.digest = game::mix64(played.digest ^ result.digest);
  }
  return played;
}

void print_case(const PlayedCase& played) {
  fmt::print("{:<44.44} {:>6} {:>10.1f}  {:016x}\n", played.name, grouped(played.total.count), mean(played.total),
             played.digest);
}

Json case_json(const PlayedCase& played) {
  return {{"name", played.name},         {"playouts", played.total.count},
          {"moves", played.total.moves}, {"mean", mean(played.total)},
          {"best", played.total.best},   {"digest", fmt::format("{:016x}", played.digest)}};
}

void run_bench(const BenchArguments& a, Program& program) {
  const std::unique_ptr<game::Engine> engine = open_engine(a.engine);
  watch_interrupts();
  const std::vector<BenchCase> cases = bench_cases();
  Json list = Json::array();
  std::uint64_t signature = 0;
  if (!a.json) {
    fmt::print("engine {}\n\n", engine->capabilities().name);
    fmt::print("{}\n",
               program.terminal.bold(fmt::format("{:<42} {:>8} {:>10}  {}", "case", "playouts", "mean", "digest")));
  }
  {
    Progress progress("playing");
    for (std::size_t i = 0; i < cases.size() && !interrupted(); ++i) {
      progress.update(static_cast<double>(i) / static_cast<double>(cases.size()), cases[i].name);
      const PlayedCase played = play_case(*engine, cases[i]);
      signature = game::mix64(signature ^ played.digest);
      if (a.json)
        list.push_back(case_json(played));
      else
        print_case(played);
    }
  }
  if (interrupted()) {
    program.exit_code = interrupted_exit();
    return print_error("chainshot: interrupted before the signature was complete\n");
  }
  const std::string digits = fmt::format("{:016x}", signature);
  if (a.json)
    print_json({{"version", kJsonVersion},
                {"engine", engine->capabilities().name},
                {"cases", std::move(list)},
                {"signature", digits}});
  else
    fmt::print("\nsignature {}\n", digits);
}

}  // namespace

void add_bench(CLI::App& app, Program& program) {
  auto a = std::make_shared<BenchArguments>();
  CLI::App* command = app.add_subcommand("bench", "play fixed games and print their signature");
  add_engine_arguments(*command, a->engine);
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Plays the same games every time: the standard boards and boards of other sizes,\n"
      "with every scoring and every policy but tabu-color-weighted. It takes a few\n"
      "seconds.\n\n"
      "The signature is the same on every machine and engine, with any number of\n"
      "threads; builds that disagree have a bug. To measure speed, use speedtest.\n\n"
      "Examples:\n"
      "  chainshot bench\n"
      "  chainshot bench --isa portable --threads 1\n"
      "  chainshot bench --engine cuda --devices 0");
  command->callback([a, &program] { run_bench(*a, program); });
}

}  // namespace chainshot::tools
