// The commands of `chainshot analyse`, in the files of this folder that start with `analyse`, and what they share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "game/generate.hpp"
#include "host/analysis/work_sharing.hpp"
#include "tools/commands.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

void add_analyse_solvable(CLI::App& analyse, Program& program);
void add_analyse_chessboards(CLI::App& analyse, Program& program);
void add_analyse_complexity(CLI::App& analyse, Program& program);
void add_analyse_games(CLI::App& analyse, Program& program);
void add_analyse_difficulty(CLI::App& analyse, Program& program);

// Sizes from `low` to `high`, as `4-7` or `5`.
struct SizeRange {
  int low = 1;
  int high = 1;
  int count() const { return high - low + 1; }
};
// Throws InputError if `text` is no range from 1 to `most`; `option` is named then.
SizeRange size_range(const std::string& option, const std::string& text, int most);

// The options of analyses of random boards, which are those of `generate` with the same size, colours and seed.
struct RandomBoardArguments {
  std::string size = "15x15";
  int colors = 5;
  std::optional<std::uint64_t> boards;
  std::uint64_t seed = 1;
};
void add_random_board_arguments(CLI::App& command, RandomBoardArguments& arguments, const std::string& default_boards);
void add_seed_argument(CLI::App& command, std::uint64_t& seed);
// Throws InputError.
game::BoardRecipe recipe_of(const RandomBoardArguments& arguments);

// The threads that were asked for, or one per processor.
int worker_threads(int threads);

// Shows on the terminal how far a part of the work is; `from` and `to` are its shares of the whole.
host::WorkWatcher watch_work(Progress& progress, double from, double to, const std::string& note);

}  // namespace chainshot::tools
