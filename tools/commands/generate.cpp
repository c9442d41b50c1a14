// chainshot generate: writes random boards and chessboards. The same options and seed give the same boards anywhere.
#include "game/generate.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "game/board_text.hpp"
#include "game/solution_text.hpp"
#include "tools/commands.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/suggest.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::tools {
namespace {

constexpr std::uint64_t kMostBoards = 1'000'000;  // 250 MB of text, 1 GB for the largest boards: read_input's limit

struct GenerateArguments {
  std::string size = "15x15";
  std::optional<int> colors;  // if not given: 2 for a chessboard, else 5
  std::string kind = "uniform";
  std::optional<double> share;
  std::vector<std::string> inverted;
  std::uint64_t count = 1;
  std::uint64_t seed = 1;
  std::string format = "board";
  std::string out = "-";
  bool json = false;
};

game::BoardKind kind_named(const std::string& name) {
  std::vector<std::string> names;
  for (const game::NamedBoardKind& kind : game::kBoardKinds) {
    if (kind.name == name) return kind.kind;
    names.emplace_back(kind.name);
  }
  throw InputError(unknown_name("kind of board", name, names));
}

// Boards 16-20 of the standard set have 65 of 225 blocks in the dominating colour, where an equal share is 45. The
// default keeps that ratio for any number of colours.
double default_share(int colors) {
  return 65.0 / (45.0 * colors);
}

game::BoardRecipe recipe_of(const GenerateArguments& options) {
  game::BoardRecipe recipe;
  recipe.kind = kind_named(options.kind);
  const auto size = game::parse_board_size(options.size);
  if (!size)
    throw InputError("'" + options.size + "' is not a size; expected COLUMNSxROWS, such as 15x15, up to 31x32");
  recipe.columns = size->columns;
  recipe.rows = size->rows;
  const bool chess = recipe.kind == game::BoardKind::kChessboard || recipe.kind == game::BoardKind::kHalfChessboard;
  recipe.colors = options.colors.value_or(chess ? 2 : 5);
  if (options.share && recipe.kind != game::BoardKind::kDominating)
    throw InputError("--share applies only to --kind dominating; expected --kind dominating or no --share");
  recipe.share = options.share.value_or(default_share(recipe.colors));
  for (const std::string& text : options.inverted) {
    const auto cell = game::parse_cell(text);
    if (!cell) throw InputError("'" + text + "' is not a cell; expected --invert COLUMN,ROW from the bottom left");
    recipe.inverted.push_back(*cell);
  }
  const std::string problem = problem_with(recipe);
  if (!problem.empty()) throw InputError(problem);
  return recipe;
}

void check(const GenerateArguments& options, const game::BoardRecipe& recipe) {
  const std::vector<std::string> formats = {"board", "codingame"};
  if (options.format != formats[0] && options.format != formats[1])
    throw InputError(unknown_name("format", options.format, formats));
  if (recipe.kind == game::BoardKind::kChessboard && options.count > 1)
    throw InputError("all chessboards of one size are the same; expected --count 1");
  if (options.format == "codingame" && (options.count > 1 || recipe.columns != 15 || recipe.rows != 15 || options.json))
    throw InputError("CodinGame input is one board of 15x15; expected --count 1 --size 15x15 and no --json");
}

std::string boards_text(const GenerateArguments& options, const std::vector<game::NamedBoard>& boards) {
  if (options.format == "codingame") return game::to_codingame(boards.front().position);
  if (options.json) {
    Json out = {{"version", kJsonVersion}, {"kind", options.kind}, {"seed", options.seed}, {"boards", Json::array()}};
    for (const game::NamedBoard& board : boards)
      out["boards"].push_back(game::to_json(board));
    return json_text(out);
  }
  std::string text = fmt::format("# {} boards, seed {}\n", options.kind, options.seed);
  for (const game::NamedBoard& board : boards)
    text += '\n' + game::to_text(board);
  return text;
}

int run(const GenerateArguments& options) {
  const game::BoardRecipe recipe = recipe_of(options);
  check(options, recipe);
  check_outputs({{"--out", options.out}}, {});
  std::vector<game::NamedBoard> boards;
  for (std::uint64_t i = 0; i < options.count; ++i)
    boards.push_back({fmt::format("{}-s{}-{:03}", options.kind, options.seed, i + 1),
                      game::generate_board(recipe, options.seed, i)});
  write_file(options.out, boards_text(options, boards));
  return 0;
}

std::string kinds_text() {
  std::string text;
  for (const game::NamedBoardKind& kind : game::kBoardKinds)
    text += fmt::format("  {:<15}  {}\n", kind.name, kind.summary);
  return text;
}

}  // namespace

void add_generate(CLI::App& app, Program& program) {
  auto options = std::make_shared<GenerateArguments>();
  CLI::App* command = app.add_subcommand("generate", "make random boards and chessboards");
  command->add_option("--size", options->size, "columns and rows, up to 31x32 (default 15x15)")->type_name("WxH");
  command->add_option("--colors", options->colors, "number of colours, 1 to 15 (default 5; 2 for a chessboard)")
      ->type_name("C")
      ->transform(whole_number(1, game::kMaxColors));
  command->add_option("--count", options->count, "number of boards, up to a million (default 1)")
      ->type_name("N")
      ->transform(whole_number(1, kMostBoards));
  command
      ->add_option("--seed", options->seed,
                   "seed of the random numbers: the same seed gives the same boards on every machine (default 1)")
      ->type_name("S")
      ->transform(whole_number(0, ~std::uint64_t{0}));
  command->add_option("--kind", options->kind, "kind of board, see below (default uniform)")->type_name("KIND");
  command
      ->add_option(
          "--share", options->share,
          "share of the dominating colour (default 13/9 of an equal share: 0.2889, or 65 of 225 blocks, for 5 colours)")
      ->type_name("P")
      ->transform(real_number(0, 1));
  command->add_option("--invert", options->inverted, "invert a cell of a chessboard: column,row; may be repeated")
      ->type_name("C,R")
      ->allow_extra_args(false);
  command->add_option("--format", options->format, "output format: board (default) or codingame")->type_name("NAME");
  add_output_option(*command, "--out", options->out, "write to FILE instead of the standard output");
  command->add_flag("--json", options->json, "write JSON");
  command->footer("Kinds:\n" + kinds_text() +
                  "\nExamples:\n"
                  "  chainshot generate --count 250 --seed 2012 --out random250.txt\n"
                  "  chainshot generate --kind chessboard --size 5x5 --invert 4,0\n"
                  "  chainshot generate --seed 7 | chainshot show -");
  command->callback([options, &program] { program.exit_code = run(*options); });
}

}  // namespace chainshot::tools
