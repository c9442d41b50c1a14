// chainshot analyse difficulty: ranks boards by how hard random play finds them.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "tools/commands/analyse_commands.hpp"
#include "tools/commands/playout_runner.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/reports/difficulty.hpp"

namespace chainshot::tools {
namespace {

struct DifficultyArguments {
  std::string board;
  PolicyArguments policy;
  host::EngineChoice engine;
  std::uint32_t playouts = 100'000;
  std::uint64_t seed = 0;
  std::string svg;
  std::string csv;
  bool json = false;
};

// Hardest first. Fewer boards than given if Ctrl-C came.
std::vector<Difficulty> rate_boards(const DifficultyArguments& a, const std::vector<game::NamedBoard>& boards,
                                    game::Engine& engine) {
  const game::Policy policy = policy_from(a.policy);
  const game::Scoring scoring = scoring_from(a.policy.scoring);
  PlayoutRunner runner(engine, 2 * boards.size());
  std::vector<Difficulty> rated;
  for (const game::NamedBoard& board : boards) {
    PlayoutReport random =
        runner.run(playout_task(board, policy_named("random"), scoring, a.playouts, a.seed), board.name + ", random");
    PlayoutReport biased =
        runner.run(playout_task(board, policy, scoring, a.playouts, a.seed), board.name + ", biased");
    if (biased.result.count == 0) break;
    rated.push_back({board, std::move(random), std::move(biased)});
    if (interrupted()) break;
  }
  std::stable_sort(rated.begin(), rated.end(),
                   [](const Difficulty& x, const Difficulty& y) { return x.ease() < y.ease(); });
  return rated;
}

void run_analyse_difficulty(const DifficultyArguments& a, Program& program) {
  const std::vector<OutputOption> outputs = {{"--svg", a.svg}, {"--csv", a.csv}};
  check_outputs(outputs, {file_of_board(a.board)});
  if (a.json) expect_apart_from_standard_output(outputs, "--json prints its answer");
  policy_from(a.policy);  // reports a mistyped name before files are read
  const std::vector<game::NamedBoard> boards = boards_named(a.board);
  if (a.policy.tabu_color) expect_tabu_color(*a.policy.tabu_color, boards);
  expect_scores_fit(scoring_from(a.policy.scoring), boards);
  const std::unique_ptr<game::Engine> engine = open_engine(a.engine);
  watch_interrupts();
  const std::vector<Difficulty> rated = rate_boards(a, boards, *engine);
  if (interrupted()) program.exit_code = interrupted_exit();
  if (rated.empty()) return tell_nothing_is_done();
  const PlaySetting setting{.policy = policy_text(a.policy),
                            .scoring = scoring_from(a.policy.scoring).name(),
                            .engine = engine->capabilities().name,
                            .seed = a.seed,
                            .boards = boards.size()};
  const std::string lost_picture = try_write_file(a.svg, difficulty_svg(rated, setting));
  const std::string lost_table = try_write_file(a.csv, difficulty_csv(rated, setting));
  if (a.json) {
    Json answer = {{"version", kJsonVersion}};
    answer.update(difficulty_json(rated, setting));
    print_json(answer);
  } else {
    fmt::print("{}", difficulty_text(rated, setting, program.terminal));
  }
  expect_saved(lost_picture);
  expect_saved(lost_table);
}

}  // namespace

void add_analyse_difficulty(CLI::App& analyse, Program& program) {
  auto a = std::make_shared<DifficultyArguments>();
  CLI::App* command = analyse.add_subcommand("difficulty", "rank boards by how hard random play finds them");
  add_board_argument(*command, a->board);
  add_playouts_argument(*command, a->playouts);
  add_playout_seed_argument(*command, a->seed);
  add_policy_arguments(*command, a->policy);
  add_engine_arguments(*command, a->engine);
  add_output_option(*command, "--svg", a->svg, "draw the hardest and the easiest board's histograms to FILE as SVG");
  add_output_option(*command, "--csv", a->csv, "write the figures to FILE as a table, hardest board first");
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Compares random play with --policy, the biased play of Takes 2009, section 2.4.\n\n"
      "Examples:\n"
      "  chainshot analyse difficulty standard\n"
      "  chainshot analyse difficulty standard --svg difficulty.svg");
  command->callback([a, &program] { run_analyse_difficulty(*a, program); });
}

}  // namespace chainshot::tools
