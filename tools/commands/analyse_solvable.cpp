// chainshot analyse solvable: the share of boards that can be cleared, by size.
#include <fmt/core.h>

#include <memory>

#include "tools/commands/analyse_commands.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/reports/solvable_report.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

struct SolvableArguments {
  std::string rows = "1-10";
  std::string columns = "1-10";
  int colors = 2;
  std::uint64_t count_up_to = 1 << 20;
  std::uint64_t samples = 10'000;
  std::uint64_t nodes = 100'000;
  std::uint64_t seed = 1;
  int threads = 0;
  bool list = false;
  bool json = false;
};

std::vector<SolvableSize> measure_sizes(const SolvableArguments& a, const SizeRange& rows, const SizeRange& columns) {
  std::vector<SolvableSize> sizes;
  Progress progress("solving");
  const double all = rows.count() * columns.count();
  for (int r = rows.low; r <= rows.high; ++r) {
    for (int c = columns.low; c <= columns.high; ++c) {
      const auto before = static_cast<double>(sizes.size());
      const host::ShareTask task{
          .columns = c,
          .rows = r,
          .colors = a.colors,
          .count_up_to = a.count_up_to,
          .samples = a.samples,
          .nodes = a.nodes,
          .seed = a.seed,
          .threads = worker_threads(a.threads),
          .stop = interrupt_token(),
          .watcher = watch_work(progress, before / all, (before + 1) / all, fmt::format("H={} W={}", r, c))};
      sizes.push_back({r, c, host::solvable_share(task)});
      if (interrupted()) return sizes;
    }
  }
  return sizes;
}

void run_analyse_solvable(const SolvableArguments& a, Program& program) {
  const SizeRange rows = size_range("--rows", a.rows, game::kMaxRows);
  const SizeRange columns = size_range("--columns", a.columns, game::kMaxColumns);
  const SolvableSetting setting{.colors = a.colors,
                                .count_up_to = a.count_up_to,
                                .samples = a.samples,
                                .nodes = a.nodes,
                                .seed = a.seed,
                                .sizes = static_cast<std::size_t>(rows.count() * columns.count())};
  watch_interrupts();
  const std::vector<SolvableSize> sizes = measure_sizes(a, rows, columns);
  if (a.json) {
    Json answer = {{"version", kJsonVersion}};
    answer.update(solvable_json(sizes, setting));
    print_json(answer);
  } else {
    fmt::print("{}", solvable_text(sizes, setting, a.list, program.terminal));
  }
  if (interrupted()) program.exit_code = interrupted_exit();
}

}  // namespace

void add_analyse_solvable(CLI::App& analyse, Program& program) {
  auto a = std::make_shared<SolvableArguments>();
  CLI::App* command = analyse.add_subcommand("solvable", "the share of boards that can be cleared, by size");
  command->add_option("--rows", a->rows, "heights: a number or a range (default 1-10)")->type_name("A-B");
  command->add_option("--columns", a->columns, "widths: a number or a range (default 1-10)")->type_name("A-B");
  command->add_option("--colors", a->colors, "number of colours, 1 to 15 (default 2)")
      ->type_name("C")
      ->transform(whole_number(1, game::kMaxColors));
  command
      ->add_option("--count-up-to", a->count_up_to,
                   "search every board of a size that has at most so many (default 1048576)")
      ->type_name("N")
      ->transform(whole_number(0, std::uint64_t{1} << 40));
  command->add_option("--samples", a->samples, "random boards of other sizes (default 10000)")
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000'000));
  command->add_option("--nodes", a->nodes, "positions after which a random board stays undecided (default 100000)")
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000'000'000));
  add_seed_argument(*command, a->seed);
  add_threads_argument(*command, a->threads);
  command->add_flag("--list", a->list, "list the sizes with intervals instead of the table");
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Table 1 of Takes 2009 stands beside the shares of two colours.\n\n"
      "Examples:\n"
      "  chainshot analyse solvable\n"
      "  chainshot analyse solvable --count-up-to 33554432 --samples 100000\n"
      "  chainshot analyse solvable --rows 15 --columns 15 --colors 5 --samples 100");
  command->callback([a, &program] { run_analyse_solvable(*a, program); });
}

}  // namespace chainshot::tools
