// chainshot bench: plays a fixed set of games, advances fixed annealing chains, and prints a signature of all their
// scores and lengths. Two builds, machines, engines or numbers of threads do the same if their signatures agree.
// `speedtest` measures speed.
#include <fmt/core.h>

#include <memory>
#include <stdexcept>

#include "cpu/chain/cpu_chain_engine.hpp"
#include "tools/commands.hpp"
#include "tools/measure/bench_cases.hpp"
#include "tools/measure/bench_chains.hpp"
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

void print_chains(const std::string& name, const BenchChainsResult& result) {
  fmt::print("{:<40.40} {:>10} {:>10}  {:016x}\n", name, grouped(result.evaluations), result.best(), result.digest());
}

Json chain_json(const std::string& name, const BenchChainsResult& result) {
  return {{"name", name},
          {"evaluations", result.evaluations},
          {"best", result.best()},
          {"digest", fmt::format("{:016x}", result.digest())}};
}

std::unique_ptr<game::ChainEngine> chain_engine(const host::EngineChoice& choice) {
  return cpu::make_cpu_chain_engine({.threads = choice.threads, .isa = host::isa_for(choice.isa)});
}

// Plays cases one after the other, and prints each or keeps it for JSON.
class Bench {
 public:
  explicit Bench(const BenchArguments& arguments)
      : arguments_(arguments), engine_(open_engine(arguments.engine)), games_(bench_cases()), chains_(bench_chains()) {}

  void run(const Program& program) {
    Progress progress("playing");
    if (!arguments_.json) fmt::print("engine {}\n", engine_->capabilities().name);
    head(program, "playouts", "mean");
    for (const BenchCase& bench : games_) {
      if (!begin(progress, bench.name)) return;
      const PlayedCase played = play_case(*engine_, bench);
      add(played.digest);
      if (arguments_.json)
        games_json_.push_back(case_json(played));
      else
        print_case(played);
    }
    head(program, "evaluations", "best");
    for (const BenchChains& bench : chains_) {
      if (!begin(progress, bench.name)) return;
      const BenchChainsResult result = run_bench_chains(*chain_engine(arguments_.engine), bench);
      add(result.digest());
      if (arguments_.json)
        chains_json_.push_back(chain_json(bench.name, result));
      else
        print_chains(bench.name, result);
    }
  }

  void print_signature() {
    const std::string digits = fmt::format("{:016x}", signature_);
    if (arguments_.json)
      print_json({{"version", kJsonVersion},
                  {"engine", engine_->capabilities().name},
                  {"cases", std::move(games_json_)},
                  {"chains", std::move(chains_json_)},
                  {"signature", digits}});
    else
      fmt::print("\nsignature {}\n", digits);
  }

 private:
  void head(const Program& program, std::string_view count, std::string_view score) const {
    if (!arguments_.json)
      fmt::print("\n{}\n",
                 program.terminal.bold(fmt::format("{:<39} {:>11} {:>10}  {}", "case", count, score, "digest")));
  }

  // False if the user has interrupted the run.
  bool begin(Progress& progress, const std::string& name) {
    progress.update(static_cast<double>(done_++) / static_cast<double>(games_.size() + chains_.size()), name);
    return !interrupted();
  }

  void add(std::uint64_t digest) { signature_ = game::mix64(signature_ ^ digest); }

  const BenchArguments& arguments_;
  const std::unique_ptr<game::Engine> engine_;
  const std::vector<BenchCase> games_;
  const std::vector<BenchChains> chains_;
  std::size_t done_ = 0;
  Json games_json_ = Json::array(), chains_json_ = Json::array();
  std::uint64_t signature_ = 0;
};

void run_bench(const BenchArguments& a, Program& program) {
  Bench bench(a);
  watch_interrupts();
  bench.run(program);
  if (interrupted()) {
    program.exit_code = interrupted_exit();
    return print_error("chainshot: interrupted before the signature was complete\n");
  }
  bench.print_signature();
}

}  // namespace

void add_bench(CLI::App& app, Program& program) {
  auto a = std::make_shared<BenchArguments>();
  CLI::App* command = app.add_subcommand("bench", "play fixed games and chains and print their signature");
  add_engine_arguments(*command, a->engine);
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Plays the same games every time: the standard boards and boards of other sizes,\n"
      "with every scoring and every policy but tabu-color-weighted, and annealing\n"
      "chains. It takes a few seconds.\n\n"
      "The signature is the same on every machine and engine, with any number of\n"
      "threads; builds that disagree have a bug. To measure speed, use speedtest.\n\n"
      "Examples:\n"
      "  chainshot bench\n"
      "  chainshot bench --isa portable --threads 1\n"
      "  chainshot bench --engine cuda --devices 0");
  command->callback([a, &program] { run_bench(*a, program); });
}

}  // namespace chainshot::tools
