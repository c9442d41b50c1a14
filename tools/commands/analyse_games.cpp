// chainshot analyse complexity and chainshot analyse games: how large the search space is, and how random games go.
#include <fmt/format.h>

#include <memory>

#include "game/generate.hpp"
#include "host/analysis/complexity.hpp"
#include "host/analysis/random_play.hpp"
#include "tools/commands/analyse_commands.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/reports/complexity_report.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

constexpr std::uint64_t kComplexityBoards = 500, kGamesBoards = 20'000;

struct ComplexityArguments {
  std::string board;
  RandomBoardArguments random;
  bool random_given = false;  // size or colours
  std::uint64_t games = 256;
  int threads = 0;
  bool json = false;
};

struct GamesArguments {
  RandomBoardArguments random;
  std::uint32_t games = 1;
  host::EngineChoice engine;
  bool json = false;
};

std::string text_of(const game::BoardRecipe& recipe) {
  return fmt::format("random boards of {}x{}, {}", recipe.columns, recipe.rows,
                     counted(static_cast<std::uint64_t>(recipe.colors), "colour"));
}

// The papers measured uniform boards of this kind.
bool is_standard(const game::BoardRecipe& recipe) {
  return recipe.columns == 15 && recipe.rows == 15 && recipe.colors == 5;
}

void run_analyse_complexity(const ComplexityArguments& a, Program& program) {
  if (!a.board.empty() && (a.random_given || a.random.boards))
    throw InputError("BOARD names the boards; expected no --boards, --size or --colors with it");
  const game::BoardRecipe recipe = recipe_of(a.random);
  const std::vector<game::NamedBoard> named = a.board.empty() ? std::vector<game::NamedBoard>() : boards_named(a.board);
  const bool random = a.board.empty();
  ComplexitySetting setting{.boards = random              ? text_of(recipe)
                                      : named.size() == 1 ? "board"
                                                          : fmt::format("{} named boards", named.size()),
                            .names = {},
                            .asked = random ? a.random.boards.value_or(kComplexityBoards) : named.size(),
                            .games = a.games,
                            .seed = a.random.seed,
                            .has_published = random && is_standard(recipe)};
  for (const game::NamedBoard& board : named)
    setting.names.push_back(board.name);
  watch_interrupts();
  std::vector<host::BoardComplexity> found;
  {
    Progress progress("playing");
    found = host::measure_complexity({.boards = setting.asked,
                                      .board =
                                          [&](std::uint64_t i) {
                                            return random ? game::generate_board(recipe, a.random.seed, i)
                                                          : named[static_cast<std::size_t>(i)].position;
                                          },
                                      .games = a.games,
                                      .seed = a.random.seed,
                                      .threads = worker_threads(a.threads),
                                      .stop = interrupt_token(),
                                      .watcher = watch_work(progress, 0, 1, "random games")});
  }
  if (interrupted()) program.exit_code = interrupted_exit();
  if (found.empty()) return tell_nothing_is_done();
  if (a.json) {
    Json answer = {{"version", kJsonVersion}};
    answer.update(complexity_json(found, setting));
    print_json(answer);
  } else {
    fmt::print("{}", complexity_text(found, setting, program.terminal));
  }
}

void run_analyse_games(const GamesArguments& a, Program& program) {
  const game::BoardRecipe recipe = recipe_of(a.random);
  const std::unique_ptr<game::Engine> engine = open_engine(a.engine);
  RandomPlaySetting setting{.boards = text_of(recipe),
                            .engine = engine->capabilities().name,
                            .asked = a.random.boards.value_or(kGamesBoards),
                            .games = a.games,
                            .seed = a.random.seed,
                            .has_published = is_standard(recipe)};
  watch_interrupts();
  host::RandomPlayResult found;
  {
    Progress progress("playing");
    found = host::measure_random_play(
        *engine, {.boards = setting.asked,
                  .board = [&](std::uint64_t i) { return game::generate_board(recipe, a.random.seed, i); },
                  .games = a.games,
                  .seed = a.random.seed,
                  .threads = worker_threads(a.engine.threads),
                  .stop = interrupt_token(),
                  .watcher = watch_work(progress, 0, 1, "random games")});
  }
  if (interrupted()) program.exit_code = interrupted_exit();
  if (found.length.count() == 0) return tell_nothing_is_done();
  setting.engine = engine->capabilities().name;  // a fallback engine may have taken over
  if (a.json) {
    Json answer = {{"version", kJsonVersion}};
    answer.update(random_play_json(found, setting));
    print_json(answer);
  } else {
    fmt::print("{}", random_play_text(found, setting, program.terminal));
  }
}

}  // namespace

void add_analyse_complexity(CLI::App& analyse, Program& program) {
  auto a = std::make_shared<ComplexityArguments>();
  CLI::App* command = analyse.add_subcommand("complexity", "game-tree and state-space complexity of boards");
  add_board_argument(*command, a->board)->required(false);
  add_random_board_arguments(*command, a->random, std::to_string(kComplexityBoards));
  command
      ->add_option("--playouts", a->games,
                   "random games of each board, with and without VS-pruning; 0 for the state space only (default 256)")
      ->type_name("N")
      ->transform(whole_number(0, 100'000'000));
  add_threads_argument(*command, a->threads);
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Without BOARD, random boards are measured. Klein 2015, sections 4.1 and 4.2,\n"
      "stands beside those of 15x15 and 5 colours.\n\n"
      "Examples:\n"
      "  chainshot analyse complexity\n"
      "  chainshot analyse complexity --boards 100000 --playouts 0\n"
      "  chainshot analyse complexity standard --playouts 1000");
  command->callback([a, command, &program] {
    a->random_given = command->count("--size") + command->count("--colors") > 0;
    run_analyse_complexity(*a, program);
  });
}

void add_analyse_games(CLI::App& analyse, Program& program) {
  auto a = std::make_shared<GamesArguments>();
  CLI::App* command = analyse.add_subcommand("games", "length and branching of random games of random boards");
  add_random_board_arguments(*command, a->random, std::to_string(kGamesBoards));
  command->add_option("--playouts", a->games, "games of each board, of both kinds (default 1)")
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000));
  add_engine_arguments(*command, a->engine);
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Schadd 2008, by Klein 2015, section 2.5.1, stands beside boards of 15x15 and\n"
      "5 colours.\n\n"
      "Examples:\n"
      "  chainshot analyse games\n"
      "  chainshot analyse games --boards 1000000 --threads 4\n"
      "  chainshot analyse games --size 20x20 --colors 4");
  command->callback([a, &program] { run_analyse_games(*a, program); });
}

}  // namespace chainshot::tools
