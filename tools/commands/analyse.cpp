// chainshot analyse: what the papers say of the game itself, computed again. This file has what its commands share.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "machine/allowance.hpp"
#include "tools/commands/analyse_commands.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"

namespace chainshot::tools {
namespace {

constexpr std::uint64_t kMostAnalysedBoards = 10'000'000;

std::optional<int> size_in(std::string_view text, int most) {
  int size = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || stop != text.data() + text.size() || size < 1 || size > most) return std::nullopt;
  return size;
}

}  // namespace

SizeRange size_range(const std::string& option, const std::string& text, int most) {
  const std::string_view all = text;
  const std::size_t dash = all.find('-');
  const auto low = size_in(all.substr(0, dash), most);
  const auto high = dash == std::string_view::npos ? low : size_in(all.substr(dash + 1), most);
  if (!low || !high || *low > *high)
    throw InputError(fmt::format("{} {}: expected a number or a range from 1 to {}, such as 4-7", option, text, most));
  return {*low, *high};
}

void add_seed_argument(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "seed of the boards and games (default 1)")
      ->type_name("S")
      ->transform(whole_number(0, ~std::uint64_t{0}));
}

void add_random_board_arguments(CLI::App& command, RandomBoardArguments& arguments, const std::string& default_boards) {
  command.add_option("--boards", arguments.boards, "number of random boards (default " + default_boards + ")")
      ->type_name("N")
      ->transform(whole_number(1, kMostAnalysedBoards));
  command.add_option("--size", arguments.size, "columns and rows, up to 31x32 (default 15x15)")->type_name("WxH");
  command.add_option("--colors", arguments.colors, "number of colours, 1 to 15 (default 5)")
      ->type_name("C")
      ->transform(whole_number(1, game::kMaxColors));
  add_seed_argument(command, arguments.seed);
}

game::BoardRecipe recipe_of(const RandomBoardArguments& arguments) {
  const auto size = game::parse_board_size(arguments.size);
  if (!size)
    throw InputError("'" + arguments.size + "' is not a size; expected COLUMNSxROWS, such as 15x15, up to 31x32");
  return {.columns = size->columns, .rows = size->rows, .colors = arguments.colors, .inverted = {}};
}

int worker_threads(int threads) {
  return threads > 0 ? threads : machine::usable_processors();
}

host::WorkWatcher watch_work(Progress& progress, double from, double to, const std::string& note) {
  return [&progress, from, to, note](std::uint64_t done, std::uint64_t total) {
    progress.update(from + (to - from) * static_cast<double>(done) / static_cast<double>(total), note);
  };
}

void add_analyse(CLI::App& app, Program& program) {
  CLI::App* analyse = app.add_subcommand("analyse", "solvable share, complexity, random play, difficulty");
  add_analyse_solvable(*analyse, program);
  add_analyse_chessboards(*analyse, program);
  add_analyse_complexity(*analyse, program);
  add_analyse_games(*analyse, program);
  add_analyse_difficulty(*analyse, program);
  analyse->require_subcommand(1);
  analyse->footer(
      "Figures that a paper has stand beside ours, with a verdict from standard errors.\n\n"
      "Examples:\n"
      "  chainshot analyse solvable --rows 1-5 --columns 1-5\n"
      "  chainshot analyse complexity standard\n"
      "  chainshot analyse COMMAND --help");
}

}  // namespace chainshot::tools
