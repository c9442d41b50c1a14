// chainshot analyse chessboards: checks by search what a paper proves about chessboards.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "host/analysis/chessboards.hpp"
#include "tools/commands/analyse_commands.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/reports/chessboard_report.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

struct ChessArguments {
  std::string rows = "4-8";
  std::string columns = "4-8";
  std::uint64_t most_boards = 20'000;
  std::uint64_t nodes = 1'000'000;
  std::uint64_t seed = 1;
  int threads = 0;
  bool list = false;
  bool json = false;
};

// The claims and sizes to check.
std::vector<ChessCheck> planned_checks(const SizeRange& rows, const SizeRange& columns) {
  std::vector<ChessCheck> checks;
  for (const host::NamedChessClaim& claim : host::kChessClaims)
    for (int r = std::max(rows.low, claim.smallest); r <= rows.high; ++r)
      for (int c = std::max(columns.low, claim.smallest); c <= columns.high; ++c)
        checks.push_back({claim, r, c, {}});
  return checks;
}

std::vector<ChessCheck> do_checks(const ChessArguments& a, std::vector<ChessCheck> checks) {
  Progress progress("searching");
  const auto all = static_cast<double>(checks.size());
  for (std::size_t i = 0; i < checks.size(); ++i) {
    ChessCheck& check = checks[i];
    const auto before = static_cast<double>(i);
    const std::string note = fmt::format("{}, H={} W={}", check.claim.name, check.rows, check.columns);
    check.result = host::check_claim({.claim = check.claim,
                                      .columns = check.columns,
                                      .rows = check.rows,
                                      .most_boards = a.most_boards,
                                      .nodes = a.nodes,
                                      .seed = a.seed,
                                      .threads = worker_threads(a.threads),
                                      .stop = interrupt_token(),
                                      .watcher = watch_work(progress, before / all, (before + 1) / all, note)});
    if (interrupted()) {
      checks.resize(i + 1);
      break;
    }
  }
  return checks;
}

void run_analyse_chessboards(const ChessArguments& a, Program& program) {
  std::vector<ChessCheck> checks = planned_checks(size_range("--rows", a.rows, game::kMaxRows),
                                                  size_range("--columns", a.columns, game::kMaxColumns));
  if (checks.empty())
    throw InputError("no claim is about chessboards that small; expected --rows and --columns of 4 or more");
  const ChessSetting setting{.most_boards = a.most_boards, .nodes = a.nodes, .seed = a.seed, .checks = checks.size()};
  watch_interrupts();
  checks = do_checks(a, std::move(checks));
  if (a.json) {
    Json answer = {{"version", kJsonVersion}};
    answer.update(chessboard_json(checks, setting));
    print_json(answer);
  } else {
    fmt::print("{}", chessboard_text(checks, setting, a.list, program.terminal));
  }
  if (is_refuted(checks)) program.exit_code = 1;
  if (interrupted()) program.exit_code = interrupted_exit();
}

}  // namespace

void add_analyse_chessboards(CLI::App& analyse, Program& program) {
  auto a = std::make_shared<ChessArguments>();
  CLI::App* command = analyse.add_subcommand("chessboards", "check what a paper proves about chessboards");
  command->add_option("--rows", a->rows, "heights: a number or a range (default 4-8)")->type_name("A-B");
  command->add_option("--columns", a->columns, "widths: a number or a range (default 4-8)")->type_name("A-B");
  command
      ->add_option(
          "--boards", a->most_boards,
          "of theorem 3: every board of a size if there are at most so many, else so many random ones (default "
          "20000)")
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000'000));
  command->add_option("--nodes", a->nodes, "positions after which a board stays undecided (default 1000000)")
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000'000'000));
  add_seed_argument(*command, a->seed);
  add_threads_argument(*command, a->threads);
  command->add_flag("--list", a->list, "list claims and sizes one by one");
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "The claims are those of Takes 2009, section 3: theorems 1 to 3, and one without\n"
      "a proof there. Returns 1, and shows a board, if one of them is refuted.\n\n"
      "Examples:\n"
      "  chainshot analyse chessboards\n"
      "  chainshot analyse chessboards --rows 5 --columns 5-7 --boards 1000000 --list");
  command->callback([a, &program] { run_analyse_chessboards(*a, program); });
}

}  // namespace chainshot::tools
